"""Plans at the caller's prices, what a device may have, and the subscriptions of a business."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from db.base import Sessions
from db.partner_tables import PartnerRow
from db.plans.plans import mark_suspended, move_subscription, present_subscriptions, subscribe
from domain.devices.devices import Product
from domain.plans.plans import FOUR, Subscription, Term, plan_id
from tests.drivers.factories import Dealer, a_dealer, a_name, an_installer
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole, problem
from tests.plans.purchases.buying import Buyer, a_buyer


async def a_subscription(
    sessions: Sessions,
    dealer: Dealer,
    *,
    device: str | None = None,
    days_left: int = 100,
    rank: int = 2,
) -> str:
    """A year of a plan, of a new device or of this one; answers the device."""
    key, now, kind = device or a_device_key(), datetime.now(UTC), FOUR[rank - 1]
    ends_at = now + timedelta(days=days_left, hours=1)
    async with sessions.begin() as session:
        await subscribe(
            session,
            Subscription(
                id=f"test:{a_name()}",
                device_key=key,
                product_name="ft-x1",
                plan_id=plan_id(kind.slug, Term.ONE_YEAR),
                plan_slug=kind.slug,
                plan_name=kind.name,
                rank=kind.rank,
                term=Term.ONE_YEAR,
                starts_at=ends_at - timedelta(days=365),
                ends_at=ends_at,
                worth=Decimal("73.00"),
                partner_code=dealer.partner_code,
                dealer_id=dealer.id,
                owner_id=None,
                purchase_id=None,
            ),
        )
    return key


async def suspended(sessions: Sessions, device: str) -> None:
    """What its price was paid with came back, and was not paid again."""
    async with sessions.begin() as session:
        (plan,) = (await present_subscriptions(session, [device])).values()
        await mark_suspended(session, plan.id, is_suspended=True)


async def subscriptions(buyer: Buyer, **query: str) -> list[dict[str, object]]:
    answer = await buyer.browser.get("/v1/subscriptions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


async def test_the_plans_are_listed_at_the_prices_of_the_channel(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    async with whole.sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == dealer.partner_code)
            .values(channel_slug="dealer-4")
        )
    async with a_buyer(whole, dealer=dealer) as buyer:
        answer = (await buyer.browser.get("/v1/plans")).json()
        assert answer["channel"] == "dealer-4"
        assert [group["slug"] for group in answer["results"]] == [one.slug for one in FOUR]
        for group in answer["results"]:
            assert len(group["terms"]) == len(Term)
            for term in group["terms"]:
                assert term["amount"] == pytest.approx(term["list_amount"] * 0.6, abs=0.01)


async def test_one_plan_is_found_by_its_id_and_a_retired_one_says_so(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        one = (await buyer.browser.get("/v1/plan/premium_prepaid-1_year")).json()
        assert (one["display_name"], one["months"], one["is_retired"]) == ("Premium", 12, False)
        old = (await buyer.browser.get("/v1/plan/classic_prepaid-1_year")).json()
        assert old["is_retired"] is True
        missing = await buyer.browser.get("/v1/plan/premium_prepaid-9_year")
        assert problem(missing) == (404, "plan_missing")


async def test_upgrades_are_grouped_by_type_and_lower_plans_are_none(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        key = await a_subscription(whole.sessions, buyer.dealer, rank=3)
        answer = await buyer.browser.get("/api/plans/upgrade", params={"device_key": key})
        found = answer.json()
        assert found["present"]["plan_slug"] == "premium_plus_prepaid"
        assert [group["type"] for group in found["results"]] == [
            "premium_plus_prepaid",
            "ultimate_prepaid",
        ]
        assert {plan["change"] for plan in found["results"][1]["plans"]} == {"upgrade"}


async def test_the_device_of_another_business_has_no_upgrades(whole: Whole) -> None:
    other = await a_dealer(whole.sessions)
    key = await a_subscription(whole.sessions, other)
    async with a_buyer(whole) as buyer:
        answer = await buyer.browser.get("/api/plans/upgrade", params={"device_key": key})
        assert problem(answer) == (404, "unknown_device")


async def test_subscriptions_come_by_their_end_and_by_state(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        left = {days: await a_subscription(whole.sessions, buyer.dealer, days_left=days)
                for days in (200, 10, -5)}  # fmt: skip
        await a_subscription(whole.sessions, await a_dealer(whole.sessions))
        found = await subscriptions(buyer)
        assert [one["device_key"] for one in found] == [left[-5], left[10], left[200]]
        assert [one["state"] for one in found] == ["ended", "ending", "active"]
        (ending,) = await subscriptions(buyer, state="ending")
        assert (ending["device_key"], ending["days_left"]) == (left[10], 10)
        first = (await buyer.browser.get("/v1/subscriptions", params={"limit": "2"})).json()
        rest = await subscriptions(buyer, cursor=first["end_cursor"])
        assert [one["device_key"] for one in rest] == [left[200]]
        assert first["counts"] == {"active": 1, "ending": 1, "suspended": 0, "ended": 1}
        query = {"state": "ending", "starts_with": left[10]}
        narrowed = (await buyer.browser.get("/v1/subscriptions", params=query)).json()
        assert narrowed["counts"] == {"active": 0, "ending": 1, "suspended": 0, "ended": 0}
        later = {"cursor": first["end_cursor"]}
        assert (await buyer.browser.get("/v1/subscriptions", params=later)).json()["counts"] is None
        file = (await buyer.browser.get("/v1/subscriptions.csv", params={"language": "fr"})).text
        head, *rows = csv.reader(io.StringIO(file.removeprefix("\ufeff")))
        assert (head[0], [row[0] for row in rows]) == ("Appareil", [left[-5], left[10], left[200]])
        one = await buyer.browser.get("/v1/subscriptions.csv", params={"state": "ended"})
        assert [row[4] for row in csv.reader(io.StringIO(one.text))] == ["State", "ended"]


async def test_retired_people_see_no_subscriptions(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    async with whole.signed_in(
        await an_installer(whole.sessions, dealer, is_retired=True)
    ) as caller:
        answer = await caller.browser.get("/v1/subscriptions")
        assert answer.status_code == 403


async def test_a_plan_goes_on_with_the_device_that_takes_the_others_place(whole: Whole) -> None:
    async with a_buyer(whole) as buyer:
        old, new = await a_subscription(whole.sessions, buyer.dealer), a_device_key("FT-X2")
        for _ in range(2):
            async with whole.sessions.begin() as session:
                await move_subscription(session, old, new, Product.FT_X2)
        (found,) = await subscriptions(buyer)
        assert (found["device_key"], found["product_name"]) == (new, "ft-x2")


async def test_a_plan_that_is_not_paid_is_told_as_suspended_wherever_it_is_shown(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        key = await a_subscription(whole.sessions, buyer.dealer, days_left=10)
        await suspended(whole.sessions, key)
        assert await subscriptions(buyer, state="ending") == []
        (shown,) = await subscriptions(buyer, state="suspended")
        assert (shown["device_key"], shown["state"]) == (key, "suspended")
        file = await buyer.browser.get("/v1/subscriptions.csv")
        assert [row[4] for row in csv.reader(io.StringIO(file.text))] == ["State", "suspended"]
        device = await buyer.browser.get(f"/v1/devices/{key}")
        assert device.json()["is_plan_suspended"]
        await a_subscription(whole.sessions, buyer.dealer, device=key)
        device = await buyer.browser.get(f"/v1/devices/{key}")
        assert not device.json()["is_plan_suspended"], "another plan has taken its place"
