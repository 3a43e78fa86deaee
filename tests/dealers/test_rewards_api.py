"""How a reward comes about, and who sees it."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.dealers.dealers import list_dealers
from db.dealers.rewards import reward_of
from db.identity.people import PersonRow
from db.runs.flows import FlowRow
from domain.dealers.rewards import RewardPolicy, amount_for
from domain.identity.people import User
from tests.drivers.database.plans import plans_of
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.portal import a_browser, running_portal, sign_in
from tests.drivers.rewards import a_reward
from tests.drivers.stage import a_device_key
from workers.rewards import Rewarding

POLICY = RewardPolicy.model_validate({"amounts": {"X1": {"none": "5.01"}}})


async def a_completed_run(
    sessions: Sessions, owner: User, helper: User | None = None, **changed: Any
) -> str:
    """An activation as its projection leaves it."""
    flow_id, now = uuid.uuid4().hex, datetime.now(UTC)
    named = {"installer_id": owner.id, "involved_installer_id": helper.id if helper else None}
    values: dict[str, Any] = {
        "id": flow_id,
        "kind": "activation",
        "version": 2,
        "workflow_id": f"activation-{flow_id}",
        "run_id": "run",
        "rev": 9,
        "seq": 9,
        "state": "completed",
        "allowed": [],
        "view": {
            "type": "new-device",
            "owner": owner.name,
            "position": 2,
            "total": 2,
            "plan": ["power-on-device", "device-rewards"],
            "device": {"product_name": "ft-x1"},
            "facts": {"rewards": named},
        },
        "device_key": a_device_key(),
        "site": "ca",
        "dealer_id": owner.dealer_id,
        "owner_id": owner.id,
        "outcome": "completed",
        "created_at": now,
        "updated_at": now,
        "ended_at": now,
        **changed,
    }
    async with sessions.begin() as session:
        await session.execute(insert(FlowRow).values(**values))
    return flow_id


async def rewarded(sessions: Sessions) -> None:
    rewarding = Rewarding(sessions, POLICY)
    while await rewarding.reward():
        pass


async def earned(
    browser: httpx.AsyncClient, user: User, dealer_id: str | None, **query: str
) -> dict[str, Any]:
    params = {"installer_id": user.id, **query}
    answer = await browser.get(f"/v1/dealers/{dealer_id}/device-rewards", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_completed_activation_earns_once_for_each_who_took_part(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner, helper = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    run = await a_completed_run(sessions, owner, helper)
    await rewarded(sessions)
    await rewarded(sessions)
    await sign_in(browser, owner)
    first, second = (
        await earned(browser, owner, dealer.id),
        await earned(browser, helper, dealer.id),
    )
    assert [one["activation_id"] for one in first["results"]] == [run]
    assert (first["total"], second["total"]) == (2.51, 2.5)
    sums = (await browser.get(f"/v1/dealers/{dealer.id}/reward-sums")).json()
    assert sums["total"] == 5.01
    assert {one["installer_id"]: one["devices"] for one in sums["results"]} == {
        owner.id: 1,
        helper.id: 1,
    }
    payouts = (await browser.get(f"/v1/dealers/{dealer.id}/payouts")).json()
    (month,) = payouts["results"]
    assert (month["amount"], month["devices"], month["state"]) == (5.01, 1, "collecting")


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": "abandoned"},
        {"ended_at": None, "outcome": None},
        {"kind": "firmware"},
        {"dealer_id": None},
        {"view": {"plan": ["power-on-device"], "device": {"product_name": "ft-x1"}, "facts": {}}},
    ],
)
async def test_anything_else_earns_nothing(
    sessions: Sessions, browser: httpx.AsyncClient, changed: dict[str, Any]
) -> None:
    owner = await an_owner(sessions)
    await a_completed_run(sessions, owner, **changed)
    await rewarded(sessions)
    await sign_in(browser, owner)
    assert (await earned(browser, owner, owner.dealer_id))["count"] == 0


async def test_a_day_goes_from_its_start_to_its_end_in_utc(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    await a_reward(sessions, owner, datetime(2026, 3, 1, 23, 59, 59, 999999, tzinfo=UTC))
    await a_reward(sessions, owner, datetime(2026, 3, 2, 0, 0, tzinfo=UTC))
    await sign_in(browser, owner)
    of_day = await earned(
        browser, owner, owner.dealer_id, from_date="2026-03-01", to_date="2026-03-01"
    )
    assert of_day["count"] == 1
    both = await earned(browser, owner, owner.dealer_id, to_date="2026-03-02", limit="1")
    assert (both["count"], len(both["results"])) == (2, 1)
    as_moments = await earned(
        browser,
        owner,
        owner.dealer_id,
        from_date="2026-03-01T00:00:00",
        to_date="2026-03-01T23:59:59",
    )
    assert as_moments == of_day
    for query in (
        {"from_date": "2026-03-02", "to_date": "2026-03-01"},
        {"from_date": "2026-03-01T00:00:00-08:00"},
        {"from_date": "2026-03-01T08:00:00"},
        {"from_date": "2026-03-01T00:00:00Z"},
        {"to_date": "2026-03-01T00:00:00"},
        {"from_date": "03/01/2026"},
    ):
        answer = await browser.get(
            f"/v1/dealers/{owner.dealer_id}/device-rewards",
            params={"installer_id": owner.id, **query},
        )
        assert answer.status_code == 422


async def test_an_installer_sees_their_own_alone(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    hand, colleague = await an_installer(sessions, dealer), await an_installer(sessions, dealer)
    await a_reward(sessions, colleague, datetime(2026, 3, 1, tzinfo=UTC))
    await sign_in(browser, hand)
    path = f"/v1/dealers/{dealer.id}/device-rewards"
    for query in ({}, {"installer_id": ""}):
        answer = await browser.get(path, params=query)
        assert answer.json()["detail"] == "Installer ID is required"
    assert (await browser.get(path, params={"installer_id": colleague.id})).status_code == 404
    assert (await earned(browser, hand, dealer.id))["count"] == 0
    sums = (await browser.get(f"/v1/dealers/{dealer.id}/reward-sums")).json()
    assert (sums["results"], sums["total"]) == ([], 0)
    assert (await browser.get(f"/v1/dealers/{dealer.id}/payouts")).status_code == 403


async def test_what_a_device_earns_is_told_to_whoever_installs_it(
    sessions: Sessions, browser: httpx.AsyncClient, portal: FastAPI
) -> None:
    hand = await an_installer(sessions)
    await sign_in(browser, hand)
    told = (await browser.get(f"/v1/dealers/{hand.dealer_id}/reward-sums")).json()["amounts"]
    policy: RewardPolicy = portal.state.portal.reward_policy
    assert told
    for one in told:
        slug = {"none": None, "any": "a_new_type"}.get(one["plan"], one["plan"])
        assert one["products"]
        for product in one["products"]:
            assert float(amount_for(product, slug, policy)) == one["amount"]
    rows = {family: set(plans) for family, plans in policy.amounts.items()}
    assert {
        family: {one["plan"] for one in told if one["family"] == family} for family in rows
    } == rows
    names = {one["plan"]: one["plan_name"] for one in told}
    assert (names["none"], names["premium_prepaid"]) == (None, "Premium")


async def test_rewards_are_narrowed_by_several_installers_or_a_subscriber(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner = await an_owner(sessions, dealer)
    hands = [await an_installer(sessions, dealer) for _ in range(3)]
    for hand in hands:
        await a_reward(sessions, hand, datetime(2026, 3, 1, tzinfo=UTC))
    subscriber = f"sub-{uuid.uuid4().hex}"
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == hands[2].id).values(subscriber_id=subscriber)
        )
    await sign_in(browser, owner)
    path = f"/v1/dealers/{dealer.id}"

    async def of(part: str, **query: Any) -> dict[str, Any]:
        answer = await browser.get(f"{path}/{part}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    two = await of("device-rewards", installer_id=[hands[0].id, hands[1].id])
    assert {one["installer_id"] for one in two["results"]} == {hands[0].id, hands[1].id}
    assert (two["count"], two["total"]) == (2, 10)
    own = await of("device-rewards", subscriber_id=subscriber)
    assert [one["installer_id"] for one in own["results"]] == [hands[2].id]
    both = await of("device-rewards", subscriber_id=subscriber, installer_id=hands[0].id)
    assert (both["results"], both["count"]) == ([], 0)
    people = await of("installers", subscriber_id=subscriber)
    assert ([one["id"] for one in people["results"]], people["count"]) == ([hands[2].id], 1)
    nobody = {"subscriber_id": "sub-of-nobody"}
    for part in ("device-rewards", "installers", "payouts"):
        none = await of(part, **nobody)
        assert (none["results"], none["count"]) == ([], 0)
    assert (await of("payouts", subscriber_id=subscriber))["count"] == 1
    listed = await browser.get("/v1/dealers", params=nobody)
    assert listed.json() == {"results": [], "count": 0}
    empty = await browser.get(f"{path}/device-rewards?installer_id={hands[0].id}&installer_id=")
    assert empty.json()["detail"] == "Installer ID is required"
    await sign_in(browser, hands[0])
    foreign = {"installer_id": [hands[0].id, hands[1].id]}
    assert (await browser.get(f"{path}/device-rewards", params=foreign)).status_code == 404


async def test_a_swap_within_30_days_takes_the_reward_back_in_the_next_month(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner, device, kept = await an_owner(sessions), a_device_key(), a_device_key()
    earned_at = datetime(2026, 10, 5, 12, tzinfo=UTC)
    run = await a_completed_run(sessions, owner, device_key=device, ended_at=earned_at)
    await a_completed_run(sessions, owner, device_key=kept, ended_at=earned_at - timedelta(days=31))
    await rewarded(sessions)
    for old in (device, kept):
        swap = {
            "plan": ["replace-device"],
            "device": {"product_name": "ft-x1"},
            "facts": {"replaced": {"old_device_key": old, "new_device_key": a_device_key()}},
        }
        for _ in range(2):
            await a_completed_run(
                sessions, owner, ended_at=earned_at + timedelta(days=29), view=swap
            )
    await rewarded(sessions)
    async with sessions() as session:
        assert await reward_of(session, run, owner.id) == 0
    await sign_in(browser, owner)
    shown = await earned(browser, owner, owner.dealer_id)
    assert [(one["kind"], one["amount"], one["earned_at"][:10]) for one in shown["results"]] == [
        ("taken_back", -5.01, "2026-12-01"),
        ("earned", 5.01, "2026-10-05"),
        ("earned", 5.01, "2026-09-04"),
    ]
    sums = (await browser.get(f"/v1/dealers/{owner.dealer_id}/reward-sums")).json()
    assert {one["month"]: (one["amount"], one["devices"]) for one in sums["results"]} == {
        "2026-12": (-5.01, 0),
        "2026-10": (5.01, 1),
        "2026-09": (5.01, 1),
    }


async def test_the_people_of_a_subscriber_are_found_by_an_index(sessions: Sessions) -> None:
    async def ask(session: AsyncSession) -> None:
        await list_dealers(session, None, subscriber_id="s-1", limit=10, offset=0)

    assert "ix_person_subscriber_id" in await plans_of(sessions, ask)


async def test_what_was_earned_before_the_portal_paid_is_in_no_month_to_come(
    sessions: Sessions, database_url: str
) -> None:
    owner = await an_owner(sessions)
    for month in (2, 3):
        await a_reward(sessions, owner, datetime(2026, month, 9, tzinfo=UTC))
    async with (
        running_portal(database_url, payouts_from="2026-03") as app,
        a_browser(app) as browser,
    ):
        await sign_in(browser, owner)
        told = (await browser.get(f"/v1/dealers/{owner.dealer_id}/payouts")).json()
    assert (told["count"], [one["month"] for one in told["results"]]) == (1, ["2026-03"])
