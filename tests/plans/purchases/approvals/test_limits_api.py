"""Purchases of plans by somebody with limits: counted, waiting for an owner, inside an activation (decision 64)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from domain.identity.people import User
from tests.catalogue.people import signed_in
from tests.checkout.cart.buyers import refusal
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.plans.purchases.buying import PREMIUM, Buyer, a_buyer, devices
from tests.plans.purchases.test_activation_api import at_the_choice

PARALLEL = 20


@asynccontextmanager
async def a_purchaser(
    whole: Whole, **limits: Any
) -> AsyncGenerator[tuple[Buyer, httpx.AsyncClient, User]]:
    """A purchaser with these limits, and the browser of an owner who set them."""
    dealer = await a_dealer(whole.sessions)
    async with a_buyer(whole, dealer=dealer) as owner:
        user = await an_installer(whole.sessions, dealer, is_purchaser=True)
        set_ = await owner.browser.patch(f"/v1/installer/{user.id}/limits", json=limits)
        assert set_.status_code == 200, set_.text
        async with signed_in(whole.app, user) as browser:
            yield Buyer(whole, browser, user, dealer, owner.card), owner.browser, owner.user


async def say(
    browser: httpx.AsyncClient, uuid: str, said: str, note: str = "Fine"
) -> httpx.Response:
    return await browser.post(f"/v1/purchases/{uuid}/{said}", json={"note": note}, headers=a_key())


async def ordered(owner: httpx.AsyncClient, person: User) -> float:
    return (await owner.get(f"/v1/installer/{person.id}/limits")).json()["ordered"]


async def test_a_purchase_above_the_limit_waits_for_an_owner(whole: Whole) -> None:
    async with a_purchaser(whole, approval_above=10) as (buyer, owner, who):
        (device,) = devices()
        answer = await buyer.pay({device: PREMIUM}, approval_reason="For the van")
        assert answer.status_code == 202, answer.text
        uuid = answer.json()["id"]
        run = await buyer.until(uuid, "waiting_for_approval")
        total = run["view"]["final_charge"]
        assert run["view"]["approval"]["reason"] == "For the van"
        (listed,) = (await owner.get("/v1/approvals")).json()["results"]
        assert (listed["kind"], listed["token"], listed["total"], listed["mine"]) == (
            "purchase",
            uuid,
            total,
            False,
        )
        assert await ordered(owner, buyer.user) == total
        assert [one["id"] for one in await buyer.open_purchases()] == [uuid]
        asked = await until(lambda: whole.stage.mails(who.email), lambda mails: bool(mails))
        assert f"/approvals/{uuid}?kind=purchase" in str(asked[0])
        assert (await say(buyer.browser, uuid, "approve")).status_code == 403
        other = await an_owner(whole.sessions, await a_dealer(whole.sessions))
        async with signed_in(whole.app, other) as foreign:
            assert (await say(foreign, uuid, "approve")).status_code == 404
        assert (await say(owner, uuid, "reject", "")).status_code == 422
        assert await buyer.cents(uuid) == 0
        said = await asyncio.gather(say(owner, uuid, "approve"), say(owner, uuid, "approve"))
        assert {200, 202} & {one.status_code for one in said}
        done = await buyer.until(uuid, "confirmed")
        assert done["view"]["approval"]["answered_by"] == who.name
        assert await buyer.plan_of(device) == PREMIUM
        assert refusal(await say(owner, uuid, "reject")) == (409, "approval_answered")
        assert (await owner.get("/v1/approvals")).json()["results"] == []


async def test_what_is_rejected_counts_no_more(whole: Whole) -> None:
    async with a_purchaser(whole, approval_above=10) as (buyer, owner, _):
        uuid = (await buyer.pay(dict.fromkeys(devices(), PREMIUM))).json()["id"]
        await buyer.until(uuid, "waiting_for_approval")
        assert (await say(owner, uuid, "reject", "Not now")).status_code in (200, 202)
        run = await buyer.until(uuid, "rejected")
        assert run["view"]["approval"]["note"] == "Not now"
        assert await buyer.cents(uuid) == 0
        assert await ordered(owner, buyer.user) == 0


async def test_no_limit_is_passed_by_twenty_at_once(whole: Whole) -> None:
    async with a_purchaser(whole, per_month=10_000) as (buyer, owner, _):
        one = await buyer.pay(dict.fromkeys(devices(), PREMIUM))
        assert one.status_code == 200, one.text
        each = one.json()["final_charge"]
        limit = round(3.5 * each, 2)
        await owner.patch(f"/v1/installer/{buyer.user.id}/limits", json={"per_month": limit})
        said = await asyncio.gather(*(buyer.pay({device: PREMIUM}) for device in devices(PARALLEL)))
        runs = [
            await buyer.until(
                found["flow"]["id"] if "flow" in found else found.get("uuid") or found["id"],
                lambda run: run["state"] == "confirmed" or run["view"]["error"],
            )
            for found in (answer.json() for answer in said)
        ]
        bought = [run for run in runs if run["state"] == "confirmed"]
        assert len(bought) == 2
        refused = {run["view"]["error"]["code"] for run in runs if run not in bought}
        assert refused == {"over_month_limit"}
        assert await ordered(owner, buyer.user) == round(3 * each, 2) <= limit


async def test_over_the_limit_nothing_is_bought_in_anybodys_name(whole: Whole) -> None:
    async with a_purchaser(whole, per_order=1) as (buyer, owner, who):
        (device,) = devices()
        quoted = await buyer.quoted({device: PREMIUM})
        run = await buyer.until(quoted["uuid"], "quoted")
        assert run["view"]["over_limit"]["code"] == "over_order_limit"
        answer = await buyer.pay({device: PREMIUM}, quote_uuid=quoted["uuid"])
        assert refusal(answer) == (409, "over_order_limit")
        owners = Buyer(whole, owner, who, buyer.dealer, buyer.card)
        theirs = await owners.quoted({device: PREMIUM})
        assert refusal(await buyer.confirmed(theirs["uuid"])) == (409, "not_own_purchase")
        bought = await buyer.pay({device: PREMIUM}, quote_uuid=theirs["uuid"])
        assert refusal(bought) == (409, "not_own_purchase")
        assert await buyer.cents(theirs["uuid"]) == 0


async def test_an_activation_waits_for_the_approval_of_its_plan(whole: Whole) -> None:
    async with a_purchaser(whole, approval_above=10) as (buyer, owner, _):
        caller, flow, device = await at_the_choice(buyer)
        await caller.send(
            flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM, reason="In the bay"
        )
        flow = await caller.until(flow["id"], lambda f: f["state"] == "purchase-plan/waiting")
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        run = await buyer.until(bought, "waiting_for_approval")
        assert run["view"]["approval"]["reason"] == "In the bay"
        assert (await say(owner, bought, "approve")).status_code in (200, 202)
        flow = await caller.until(flow["id"], lambda f: f["state"] == "complete-activation")
        assert flow["view"]["plan_purchased"] is True
        assert await buyer.plan_of(device) == PREMIUM
