"""Choosing a business, acting for it, and clearing it."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from db.base import Sessions
from db.identity.people import PersonRow
from domain.identity.people import ADMIN_ACCESS, User
from domain.identity.policy import REFUSED_WHILE_ACTING
from domain.partners.partners import NO_PRIMARY
from tests.drivers.factories import (
    Dealer,
    a_dealer,
    a_partner,
    an_admin,
    an_inside_rep,
    an_outside_rep,
    an_owner,
)
from tests.drivers.portal import a_browser, sign_in
from tests.partners.factories import a_primary, let_see, lose_sight


async def choose(browser: httpx.AsyncClient, code: str) -> httpx.Response:
    return await browser.put("/v1/auth/business", json={"sapBpCode": code})


async def me(browser: httpx.AsyncClient) -> dict[str, Any]:
    answer = await browser.get("/v1/auth/user")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def chosen(browser: httpx.AsyncClient) -> str | None:
    business = (await me(browser))["business"]
    return business["code"] if business else None


async def a_served_dealer(sessions: Sessions, rep: User, **more: Any) -> tuple[Dealer, User]:
    """A dealer of the rep's, and its primary person."""
    dealer = await a_dealer(sessions, **more)
    await let_see(sessions, rep, dealer.partner_code)
    return dealer, await a_primary(sessions, dealer)


async def test_an_inside_rep_acts_as_the_primary_person_and_stays_themselves(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, primary = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    before = await me(browser)
    assert (before["must_choose"], before["business"]) == (True, None)

    answer = await choose(browser, dealer.partner_code.lower())
    assert answer.status_code == 200, answer.text
    for shown in (answer.json(), await me(browser)):
        assert shown["business"]["code"] == dealer.partner_code
        assert shown["impersonated"]["id"] == primary.id
    assert (await me(browser))["user"]["id"] == rep.id


async def test_an_outside_rep_never_impersonates(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_outside_rep(sessions)
    dealer, _ = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    answer = await choose(browser, dealer.partner_code)
    assert answer.json()["business"]["code"] == dealer.partner_code
    assert answer.json()["impersonated"] is None
    assert (await me(browser))["impersonated"] is None


async def test_an_outside_rep_needs_no_dealer_account(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_outside_rep(sessions)
    code = await a_partner(sessions)
    await let_see(sessions, rep, code)
    await sign_in(browser, rep)
    assert (await choose(browser, code)).status_code == 200


async def test_a_refusal_says_why_and_the_business_before_stays(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    before, _ = await a_served_dealer(sessions, rep)
    without_dealer = await a_partner(sessions)
    without_primary = await a_dealer(sessions)
    foreign = await a_dealer(sessions)
    await let_see(sessions, rep, without_dealer, without_primary.partner_code)
    await sign_in(browser, rep)
    await choose(browser, before.partner_code)
    for code, status, why, text in (
        (
            without_dealer,
            409,
            "no_dealer_account",
            "Business parter does not have an associated dealer account.",
        ),
        (without_primary.partner_code, 409, "no_dealer_primary", NO_PRIMARY),
        (foreign.partner_code, 404, "partner_missing", "Unexpected error. Please try again later."),
        ("N0NE", 404, "partner_missing", "Unexpected error. Please try again later."),
    ):
        answer = await choose(browser, code)
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["detail"]) == (status, why, text)
        assert await chosen(browser) == before.partner_code


async def test_a_retired_primary_person_is_not_impersonated(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, primary = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    await choose(browser, dealer.partner_code)
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == primary.id).values(is_retired=True)
        )
    assert await chosen(browser) is None
    assert (await choose(browser, dealer.partner_code)).json()["code"] == "no_dealer_primary"


async def test_a_rep_who_loses_the_business_stops_acting_at_once(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, _ = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    await choose(browser, dealer.partner_code)
    await lose_sight(sessions, rep, dealer.partner_code)
    shown = await me(browser)
    assert (shown["business"], shown["impersonated"]) == (None, None)


async def test_clearing_ends_it_and_may_be_repeated(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, _ = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    await choose(browser, dealer.partner_code)
    for _ in range(2):
        assert (await browser.delete("/v1/auth/business")).status_code == 204
        assert await chosen(browser) is None


async def test_the_business_holds_for_this_sign_in_alone(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, _ = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    await choose(browser, dealer.partner_code)
    async with a_browser(portal) as elsewhere:
        await sign_in(elsewhere, rep)
        assert await chosen(elsewhere) is None
    assert await chosen(browser) == dealer.partner_code


async def test_the_site_and_the_code_decide_on_the_prompt(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    canadian, _ = await a_served_dealer(sessions, rep)
    american, _ = await a_served_dealer(sessions, rep, prefix="A", country="US")
    for host, wrong in (("localhost", american), ("us.localhost", canadian)):
        async with a_browser(portal, host=host) as visitor:
            await sign_in(visitor, rep)
            for dealer in (canadian, american):
                answer = await choose(visitor, dealer.partner_code)
                assert answer.json()["business"]["is_wrong_site"] is (dealer is wrong)


async def test_the_records_name_both(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    first, primary = await a_served_dealer(sessions, rep)
    second, other = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    await choose(browser, first.partner_code)
    await choose(browser, second.partner_code)
    await choose(browser, "N0NE")
    await browser.delete("/v1/auth/business")
    async with a_browser(portal) as admins:
        await sign_in(admins, await an_admin(sessions))
        found = await admins.get("/v1/audit", params={"actor": f"user:{rep.id}"})
    entries = [
        (entry["action"], entry["partner_code"], entry["acting_for"])
        for entry in reversed(found.json()["results"])
        if entry["action"] != "signed in"
    ]
    assert entries == [
        ("started acting for a business", first.partner_code, primary.id),
        ("stopped acting for a business", first.partner_code, primary.id),
        ("started acting for a business", second.partner_code, other.id),
        ("refused to act for a business", second.partner_code, other.id),
        ("stopped acting for a business", second.partner_code, other.id),
    ]


async def test_secrets_are_not_changed_while_acting(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer, _ = await a_served_dealer(sessions, rep)
    await sign_in(browser, rep)
    calls = {
        operation["operationId"]: (method, path.replace("{", "").replace("}", ""))
        for path, methods in portal.openapi()["paths"].items()
        for method, operation in methods.items()
    }
    await choose(browser, dealer.partner_code)
    for name in sorted(REFUSED_WHILE_ACTING):
        answer = await browser.request(*calls[name])
        assert (answer.status_code, answer.json()["code"]) == (403, "acting_for_business"), name
    await browser.delete("/v1/auth/business")
    for name in sorted(REFUSED_WHILE_ACTING):
        assert (await browser.request(*calls[name])).status_code != 403, name


async def test_only_reps_choose(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    assert (await choose(browser, owner.partner_code or "")).status_code == 403
    shown = await me(browser)
    assert (shown["must_choose"], shown["business"]["code"]) == (False, owner.partner_code)


@pytest.mark.parametrize("body", [{}, {"sapBpCode": ""}, {"sapBpCode": "  "}, {"sapBpCode": None}])
async def test_a_choice_names_a_business(
    sessions: Sessions, browser: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    await sign_in(browser, await an_inside_rep(sessions))
    answer = await browser.put("/v1/auth/business", json=body)
    assert answer.status_code == 422
    assert answer.json()["validation_errors"] == [
        {"field": "sapBpCode", "message": "Required field"}
    ]


async def test_prices_of_another_channel_are_refused(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    path = f"/api/business-partners/{owner.partner_code}"
    for channel, status in (("dealer-1", 200), ("msrp", 200), ("dealer-4", 409)):
        answer = await browser.get(path, headers={"X-Channel-Type": channel})
        assert answer.status_code == status
    assert answer.json()["code"] == "wrong_channel"


async def test_the_channel_is_that_of_the_chosen_business(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_outside_rep(sessions)
    code = await a_partner(sessions, channel="dealer-3")
    await let_see(sessions, rep, code)
    await sign_in(browser, rep)
    sent = {"X-Channel-Type": "dealer-3"}
    assert (await browser.get("/v1/auth/user", headers=sent)).status_code == 409
    await choose(browser, code)
    assert (await browser.get("/v1/auth/user", headers=sent)).status_code == 200


async def test_an_administrator_in_a_reps_group_acts_for_any_business(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    async with sessions.begin() as session:
        person = update(PersonRow).where(PersonRow.id == rep.id)
        await session.execute(person.values(access_type=ADMIN_ACCESS))
    dealer = await a_dealer(sessions)
    primary = await a_primary(sessions, dealer)
    await sign_in(browser, rep)
    assert (await choose(browser, dealer.partner_code)).status_code == 200
    assert (await me(browser))["impersonated"]["id"] == primary.id
    assert await chosen(browser) == dealer.partner_code
    async with sessions.begin() as session:
        await session.execute(person.values(access_type=None))
    assert await chosen(browser) is None
