"""What cannot be bought is refused, and never charged."""

from typing import Any

import pytest

from domain.plans.plans import MOST_LINES
from tests.billing.payments.factories import a_main_card, a_method, hide
from tests.drivers.factories import a_dealer
from tests.drivers.portal import a_key
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole, another_portal, problem
from tests.plans.purchases.buying import PREMIUM, SHIP_TO, Buyer, a_buyer, devices, stubborn
from tests.plans.test_api import a_subscription


async def nothing_was_charged(buyer: Buyer) -> None:
    """Neither at the provider, nor as a receipt of ours."""
    answer = await buyer.browser.get("/v1/payments")
    assert answer.json()["count"] == 0


def line(device: str, plan: str = PREMIUM) -> dict[str, str]:
    return {"device_key": device, "plan_id": plan}


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], "no_lines"),
        ([line("FT-X1-00000001"), line("ft-x1-00000001")], "same_device_twice"),
    ],
    ids=["none", "the same device twice"],
)
async def test_lines_that_make_no_purchase(
    whole: Whole, lines: list[dict[str, str]], code: str
) -> None:
    async with a_buyer(whole) as buyer:
        for validate in ({}, {"validate": "true"}):
            answer = await buyer.browser.post(
                "/v1/payments", json={"line_items": lines}, params=validate, headers=a_key()
            )
            assert problem(answer) == (422, code)
        await nothing_was_charged(buyer)


@pytest.mark.parametrize("count", [MOST_LINES + 1, 5_000])
async def test_too_many_lines_are_not_even_read(whole: Whole, count: int) -> None:
    async with a_buyer(whole) as buyer:
        lines = [line(f"FT-X1-{n:08d}") for n in range(count)]
        answer = await buyer.browser.post("/v1/payments", json={"line_items": lines})
        assert answer.status_code in (400, 413), answer.text
        await nothing_was_charged(buyer)


@pytest.mark.parametrize(
    "flag", ["TRUE", "1", "yes", "", "True"], ids=["TRUE", "1", "yes", "empty", "True"]
)
async def test_an_unclear_flag_charges_nobody(whole: Whole, flag: str) -> None:
    async with a_buyer(whole) as buyer:
        sent = {"line_items": [line(devices()[0])], "address": SHIP_TO}
        answer = await buyer.browser.post("/v1/payments", json=sent, params={"validate": flag})
        assert answer.status_code == 422, answer.text
        await nothing_was_charged(buyer)


@pytest.mark.parametrize(
    "query",
    ["Validate=true", "validate=yes please", "vaildate=true", "validate[]=true", "mock=true"],
)
async def test_a_flag_that_is_not_understood_charges_nobody(whole: Whole, query: str) -> None:
    async with a_buyer(whole) as buyer:
        sent = {"line_items": [line(devices()[0])], "address": SHIP_TO}
        answer = await buyer.browser.post(f"/v1/payments?{query}", json=sent)
        assert answer.status_code == 422, answer.text
        assert answer.json()["validation_errors"]
        await nothing_was_charged(buyer)


async def test_a_flag_that_is_given_twice_charges_nobody(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        sent = {"line_items": [line(devices()[0])], "address": SHIP_TO}
        answer = await buyer.browser.post("/v1/payments?validate=true&validate=false", json=sent)
        assert answer.status_code == 422, answer.text
        await nothing_was_charged(buyer)


async def refused_lines(buyer: Buyer, lines: dict[str, str]) -> dict[str, Any]:
    """Bought in one call, which is refused for its lines."""
    answer = await buyer.pay(lines)
    if answer.status_code == 202:
        run = await buyer.until(answer.json()["id"], lambda one: one["view"]["error"])
        failed = [one for one in run["view"]["lines"] if one["problem"]]
        return {one["device_key"]: one["problem"] for one in failed}
    assert problem(answer) == (409, "line_items")
    return {one["device_key"]: one["code"] for one in answer.json()["line_items"]}


async def test_foreign_unknown_and_blocked_devices_are_named_and_never_charged(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        foreign = await a_subscription(whole.sessions, await a_dealer(whole.sessions))
        other_dealers = devices()[0]
        await whole.stage.control(other_dealers, owner_dealer_id="somebody")
        unknown, blocked = a_device_key(traits="900"), a_device_key(traits="800")
        found = await refused_lines(
            buyer, dict.fromkeys([foreign, other_dealers, unknown, blocked], PREMIUM)
        )
        assert found == {
            foreign: "unknown_device",
            other_dealers: "unknown_device",
            unknown: "unknown_device",
            blocked: "device_blocked",
        }
        await nothing_was_charged(buyer)


@pytest.mark.parametrize("card", [None, "US", "CA"])
async def test_a_device_that_is_not_for_canada_is_sold_no_plan_by_who_pays_as_a_canadian(
    whole: Whole, card: str | None
) -> None:
    """On the Canadian site, by a business without a default card, or with one of that country."""
    async with a_buyer(whole) as buyer:
        if card is not None:
            await a_main_card(whole.sessions, buyer.dealer.partner_code, country=card)
        device = a_device_key(traits="600")
        if card == "US":
            assert (await buyer.quoted({device: PREMIUM}))["uuid"]
        else:
            assert await refused_lines(buyer, {device: PREMIUM}) == {device: "region_refused"}
        await nothing_was_charged(buyer)


async def test_retired_unknown_and_unsuitable_plans_are_named(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        one, other = devices(2)
        small = stubborn("00000000", 5, product="FT-XC")
        found = await refused_lines(
            buyer,
            {one: "classic_prepaid-1_year", other: "gold-1_year", small: "ultimate_prepaid-1_year"},
        )
        assert found == {
            one: "plan_retired",
            other: "plan_unknown",
            small: "plan_unsuitable",
        }
        await nothing_was_charged(buyer)


async def test_the_card_of_another_business_pays_nothing(whole: Whole) -> None:
    foreign = await a_method(whole.sessions)
    async with a_buyer(whole) as buyer:
        answer = await buyer.pay({devices()[0]: PREMIUM}, card_id=foreign.id)
        assert problem(answer) == (404, "payment_method_missing")
        quote = await buyer.quoted({devices()[0]: PREMIUM})
        answer = await buyer.confirmed(quote["uuid"], foreign.id)
        assert problem(answer) == (404, "payment_method_missing")
        await nothing_was_charged(buyer)


async def test_a_hidden_card_pays_nothing(whole: Whole) -> None:
    """Neither by its name nor as the main one, which one of an earlier release may be."""
    async with a_buyer(whole) as buyer:
        quote = await buyer.quoted({devices()[0]: PREMIUM})
        await hide(whole.sessions, buyer.card)
        confirmed = await buyer.confirmed(quote["uuid"], buyer.card)
        assert problem(confirmed) == (404, "payment_method_missing")
        chosen = await buyer.ask(quote["uuid"], "payment", type="CARD", method_id=buyer.card)
        assert problem(chosen) == (404, "payment_method_missing")
        named = await buyer.pay({devices()[0]: PREMIUM}, card_id=buyer.card)
        assert problem(named) == (404, "payment_method_missing")
        unnamed = await buyer.pay({devices()[0]: PREMIUM})
        assert problem(unnamed) == (409, "no_card")
        await nothing_was_charged(buyer)


async def test_with_card_payments_off_no_card_pays_for_a_plan(whole: Whole) -> None:
    """Neither by its name nor as the main one of its business."""
    async with another_portal(whole, card_payments=False) as off, a_buyer(off) as buyer:
        named = await buyer.pay({devices()[0]: PREMIUM}, card_id=buyer.card)
        assert problem(named) == (404, "payment_method_missing")
        unnamed = await buyer.pay({devices()[0]: PREMIUM})
        assert problem(unnamed) == (409, "no_card")
        await nothing_was_charged(buyer)


async def test_terms_pay_for_no_plan(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        quote = await buyer.quoted({devices()[0]: PREMIUM})
        answer = await buyer.ask(quote["uuid"], "confirm", quote_hash="0" * 64, type="TERMS")
        assert problem(answer) == (409, "payment_type_refused")


async def test_figures_that_nobody_was_shown_are_not_charged(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        quote = await buyer.quoted({devices()[0]: PREMIUM})
        answer = await buyer.ask(quote["uuid"], "confirm", quote_hash="0" * 64)
        assert problem(answer) == (409, "quote_changed")
        other = await buyer.pay({devices()[0]: PREMIUM}, quote_uuid=quote["uuid"])
        assert problem(other) == (409, "quote_changed")
        await nothing_was_charged(buyer)


async def test_a_quote_that_has_ended_charges_nothing(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        (device,) = devices()
        quote = await buyer.quoted({device: PREMIUM})
        await buyer.ask(quote["uuid"], "cancel")
        await buyer.until(quote["uuid"], "cancelled")
        answer = await buyer.pay({device: PREMIUM}, quote_uuid=quote["uuid"])
        assert problem(answer) == (410, "quote_expired")
        await nothing_was_charged(buyer)


async def test_a_postal_code_of_another_country_is_declined(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        wrong = {**SHIP_TO, "country": "US", "country_area": "TX"}
        answer = await buyer.pay({devices()[0]: PREMIUM}, address=wrong)
        assert problem(answer) == (409, "declined")
        assert "The Ship To zip code" in answer.json()["detail"]
        await nothing_was_charged(buyer)
