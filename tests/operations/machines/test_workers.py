"""What one worker has taken up, the others pass by: nobody waits for it, and nobody does it again."""

import ast
import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.testing import capture_logs
from temporalio.client import Client, ScheduleIntervalSpec, ScheduleSpec

import workers.main
from db.base import Sessions
from db.billing.invoices.erp_places import ErpFeedRow, Place, held
from db.content.inquiries import InquiryKind, save_inquiry, take_unmailed
from db.dealers.rewards import take_unrewarded
from db.devices.devices import store_logs, take_undelivered
from db.operations.cases.opening import open_case
from db.operations.cases.starts import not_begun
from db.orders.mails import queue_mail, take_mails
from db.plans.reminders import take_unreminded
from db.platform.webhook_events import save_event, take_events
from domain.devices.devices import DeviceLog
from domain.kinds import CASE
from tests.checkout.cart.buyers import a_buyer
from tests.dealers.test_rewards_api import a_completed_run
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.factories import a_dealer, a_name, an_email, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.operations.cases.factories import an_owing_start
from tests.orders.factories import an_order, code_of
from tests.plans.test_api import a_subscription
from workers.operations.case_starter import CaseStarter
from workers.payment_relay import PROVIDERS
from workers.release.schedules import RECONCILER, bring, end_rounds
from workflows.operations.rounds import Rounds

__all__ = ["database_url", "sessions"]


async def a_log(sessions: Sessions) -> None:
    entry = DeviceLog(
        id=a_name(), device_key=a_device_key(), type="report", timestamp=datetime.now(UTC)
    )
    async with sessions.begin() as session:
        await store_logs(session, [entry])


def an_event(provider: str) -> "Put":
    async def put(sessions: Sessions) -> None:
        async with sessions.begin() as session:
            await save_event(
                session, provider=provider, event_id=a_name(), type="x", subject=a_name(), body={}
            )

    return put


async def an_inquiry(sessions: Sessions) -> None:
    async with sessions.begin() as session:
        await save_inquiry(session, InquiryKind.CONTACT_US, an_email(), {})


async def an_ending_plan(sessions: Sessions) -> None:
    dealer = await a_dealer(sessions)
    await an_owner(sessions, dealer)
    await a_subscription(sessions, dealer, days_left=20)


async def a_completed_activation(sessions: Sessions) -> None:
    await a_completed_run(sessions, await an_owner(sessions, await a_dealer(sessions)))


async def a_confirmation(sessions: Sessions) -> None:
    order = await an_order(sessions, code_of(await a_buyer(sessions)))
    async with sessions.begin() as session:
        await queue_mail(session, order.token, "https://portal.test")


Put = Callable[[Sessions], Awaitable[None]]
Take = Callable[[AsyncSession], Awaitable[Any]]

TAKEN_UP: dict[str, tuple[Put, Take]] = {
    "device logs of the relay": (a_log, take_undelivered),
    **{
        f"{provider} events of the relay": (
            an_event(provider),
            lambda session, provider=provider: take_events(session, provider, limit=9),
        )
        for provider in PROVIDERS
    },
    "inquiries": (an_inquiry, take_unmailed),
    "plans that end": (an_ending_plan, take_unreminded),
    "rewards": (a_completed_activation, take_unrewarded),
    "confirmations of orders": (a_confirmation, lambda session: take_mails(session, limit=9)),
}


@pytest.mark.parametrize("name", TAKEN_UP)
async def test_what_one_worker_takes_up_the_others_pass_by(sessions: Sessions, name: str) -> None:
    put, take = TAKEN_UP[name]
    await put(sessions)
    async with sessions.begin() as one:
        assert await take(one)
        async with asyncio.timeout(10), sessions.begin() as other:
            assert not await take(other)


SHARED = {
    "devices": ("device logs of the relay",),
    "payments": tuple(f"{provider} events of the relay" for provider in PROVIDERS),
    "order mails": ("confirmations of orders",),
    "housekeeping": ("inquiries",),
    "reminders": ("plans that end",),
    "rewards": ("rewards",),
    "cases": ("test_a_case_that_several_workers_begin_at_once_is_one_run",),
    "documents": ("test_one_worker_reads_a_feed_and_the_others_do_not_wait",),
}
"""What a worker does beside its runs → the tests that try it with two. That one sweeps:
`tests/operations/database/test_housekeeping.py`."""


def test_whatever_a_worker_does_beside_its_runs_is_tried_with_two() -> None:
    (loops,) = [
        node.value
        for node in ast.walk(ast.parse(Path(workers.main.__file__).read_text()))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "loops"
    ]
    assert isinstance(loops, ast.Dict)
    assert {ast.literal_eval(key) for key in loops.keys if key} == SHARED.keys()
    tried = {name for names in SHARED.values() for name in names}
    assert tried == TAKEN_UP.keys() | {name for name in tried if name in globals()}


async def test_a_case_that_several_workers_begin_at_once_is_one_run(
    sessions: Sessions, database_url: str, temporal: Client, task_queue: str
) -> None:
    start = an_owing_start(await a_buyer(sessions), "10")
    async with sessions.begin() as session:
        await open_case(session, start)
    starters = [
        CaseStarter(temporal, sessions, task_queue=task_queue, database_url=database_url)
        for _ in range(3)
    ]
    with capture_logs() as lines:
        await asyncio.gather(*(starter.deliver() for starter in starters))
    begun = [line["case"] for line in lines if line["event"] == "a case was opened"]
    await temporal.get_workflow_handle(CASE.workflow_id(start)).terminate()
    assert begun == [start.id]
    async with sessions() as session:
        assert not await not_begun(session, limit=9)


async def is_still_held(sessions: Sessions, place: Place | None) -> bool:
    assert place is not None
    async with sessions.begin() as session:
        return await place.is_still_held(session)


async def test_one_worker_reads_a_feed_and_the_others_do_not_wait(sessions: Sessions) -> None:
    feed = a_name()
    async with held(sessions, feed) as one:
        assert one is not None
        async with asyncio.timeout(10), held(sessions, feed) as other:
            assert other is None
        async with sessions.begin() as session:
            assert await one.is_still_held(session)
            await one.move(session, "1")
            async with asyncio.timeout(10), held(sessions, feed) as other:
                assert other is None
    async with held(sessions, feed) as next_one:
        assert next_one is not None
        assert next_one.cursor == "1"


async def test_who_may_wait_reads_a_feed_once_the_other_has(sessions: Sessions) -> None:
    feed = a_name()
    async with held(sessions, feed):
        waiting = asyncio.ensure_future(_cursor_of(sessions, feed))
        async with held(sessions, feed, wait=timedelta(seconds=0.3)) as late:
            assert late is None
        assert not waiting.done()
    assert await waiting == ""


async def _cursor_of(sessions: Sessions, feed: str) -> str | None:
    async with held(sessions, feed, wait=timedelta(seconds=20)) as place:
        return place.cursor if place else None


async def test_a_reader_that_took_too_long_writes_nothing_once_another_one_reads(
    sessions: Sessions,
) -> None:
    feed = a_name()
    async with held(sessions, feed) as slow:
        async with sessions.begin() as session:
            await session.execute(
                update(ErpFeedRow).where(ErpFeedRow.name == feed).values(held_until=func.now())
            )
        assert await is_still_held(sessions, slow), "nobody else has read yet"
        async with held(sessions, feed) as next_one:
            assert await is_still_held(sessions, next_one)
            assert not await is_still_held(sessions, slow)
        assert not await is_still_held(sessions, slow)
    async with held(sessions, feed) as last:
        assert await is_still_held(sessions, last)


async def test_schedules_that_are_brought_by_several_at_once_are_there_once(
    temporal: Client, task_queue: str
) -> None:
    """And of several that could begin a round one does."""
    often = timedelta(seconds=1)
    recurring = replace(
        RECONCILER,
        id=f"reconciler-{uuid.uuid4().hex}",
        argument=Rounds(every=often),
        spec=ScheduleSpec(intervals=[ScheduleIntervalSpec(every=often)]),
    )
    await asyncio.gather(*(bring(temporal, task_queue, recurring) for _ in range(3)))
    schedule = temporal.get_schedule_handle(recurring.id)
    try:
        described = await until(
            schedule.describe, lambda found: len(found.info.running_actions) == 1
        )
        assert len(described.schedule.spec.intervals) == 1
    finally:
        await schedule.pause()
        await end_rounds(temporal, recurring)
        await schedule.delete()
