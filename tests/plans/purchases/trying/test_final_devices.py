"""A purchase that waits for some of its devices keeps no other one back: those that are final are free, and their buyer knows."""

from typing import Any

from sqlalchemy import select

from db.plans.plans import present_subscriptions
from db.runs.device_reservations import ReservationRow
from domain.plans.purchase_mails import RECEIPT, SOME_FAILED
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.plans.purchases.buying import BASIC, ONCE, a_buyer, devices, stubborn
from tests.plans.purchases.runs import (
    PREMIUM,
    a_hopeless_line,
    a_line,
    a_stubborn_line,
    begun,
    ended,
    quoted,
)
from tests.plans.purchases.stories import ALWAYS


async def test_a_settled_device_takes_another_plan_while_a_failed_one_is_kept(whole: Whole) -> None:
    stage, good = whole.stage, a_line(plan_id=BASIC)
    hopeless, bad = await a_hopeless_line(stage), await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, good, hopeless, bad, at_once=True)
    await run.until("part_failed")
    await until(run.held, lambda held: held == {bad.device_key})

    requests = [a_line(one.device_key, PREMIUM) for one in (good, hopeless, bad)]
    other = await quoted(stage, *requests, buyer=run.buyer)
    problems = [line.problem for line in (await other.view()).lines]
    assert problems == [None, None, "in_other_purchase"]
    assert await other.cancel() is None
    await ended(await begun(stage, requests[0], buyer=run.buyer, at_once=True), "confirmed")

    assert await run.give_up() is None
    await ended(run, "confirmed")
    assert await run.held() == set()
    assert (await stage.effects(good.device_key))["set-plan"] == 2
    async with stage.sessions() as session:
        present = await present_subscriptions(session, [good.device_key])
    assert present[good.device_key].plan_id == PREMIUM


async def test_a_device_is_free_before_those_after_it_are_set_up(whole: Whole) -> None:
    """Five are set up at a time."""
    stage, lines = whole.stage, [a_line() for _ in range(6)]
    run = await begun(stage, *lines, at_once=True)
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        found = await session.scalars(
            select(ReservationRow).where(ReservationRow.flow_id == run.start.id)
        )
        released = {row.device_key: row.released_at for row in found}
    *first, last = (released[line.device_key] for line in lines)
    assert last is not None
    assert len(set(first)) == 1
    assert first[0] is not None
    assert first[0] < last


async def test_who_waits_for_a_device_has_the_receipt_of_the_others_and_knows_how_it_is(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        good, bad = devices()[0], stubborn(ONCE, 5)
        for key in (good, bad):
            chosen = {"device_key": key, "plan_id": BASIC}
            assert (await buyer.browser.put("/v1/plan-lines", json=chosen)).is_success
        quote = await buyer.quoted({good: BASIC, bad: BASIC})
        await buyer.confirmed(quote["uuid"], buyer.card)
        await buyer.until(quote["uuid"], "part_failed")

        async def cart() -> list[str]:
            answer = await buyer.browser.get("/v1/plan-lines")
            return [line["device_key"] for line in answer.json()["results"]]

        async def mails() -> list[dict[str, Any]]:
            return await whole.stage.mails(buyer.user.email)

        await until(cart, lambda left: left == [bad])
        receipt = await buyer.receipt(quote["uuid"])
        assert [line["status"] for line in receipt["lines"]] == ["provisioned", "failed"]
        assert receipt["completed_at"] is None
        (mail,) = await until(mails)
        assert mail["subject"] == SOME_FAILED
        set_up, failed, *_ = mail["text"].split("\n\n")
        assert (good in set_up, bad in set_up) == (True, False)
        assert (good in failed, bad in failed) == (False, True)
        assert f"uuid={quote['uuid']}" in mail["text"]

        chosen = {"device_key": good, "plan_id": PREMIUM}
        assert (await buyer.browser.put("/v1/plan-lines", json=chosen)).is_success
        await buyer.ask(quote["uuid"], "retry", device_keys=[bad])
        await buyer.until(quote["uuid"], "confirmed")
        assert await cart() == [good], "chosen since it is free"
        receipt = await buyer.receipt(quote["uuid"])
        assert {line["status"] for line in receipt["lines"]} == {"provisioned"}
        assert receipt["completed_at"] is not None
        last = (await until(mails, lambda all_: len(all_) == 2))[-1]
        assert last["subject"] == RECEIPT
        assert good in last["text"]
        assert bad in last["text"]
