"""Plans in the cart, as the calls tell them (shop spec 3, "Subscription cart line")."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.plans.lines import choose_plan, drop_plan_lines
from domain.identity.people import User
from domain.plans.lines import Chosen
from domain.plans.plans import MOST_LINES
from tests.checkout.cart.buyers import a_buyer, buying, refusal
from tests.drivers.factories import (
    a_consumer,
    a_dealer,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.stage import a_device_key

LINES = "/v1/plan-lines"
DEVICE, OTHER = "FT-X1-00000042", "FT-X2-00000043"
PREMIUM, BASIC = "premium_prepaid-1_year", "basic_prepaid-month_to_month"


async def choose(browser: httpx.AsyncClient, device_key: str, plan_id: str) -> httpx.Response:
    return await browser.put(LINES, json={"device_key": device_key, "plan_id": plan_id})


def plans_of(answer: httpx.Response) -> dict[str, str]:
    """Plan by device."""
    assert answer.status_code == 200, answer.text
    lines: list[dict[str, Any]] = answer.json()["results"]
    return {line["device_key"]: line["plan_id"] for line in lines}


async def test_a_plan_is_chosen_changed_and_taken_out(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert (await browser.get(LINES)).json() == {"results": [], "count": 0}
        await choose(browser, DEVICE.lower(), BASIC)
        await choose(browser, OTHER, PREMIUM)
        answer = await choose(browser, DEVICE, PREMIUM)
        assert plans_of(answer) == {DEVICE: PREMIUM, OTHER: PREMIUM}
        assert answer.json()["results"][0] == {
            "device_key": DEVICE,
            "productName": None,  # this portal's device network does not answer
            "plan_id": PREMIUM,
            "new_plan_name": "Premium Prepaid",
            "newPricingPlan": {
                "slug": "premium_prepaid",
                "term": "1_year",
                "display_name": "Premium",
            },
        }
        left = await browser.delete(f"{LINES}/{DEVICE}")
        assert plans_of(left) == {OTHER: PREMIUM}
        assert (await browser.delete(f"{LINES}/{DEVICE}")).json() == left.json()
        assert (await browser.get(LINES)).json() == left.json()


async def test_two_choices_at_once_are_both_kept(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        keys = [a_device_key() for _ in range(5)]
        await asyncio.gather(*(choose(browser, key, BASIC) for key in keys))
        assert plans_of(await browser.get(LINES)) == dict.fromkeys(keys, BASIC)


async def test_no_more_than_one_purchase_takes(portal: FastAPI, sessions: Sessions) -> None:
    buyer = await a_buyer(sessions)
    async with sessions.begin() as session:
        for number in range(MOST_LINES):
            chosen = Chosen(device_key=f"FT-X1-{number:08}", plan_id=BASIC)
            await choose_plan(session, buyer.id, buyer.partner_code or "", chosen)
    async with buying(portal, buyer) as browser:
        assert refusal(await choose(browser, "FT-X1-99999999", BASIC)) == (409, "too_many_plans")
        assert (await choose(browser, "FT-X1-00000000", PREMIUM)).is_success


async def test_nobody_sees_the_choice_of_a_colleague(portal: FastAPI, sessions: Sessions) -> None:
    dealer = await a_dealer(sessions)
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        await choose(browser, DEVICE, PREMIUM)
    async with buying(portal, await an_owner(sessions, dealer)) as browser:
        assert plans_of(await browser.get(LINES)) == {}


async def test_what_was_bought_is_left_out(portal: FastAPI, sessions: Sessions) -> None:
    buyer = await a_buyer(sessions)
    async with buying(portal, buyer) as browser:
        await choose(browser, DEVICE, PREMIUM)
        await choose(browser, OTHER, PREMIUM)
        async with sessions.begin() as session:
            await drop_plan_lines(session, buyer.id, buyer.partner_code or "", [DEVICE])
        assert plans_of(await browser.get(LINES)) == {OTHER: PREMIUM}


@pytest.mark.parametrize(
    ("device_key", "plan_id", "expected"),
    [
        ("FT--X1", PREMIUM, (422, "malformed_device_key")),
        (DEVICE, "golden_prepaid-1_year", (404, "plan_missing")),
        (DEVICE, "classic_prepaid-1_year", (404, "plan_missing")),
        (DEVICE, "premium_prepaid", (404, "plan_missing")),
        (DEVICE, "", (422, "invalid")),
    ],
)
async def test_what_cannot_be_chosen(
    portal: FastAPI, sessions: Sessions, device_key: str, plan_id: str, expected: tuple[int, str]
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert refusal(await choose(browser, device_key, plan_id)) == expected
        assert plans_of(await browser.get(LINES)) == {}


async def test_a_consumer_may_choose_plans(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_consumer(sessions)) as browser:
        assert plans_of(await choose(browser, DEVICE, BASIC)) == {DEVICE: BASIC}


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (an_installer, (403, "no_purchasing_rights")),
        (an_inside_rep, (409, "business_needed")),
        (an_outside_rep, (403, "may_not_buy_plans")),
    ],
)
async def test_who_may_not_choose(
    portal: FastAPI, sessions: Sessions, who: Any, expected: tuple[int, str]
) -> None:
    person: User = await who(sessions)
    async with buying(portal, person) as browser:
        assert refusal(await choose(browser, DEVICE, BASIC)) == expected
        assert plans_of(await browser.get(LINES)) == {}
