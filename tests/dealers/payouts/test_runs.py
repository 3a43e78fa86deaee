"""Runs of payouts over real Temporal, PostgreSQL and the provider's ledger."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event
from temporalio.client import Client

from activities.dealers import payouts as paying
from db.dealers import payouts as rows
from db.dealers.payout_accounts import account_of_dealer, save_account
from domain.dealers.payouts import MOVES, PayoutRef, PayoutState
from providers.cards.connect import Connect
from providers.errors import Refused
from tests.dealers.payouts.factories import (
    MONTH,
    a_dealer_to_pay,
    an_account,
    balance,
    earnings,
    ledger,
    mails,
    payout_of,
)
from tests.dealers.payouts.stories import begun, made
from tests.drivers.factories import a_name
from tests.drivers.stage import Stage
from workers.release.schedules import PAYOUTS, bring
from workers.worker import make_worker
from workflows.payouts import Paying, PayoutPolicy, Progress


class Killed(Exception):
    """The process is gone at this point: what it has done is done, and nobody is told of it."""


Point = tuple[Any, str, bool]
"""What is called, and whether it has been done when the process dies."""

POINTS: dict[str, Point] = {
    "before the month is made": (rows, "freeze_month", False),
    "before who is asked is written": (rows, "note_asked", False),
    "before it is sent": (Connect, "send", False),
    "after it was sent": (Connect, "send", True),
    "after it was settled": (paying.PayoutActivities, "_record_outcome", True),
    "before owners are told": (paying, "find_dealer", False),
}


@asynccontextmanager
async def another_worker(stage: Stage, queue: str) -> AsyncGenerator[None]:
    async with make_worker(
        stage.client,
        task_queue=queue,
        sessions=stage.sessions,
        systems=stage.systems,
        portal_url="http://portal.test",
        max_cached_workflows=0,
    ):
        yield


def dying_once(real: Callable[..., Awaitable[Any]], *, is_done: bool) -> Any:
    died: list[bool] = []

    async def at_the_point(*args: Any, **named: Any) -> Any:
        if died:
            return await real(*args, **named)
        died.append(True)
        if is_done:
            with suppress(Refused):
                await real(*args, **named)
        raise Killed

    return at_the_point


@pytest.mark.parametrize("point", POINTS)
async def test_killed_anywhere_each_dealer_is_paid_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    place, name, is_done = POINTS[point]
    monkeypatch.setattr(place, name, dying_once(getattr(place, name), is_done=is_done))
    owners = [
        await a_dealer_to_pay(stage, "12.34", "0.01", "-2.00"),
        await a_dealer_to_pay(stage, name="TRANSFER-REFUSED"),
    ]
    queue = f"killed-{a_name()}"
    async with another_worker(stage, queue):
        handle = await begun(stage, queue, month=MONTH, policy=PayoutPolicy(pauses=(0.1,)))
        await handle.result()
    assert (await payout_of(stage, owners[0])).state is PayoutState.PAID
    assert ledger(stage, owners[0]) == {"transferred": 1035}
    assert (await payout_of(stage, owners[1])).state is PayoutState.REFUSED
    assert "transferred" not in ledger(stage, owners[1])
    await balance(stage, owners[:1])


async def test_an_account_that_became_ready_unnoticed_is_paid_by_the_next_round(
    stage: Stage,
) -> None:
    """The provider's word of it was lost: the round of a month asks for itself."""
    owner = await a_dealer_to_pay(stage, account=False)
    await made(stage, month=MONTH)
    assert (await payout_of(stage, owner)).state is PayoutState.WAITING
    await an_account(stage, owner.dealer_id or "", can_be_paid=False)
    await made(stage, month=MONTH)
    assert (await payout_of(stage, owner)).state is PayoutState.PAID
    assert ledger(stage, owner) == {"transferred": 1234}


async def test_a_worker_that_stops_between_steps_leaves_the_rest_to_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = [await a_dealer_to_pay(stage) for _ in range(3)]
    queue, settled = f"stopped-{a_name()}", Connect.send
    begun_to_send = asyncio.Event()

    async def send(connect: Connect, payout: Any, account_id: str) -> Any:
        if begun_to_send.is_set():
            raise Killed
        begun_to_send.set()
        return await settled(connect, payout, account_id)

    monkeypatch.setattr(Connect, "send", send)
    patient = PayoutPolicy(at_once=1, tries=1, pauses=(0.1,) * 100)
    async with another_worker(stage, queue):
        handle = await begun(stage, queue, month=MONTH, policy=patient)
        await begun_to_send.wait()
    monkeypatch.setattr(Connect, "send", settled)
    async with another_worker(stage, queue):
        assert (await handle.result()).left == 0
    assert [ledger(stage, owner) for owner in owners] == [{"transferred": 1234}] * 3
    await balance(stage, owners)


async def test_lost_replies_and_forgotten_keys_pay_nobody_twice(stage: Stage) -> None:
    owner = await a_dealer_to_pay(stage, name="PAY-LOST")
    await stage.http.post("http://stand-ins/cards/_control", json={"lost_reply_seconds": 0.05})
    await made(stage, month=MONTH, policy=PayoutPolicy(tries=1, pauses=()))
    lost = await payout_of(stage, owner)
    assert (lost.state, ledger(stage, owner)) == (PayoutState.PAYING, {"transferred": 1234})
    stage.app.state.cards.paying.forget_key(lost.key)
    for _ in range(2):
        await made(stage, month=MONTH)
    assert (await payout_of(stage, owner)).state is PayoutState.PAID
    assert ledger(stage, owner) == {"transferred": 1234}
    await balance(stage, [owner])


@pytest.fixture
def moves() -> Generator[set[tuple[str, PayoutState, PayoutState]]]:
    """Whose payout went from which state to which, as its row is written."""
    found: set[tuple[str, PayoutState, PayoutState]] = set()

    def note(row: rows.PayoutRow, after: str, before: str, _: Any) -> None:
        found.add((row.dealer_id, PayoutState(before), PayoutState(after)))

    event.listen(rows.PayoutRow.state, "set", note)
    yield found
    event.remove(rows.PayoutRow.state, "set", note)


async def test_what_was_refused_or_came_back_is_tried_again_by_a_person_alone(
    stage: Stage, moves: set[tuple[str, PayoutState, PayoutState]]
) -> None:
    """Between them the two payouts take every edge of the table that a run takes, and no other."""
    refused = await a_dealer_to_pay(stage, name="TRANSFER-ONCE")
    returned = await a_dealer_to_pay(stage, name="TRANSFER-RETURNED")
    for _ in range(2):
        await made(stage, month=MONTH)
        await made(stage, transfer_id=(await payout_of(stage, returned)).transfer_id)
    assert await mails(stage, refused) == ["Your rewards could not be paid"]
    assert await mails(stage, returned) == ["A payout of your rewards came back"]
    for owner, before in ((refused, "refused"), (returned, "returned")):
        payout = await payout_of(stage, owner)
        assert (payout.state, payout.attempt) == (before, 1)
        again = Paying(
            ref=PayoutRef(dealer_id=payout.dealer_id, month=MONTH), again_after=payout.attempt
        )
        for _ in range(2):
            await made(stage, again=again)
        after = await payout_of(stage, owner)
        assert (after.state, after.attempt) == (PayoutState.PAID, 2)
    assert ledger(stage, refused) == {"transfer_refused": 1234, "transferred": 1234}
    assert ledger(stage, returned) == {"transferred": 2468, "transfer_reversed": 1234}
    own = {refused.dealer_id, returned.dealer_id}
    taken = {(before, after) for dealer_id, before, after in moves if dealer_id in own}
    assert taken == {
        (before, after)
        for before, to in MOVES.items()
        for after in to
        if after is not PayoutState.SETTLED  # nobody's money: a note beside the row says so
    }
    await balance(stage, [refused, returned])


async def test_late_and_negative_rewards_are_paid_with_the_next_month(stage: Stage) -> None:
    owner = await a_dealer_to_pay(stage, "5.00")
    less = await a_dealer_to_pay(stage, "-5.00")
    assert owner.dealer_id is not None
    assert less.dealer_id is not None
    await made(stage, month=MONTH)
    await earnings(stage.sessions, owner.dealer_id, "3.00")
    await earnings(stage.sessions, less.dealer_id, "8.00", at=datetime(2020, 2, 9, tzinfo=UTC))
    async with stage.sessions() as session:
        months, count = await rows.list_months(
            session, owner.dealer_id, None, None, limit=9, offset=0
        )
    assert count == 2
    assert [(one.month, one.amount, one.state) for one in months] == [
        ("2020-02", 3, None),
        ("2020-01", 5, "paid"),
    ]
    await made(stage, month="2020-02")
    assert ledger(stage, owner, "2020-02") == {"transferred": 300}
    assert ledger(stage, less, "2020-02") == {"transferred": 300}
    await balance(stage, [owner, less])


async def test_an_account_that_may_not_be_paid_waits(stage: Stage) -> None:
    owner = await a_dealer_to_pay(stage, account=False)
    account = await an_account(stage, owner.dealer_id or "", can_be_paid=False)
    await stage.http.post(
        f"http://stand-ins/cards/_accounts/{account}",
        json={"transfers": "inactive", "told": False},
    )
    await made(stage, month=MONTH)
    assert (await payout_of(stage, owner)).state is PayoutState.WAITING
    assert await mails(stage, owner) == ["Your rewards wait for your payout account"]


async def test_an_answer_that_was_asked_for_earlier_never_replaces_a_later_one(
    stage: Stage,
) -> None:
    owner = await a_dealer_to_pay(stage)
    now = datetime.now(UTC)
    assert owner.dealer_id is not None
    async with stage.sessions.begin() as session:
        kept = await account_of_dealer(session, owner.dealer_id)
        assert kept is not None
        before = kept.account.model_copy(update={"can_be_paid": False})
        await save_account(session, owner.dealer_id, before, now - timedelta(minutes=1))
        assert await account_of_dealer(session, owner.dealer_id) == kept
        await save_account(session, owner.dealer_id, before, now + timedelta(minutes=1))
        after = await account_of_dealer(session, owner.dealer_id)
    assert after is not None
    assert after.account == before


async def test_the_schedule_is_made_once_and_runs_each_day_once_the_month_is_over(
    stage: Stage, temporal: Client
) -> None:
    schedule = f"payouts-{uuid.uuid4().hex}"
    for _ in range(2):
        await bring(temporal, stage.task_queue, replace(PAYOUTS, id=schedule))
    handle = temporal.get_schedule_handle(schedule)
    described = await handle.describe()
    assert all(time.day > 1 for time in described.info.next_action_times)
    (calendar,) = described.schedule.spec.calendars
    (days,) = calendar.day_of_month
    assert (days.start, days.end) == (2, 31)
    await handle.pause(note="an operator looks into it")
    await bring(temporal, stage.task_queue, replace(PAYOUTS, id=schedule))
    assert (await handle.describe()).schedule.state.paused
    await handle.delete()


async def test_what_was_earned_before_the_first_month_is_not_paid(stage: Stage) -> None:
    owner = await a_dealer_to_pay(stage, "12.00")
    dealer_id = owner.dealer_id or ""
    await earnings(stage.sessions, dealer_id, "5.00", at=datetime(2020, 2, 1, tzinfo=UTC))
    async with stage.sessions.begin() as session:
        for month in (MONTH, "2020-02"):
            await rows.freeze_month(session, month, dealer_id, begins="2020-02")
        assert await rows.find_payout(session, dealer_id, MONTH) is None
        later = await rows.find_payout(session, dealer_id, "2020-02")
        months, count = await rows.list_months(
            session, dealer_id, None, None, begins="2020-02", limit=9, offset=0
        )
    assert later is not None
    assert later.amount == 5
    assert (count, [(one.month, one.amount) for one in months]) == (1, [("2020-02", 5)])


async def test_a_long_run_goes_on_where_the_one_before_it_came_to(stage: Stage) -> None:
    ids = sorted([(await a_dealer_to_pay(stage)).dealer_id or "" for _ in range(2)])
    async with stage.sessions.begin() as session:
        for dealer_id in ids:
            await rows.freeze_month(session, MONTH, dealer_id)
    before, after = (PayoutRef(dealer_id=dealer_id, month=MONTH) for dealer_id in ids)
    _, done = await made(
        stage, progress=Progress(after=before, left=(), states={PayoutState.PAID: 7})
    )
    assert done.states[PayoutState.PAID] > 7
    async with stage.sessions() as session:
        first, second = [
            await rows.find_payout(session, ref.dealer_id, ref.month) for ref in (before, after)
        ]
    assert first is not None
    assert second is not None
    assert (first.state, second.state) == (PayoutState.WAITING, PayoutState.PAID)


async def test_what_a_long_run_has_left_is_taken_up_by_the_next_after_its_other_pauses(
    stage: Stage,
) -> None:
    ids = sorted([(await a_dealer_to_pay(stage)).dealer_id or "" for _ in range(2)])
    async with stage.sessions.begin() as session:
        for dealer_id in ids:
            await rows.freeze_month(session, MONTH, dealer_id)
    left, other = (PayoutRef(dealer_id=dealer_id, month=MONTH) for dealer_id in ids)
    progress = Progress(left=(Paying(ref=left),), states={PayoutState.PAID: 7}, paused=1)
    # Who took up all pauses anew would wait for the first one.
    policy = PayoutPolicy(pauses=(3600, 0.05))
    _, done = await made(stage, progress=progress, policy=policy)
    assert done.states == {PayoutState.PAID: 8}
    async with stage.sessions() as session:
        first, second = [
            await rows.find_payout(session, ref.dealer_id, ref.month) for ref in (left, other)
        ]
    assert first is not None
    assert second is not None
    assert (first.state, second.state) == (PayoutState.PAID, PayoutState.WAITING)
