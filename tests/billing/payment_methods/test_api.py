"""Saved cards over both families of calls, at the card provider's stand-in."""

import asyncio
import re
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from api.platform.throttling.money import CARDS
from db.base import Sessions
from db.platform.throttles import count
from dev.places import ROOT
from domain.identity.people import User
from simulators.main import create_app as create_simulators
from tests.billing.payments.factories import a_method
from tests.drivers.factories import (
    Dealer,
    a_consumer,
    a_dealer,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_browser, a_key, running_portal, said, sign_in
from tests.orders.factories import code_of
from tests.partners.factories import a_primary, let_see

VISA = "4242 4242 4242 4242"


def a_number(number: str = VISA, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "cvv": "123",
        "expMonth": 12,
        "expYear": 2031,
        "name": "Olivia Marchand",
        "streetAddress1": "1 Harbour Road",
        "city": "Halifax",
        "state": "NS",
        "postalCode": "B3J 1V7",
        "countryCode": "CA",
        **more,
    }


async def token(stand_ins: FastAPI, number: str = VISA) -> str:
    """What the provider's form gives a browser."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stand_ins)) as form:
        answer = await form.post(
            "http://stand-ins/cards/v1/payment_methods",
            data={
                "type": "card",
                "card[number]": number,
                "card[exp_month]": "12",
                "card[exp_year]": "2031",
                "card[cvc]": "123",
            },
            headers={"Authorization": "Bearer pk_test_turnkey_development"},
        )
    return answer.json()["id"]


async def methods(browser: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = await browser.post("/api/users-payment-methods", json={})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def signed_in(browser: httpx.AsyncClient, sessions: Sessions) -> User:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    return owner


async def test_a_card_is_saved_by_its_token_and_told_without_its_number(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    await signed_in(browser, sessions)
    body = {
        "paymentMethodId": await token(stand_ins),
        "name": "Olivia Marchand",
        "city": "Halifax",
        "countryCode": "CA",
    }
    first = await browser.post("/api/attach-stripe-card-to-user", json=body)
    assert first.status_code == 200, first.text
    again = await browser.post("/api/attach-stripe-card-to-user", json=body)
    assert again.json()["id"] == first.json()["id"]
    (saved,) = await methods(browser)
    assert saved["shown"] == "Visa •••• 4242"
    assert (saved["isMain"], saved["isValid"], saved["type"]) == (True, True, "CARD")
    assert saved["billingAddress"]["city"] == "Halifax"
    assert "424242" not in str(saved)


async def test_a_card_whose_bank_will_ask_its_payer_is_saved(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await signed_in(browser, sessions)
    answer = await browser.post("/v1/card", json=a_number("4000002760003184"))
    assert (answer.status_code, answer.json()["last4"]) == (200, "3184")


async def test_the_same_number_saved_twice_is_one_card_that_is_renewed(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await signed_in(browser, sessions)
    one = await browser.post("/v1/card", json=a_number())
    two = await browser.post("/v1/card", json=a_number(expYear=2033, name="Olivia M'Marchand"))
    assert one.json()["id"] == two.json()["id"]
    (saved,) = await methods(browser)
    assert (saved["expYear"], saved["name"]) == (2033, "Olivia M'Marchand")


async def test_both_families_take_a_number_and_answer_alike(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await signed_in(browser, sessions)
    key = a_key()
    old = await browser.post("/api/create-credit-card", json=a_number(), headers=key)
    repeated = await browser.post("/api/create-credit-card", json=a_number(), headers=key)
    assert old.json() == repeated.json()
    new = await browser.post("/v1/card", json=a_number("5555555555554444", isDefault=True))
    assert (old.json()["isMain"], new.json()["is_main"]) == (True, True)
    listed = (await browser.get("/v1/card")).json()
    assert [one["last4"] for one in listed["results"]] == ["4444", "4242"]
    assert listed["count"] == 2
    assert new.json()["brand"] == "Mastercard"
    assert [one["isMain"] for one in await methods(browser)] == [True, False]
    one = await browser.get(f"/v1/card/{new.json()['id']}")
    assert one.json() == new.json()


@pytest.mark.parametrize(
    ("number", "detail"),
    [
        ("4000000000000002", "Your card was declined."),
        ("4000000000009995", "Your card has insufficient funds."),
        ("4000000000000069", "Your card has expired."),
        ("4000000000000127", "Your card's security code is incorrect."),
        ("4242424242424241", "Your card number is incorrect."),
    ],
)
async def test_a_card_that_the_provider_refuses_is_not_saved(
    sessions: Sessions, browser: httpx.AsyncClient, number: str, detail: str
) -> None:
    await signed_in(browser, sessions)
    answer = await browser.post("/v1/card", json=a_number(number))
    assert (answer.status_code, answer.json()["detail"]) == (409, detail)
    assert answer.json()["code"] == "card_refused"
    assert await methods(browser) == []


async def test_a_number_beyond_the_limit_of_a_day_is_not_judged_by_the_provider(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    owner = await signed_in(browser, sessions)
    good = await token(stand_ins)
    wrong = a_number("4242424242424241")
    assert (await browser.post("/v1/card", json=wrong)).json()["code"] == "card_refused"
    async with sessions.begin() as session:
        await count(session, [(CARDS, code_of(owner))], times=CARDS.tries - 1)
    for path in ("/v1/card", "/api/create-credit-card"):
        assert (await browser.post(path, json=wrong)).status_code == 429
    answer = await browser.post("/api/attach-stripe-card-to-user", json={"paymentMethodId": good})
    assert answer.status_code == 429


async def test_a_card_that_nobody_answered_counts_once_and_a_refused_one_each_time(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    owner = await signed_in(browser, sessions)
    key, attached = a_key(), {"paymentMethodId": await token(stand_ins)}
    stand_ins.state.cards.paying.turn({"outage": True})
    try:
        for path, body in (
            ("/v1/card", a_number()),
            ("/v1/card", a_number()),
            ("/api/attach-stripe-card-to-user", attached),
        ):
            assert (await browser.post(path, json=body, headers=key)).status_code == 503
    finally:
        stand_ins.state.cards.paying.turn({"outage": False})
    assert await counted(sessions, owner) == 1
    for _ in range(2):
        refused = await browser.post("/v1/card", json=a_number("4242424242424241"), headers=key)
        assert refused.json()["code"] == "card_refused"
    assert await counted(sessions, owner) == 2


async def counted(sessions: Sessions, owner: User) -> int:
    """How many cards of the owner's business count today."""
    async with sessions.begin() as session:
        (told,) = await count(session, [(CARDS, code_of(owner))], times=0)
    return told.tries


def test_no_call_has_a_card_judged_but_by_the_door_that_counts() -> None:
    asking = re.compile(r"\bcards\.(?:tokenise|save_card)\(")
    found = {
        str(file.relative_to(ROOT)): len(asking.findall(file.read_text()))
        for file in sorted((ROOT / "api").rglob("*.py"))
        if asking.search(file.read_text())
    }
    assert found == {"api/billing/saving_cards.py": 2}


@pytest.mark.parametrize(
    "fault",
    [
        {"number": "12"},
        {"number": "4242x4242 4242 4242"},
        {"cvv": "12"},
        {"expMonth": 13},
        {"expYear": datetime.now(UTC).year + 26},
        {"expYear": datetime.now(UTC).year - 1},
        {"is_main": True},
    ],
)
async def test_a_malformed_card_is_refused_without_being_repeated(
    sessions: Sessions, browser: httpx.AsyncClient, fault: dict[str, Any]
) -> None:
    await signed_in(browser, sessions)
    answer = await browser.post("/v1/card", json=a_number() | fault)
    assert answer.status_code == 422
    assert "4242" not in said(answer)
    assert answer.json()["validation_errors"]


async def test_the_last_of_26_years_is_taken(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await signed_in(browser, sessions)
    year = datetime.now(UTC).year + 25
    answer = await browser.post("/v1/card", json=a_number(expYear=year))
    assert answer.json()["exp_year"] == year


async def test_exactly_one_card_is_main_whoever_is_faster(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await signed_in(browser, sessions)
    cards = [await a_method(sessions, partner_code=code_of(owner)) for _ in range(6)]
    answers = await asyncio.gather(
        *(
            browser.patch(
                "/api/update-credit-card", json={"paymentMethodId": card.id, "isDefault": True}
            )
            for card in cards
        )
    )
    assert {answer.status_code for answer in answers} == {200}
    assert [one["isMain"] for one in await methods(browser)] == [True, *[False] * 5]


async def test_changes_and_defaults_at_once_never_wait_for_each_other(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await signed_in(browser, sessions)
    cards = [await a_method(sessions, partner_code=code_of(owner)) for _ in range(2)]
    accounts = [
        await a_method(sessions, bank="good", partner_code=code_of(owner)) for _ in range(2)
    ]

    async def become(id: str, call: str) -> httpx.Response:
        body = {"paymentMethodId": id, "isDefault": True, "isHidden": False}
        return await browser.patch(f"/api/{call}", json=body)

    for _ in range(6):
        answers = await asyncio.gather(
            *(become(card.id, "update-credit-card") for card in cards * 2),
            *(become(account.id, "update-bank-account") for account in accounts * 2),
        )
        assert [answer.status_code for answer in answers] == [200] * 8
    assert [one["isMain"] for one in await methods(browser)] == [True, *[False] * 3]


async def test_another_card_becomes_main_before_a_bank_account(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await signed_in(browser, sessions)
    first = await a_method(sessions, partner_code=code_of(owner))
    account = await a_method(sessions, bank="good", partner_code=code_of(owner))
    second = await a_method(sessions, partner_code=code_of(owner))
    for gone, main in ((first, second), (second, account)):
        assert (await browser.delete(f"/v1/card/{gone.id}")).status_code == 204
        assert [one["id"] for one in await methods(browser) if one["isMain"]] == [main.id]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (VISA, "A card number does not belong here"),
        ("Olivia 4242-4242-4242-4242", "A card number does not belong here"),
        ("0livia", "Must contain only letters, spaces, hyphens and apostrophes"),
        ("Olivia <b>", "Must contain only letters, spaces, hyphens and apostrophes"),
    ],
)
async def test_a_holder_has_a_name(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI, name: str, fault: str
) -> None:
    owner = await signed_in(browser, sessions)
    card = await a_method(sessions, partner_code=code_of(owner))
    attached = {"paymentMethodId": await token(stand_ins), "name": name}
    for answer in (
        await browser.post("/v1/card", json=a_number(name=name)),
        await browser.post("/api/create-credit-card", json=a_number(name=name)),
        await browser.post("/api/attach-stripe-card-to-user", json=attached),
        await browser.patch(f"/v1/card/{card.id}", json={"name": name}),
    ):
        assert answer.status_code == 422, answer.text
        assert answer.json()["validation_errors"] == [{"field": "name", "message": fault}]
        assert name not in answer.text


async def test_a_card_number_in_an_address_is_masked_here_and_at_the_provider(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    owner = await signed_in(browser, sessions)
    card = await a_method(sessions, partner_code=code_of(owner))
    changed = await browser.patch(
        f"/v1/card/{card.id}", json={"streetAddress2": "4000 0566 5566 5556 Unit 2"}
    )
    assert changed.status_code == 200, changed.text
    assert changed.json()["billing_address"]["street_address_2"] == "**** **** **** 5556 Unit 2"
    kept = stand_ins.state.cards.paying.find("method", card.provider_id)
    assert "4000 0566" not in str(kept)


async def test_the_next_card_becomes_main_when_the_main_one_goes(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await signed_in(browser, sessions)
    first, second = [await a_method(sessions, partner_code=code_of(owner)) for _ in range(2)]
    gone = await browser.delete(f"/v1/card/{first.id}")
    assert gone.status_code == 204
    assert [(one["id"], one["isMain"]) for one in await methods(browser)] == [(second.id, True)]
    assert (await browser.delete(f"/v1/card/{first.id}")).status_code == 404
    deleted = await browser.request(
        "DELETE", "/api/delete-credit-card", json={"paymentMethodId": second.id}
    )
    assert deleted.status_code == 204
    assert await methods(browser) == []


async def test_a_card_is_changed_here_and_at_the_provider(
    sessions: Sessions, browser: httpx.AsyncClient, stand_ins: FastAPI
) -> None:
    owner = await signed_in(browser, sessions)
    card = await a_method(sessions, partner_code=code_of(owner))
    changed = await browser.patch(
        f"/v1/card/{card.id}", json={"expMonth": 1, "expYear": 2034, "postalCode": "B3J 2K9"}
    )
    assert changed.status_code == 200, changed.text
    assert (changed.json()["exp_month"], changed.json()["exp_year"]) == (1, 2034)
    assert changed.json()["billing_address"]["postal_code"] == "B3J 2K9"
    kept = stand_ins.state.cards.paying.find("method", card.provider_id)
    assert kept["card"]["exp_year"] == 2034
    assert kept["billing_details"]["address"]["postal_code"] == "B3J 2K9"
    other = await a_method(sessions, partner_code=code_of(owner))
    hidden = await browser.patch(
        "/api/update-credit-card", json={"paymentMethodId": other.id, "isHidden": True}
    )
    assert hidden.json()["isHidden"] is True


async def test_the_specs_texts_are_said(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    owner = await signed_in(browser, sessions)
    card = await a_method(sessions, partner_code=code_of(owner))
    for answer in (
        await browser.patch(f"/v1/card/{card.id}", json={}),
        await browser.patch(f"/v1/card/{card.id}"),
        await browser.patch("/api/update-credit-card", json={"paymentMethodId": card.id}),
    ):
        assert (answer.status_code, answer.json()["detail"]) == (422, "Updates object is required")
    for answer in (
        await browser.get("/v1/card/%20"),
        await browser.patch("/api/update-credit-card", json={"name": "Olivia"}),
        await browser.delete("/api/delete-credit-card"),
    ):
        assert (answer.status_code, answer.json()["detail"]) == (422, "Card id is a required field")


async def test_somebody_elses_card_does_not_exist(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    await signed_in(browser, sessions)
    foreign = await a_method(sessions)
    account = await a_method(sessions, bank="good")
    for other in (foreign.id, account.id, "nothing"):
        assert (await browser.get(f"/v1/card/{other}")).status_code == 404
        assert (await browser.delete(f"/v1/card/{other}")).status_code == 404
        assert (await browser.patch(f"/v1/card/{other}", json={"name": "X"})).status_code == 404


async def test_the_switch_shuts_both_calls_that_carry_a_number(
    sessions: Sessions, database_url: str, tmp_path: Any
) -> None:
    outside = httpx.ASGITransport(create_simulators(tmp_path / "simulators.sqlite"))
    async with (
        running_portal(database_url, outside=outside, raw_cards=False) as app,
        a_browser(app) as browser,
    ):
        await signed_in(browser, sessions)
        for path in ("/v1/card", "/api/create-credit-card"):
            answer = await browser.post(path, json=a_number())
            assert (answer.status_code, answer.json()["code"]) == (410, "raw_cards_off")


async def test_without_card_payments_there_are_no_calls_for_cards(
    sessions: Sessions, database_url: str
) -> None:
    async with running_portal(database_url, card_payments=False) as app, a_browser(app) as browser:
        await signed_in(browser, sessions)
        answer = (await browser.post("/api/users-payment-methods", json={})).json()
        assert answer["allowed"] == {"cards": False, "bank": True, "cod": True, "terms": True}
        refused = await browser.get("/v1/card")
        assert (refused.status_code, refused.json()["code"]) == (404, "switched_off")


async def test_without_the_provider_nothing_is_saved(
    sessions: Sessions, database_url: str, tmp_path: Any
) -> None:
    stand_ins = create_simulators(tmp_path / "simulators.sqlite")
    stand_ins.state.cards.paying.turn({"outage": True})
    async with (
        running_portal(database_url, outside=httpx.ASGITransport(stand_ins)) as app,
        a_browser(app) as browser,
    ):
        await signed_in(browser, sessions)
        answer = await browser.post("/v1/card", json=a_number())
        assert answer.status_code == 503
        assert "4242" not in said(answer)
        assert await methods(browser) == []


async def test_the_browser_is_told_the_public_key_and_where_the_form_is(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await signed_in(browser, sessions)
    answer = await browser.get(f"/api/products-checkout/{code_of(owner)}/get-stripe-key")
    assert answer.json() == {
        "detail": "pk_test_turnkey_development",
        "frameUrl": "http://127.0.0.1:9000/cards/frame",
    }
    other = await browser.get("/api/products-checkout/N9999/get-stripe-key")
    assert other.status_code == 404


async def test_who_may_see_saved_methods(sessions: Sessions, portal: FastAPI) -> None:
    dealer = await a_dealer(sessions)
    await a_method(sessions, partner_code=dealer.partner_code)
    both = {"cards": True, "bank": True, "cod": True, "terms": True}
    nothing = dict.fromkeys(both, False)
    people = [
        (await an_owner(sessions, dealer), 1, both),
        (await an_installer(sessions, dealer, is_purchaser=True), 1, both),
        (await an_installer(sessions, dealer), 0, nothing),
        (await a_consumer(sessions), 0, both | {"cod": False, "terms": False}),
        (await an_inside_rep(sessions), 0, nothing),
    ]
    for person, seen, allowed in people:
        async with a_browser(portal) as browser:
            await sign_in(browser, person)
            answer = (await browser.post("/api/users-payment-methods", json={})).json()
            assert (len(answer["results"]), answer["allowed"]) == (seen, allowed), person


async def test_reps_act_for_a_business_and_the_outside_one_pays_by_terms_or_cod(
    sessions: Sessions, portal: FastAPI
) -> None:
    dealer = await a_dealer(sessions)
    await a_primary(sessions, dealer)
    await a_method(sessions, partner_code=dealer.partner_code)
    for rep, seen, cards in (
        (await an_inside_rep(sessions), 1, True),
        (await an_outside_rep(sessions), 0, False),
    ):
        async with a_browser(portal) as browser:
            await act(sessions, browser, rep, dealer)
            answer = (await browser.post("/api/users-payment-methods", json={})).json()
            assert len(answer["results"]) == seen
            assert answer["allowed"] == {
                "cards": cards,
                "bank": cards,
                "cod": True,
                "terms": True,
            }
            listed = await browser.get("/v1/card", params={"dealer_id": dealer.id})
            assert listed.status_code == (200 if cards else 403)


async def act(sessions: Sessions, browser: httpx.AsyncClient, rep: User, dealer: Dealer) -> None:
    await let_see(sessions, rep, dealer.partner_code)
    await sign_in(browser, rep)
    chosen = await browser.put("/v1/auth/business", json={"sapBpCode": dealer.partner_code})
    assert chosen.status_code == 200


async def test_the_database_itself_allows_one_main_method(sessions: Sessions) -> None:
    first = await a_method(sessions)
    second = await a_method(sessions, partner_code=first.partner_code)
    async with sessions() as session:
        with pytest.raises(Exception, match="uq_payment_method_main"):
            await session.execute(
                text("update payment_method set is_main = true where id = :id"), {"id": second.id}
            )
