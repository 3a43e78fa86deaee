"""From a provider's event to the run that waits for it, over the real webhook, database and Temporal."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from db.base import Sessions
from db.billing import payments
from db.platform.webhook_events import save_event
from domain.billing.payment_events import PaymentEvent
from domain.billing.payments import PaymentChanged, PaymentRef, PaymentRequest, PaymentStatus
from simulators.main import create_app as create_simulators
from tests.billing.payments.factories import (
    PaymentDriver,
    a_method,
    a_payment_driver,
    a_payment_request,
)
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.portal import running_portal
from tests.drivers.stage import LISTENERS
from tests.drivers.until import until
from workers.payment_relay import BATCH, PaymentRelay

__all__ = ["database_url", "sessions"]


@workflow.defn(name="ListenerOfPayments")
class Listening:
    """Stands for any run that pays: it keeps what it is told."""

    def __init__(self) -> None:
        self.changes: list[PaymentChanged] = []

    @workflow.run
    async def run(self) -> list[str]:
        await workflow.wait_condition(
            lambda: any(one.status is not PaymentStatus.PROCESSING for one in self.changes)
        )
        return [one.status.value for one in self.changes]

    @workflow.signal
    def payment_heard(self, changed: PaymentChanged) -> None:
        self.changes.append(changed)


@pytest.fixture
async def relaying(
    sessions: Sessions, database_url: str, temporal: Client, task_queue: str, tmp_path: Path
) -> AsyncGenerator[PaymentDriver]:
    """A till whose providers call the portal's webhooks, with a relay behind them."""
    async with running_portal(database_url) as portal:
        simulators = create_simulators(
            tmp_path / "relaying.sqlite",
            webhook_transport=httpx.ASGITransport(portal),
            listeners=LISTENERS,
            own_url="http://stand-ins",
        )
        async with (
            simulators.router.lifespan_context(simulators),
            a_payment_driver(sessions, tmp_path, simulators=simulators) as driver,
            Worker(
                temporal,
                task_queue=task_queue,
                workflows=[Listening],
                workflow_runner=UnsandboxedWorkflowRunner(),
            ),
        ):
            await driver.turn("gateway", bank_days=0.3)
            relay = PaymentRelay(
                temporal,
                driver.cards,
                driver.gateway,
                sessions,
                task_queue=task_queue,
                database_url=database_url,
            )
            running = asyncio.create_task(relay.run())
            yield driver
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running


async def a_listener(temporal: Client, task_queue: str, request: PaymentRequest) -> Any:
    return await temporal.start_workflow(
        "ListenerOfPayments", id=request.workflow_id, task_queue=task_queue, result_type=list[str]
    )


async def until_it_is(
    sessions: Sessions, payment_id: str, seen: Callable[[PaymentStatus], bool]
) -> PaymentStatus:
    async def status() -> PaymentStatus | None:
        async with sessions() as session:
            stored = await payments.payment_of(session, payment_id)
        return stored.payment.status if stored else None

    found = await until(status, lambda now: now is not None and seen(now))
    assert found is not None
    return found


async def test_a_payer_who_confirms_is_told_to_the_run(
    relaying: PaymentDriver, temporal: Client, task_queue: str
) -> None:
    request = a_payment_request(await a_method(relaying.sessions, card="authenticationRequired"))
    run = await a_listener(temporal, task_queue, request)
    asked = await relaying.pay.authorise(request)
    secret = str(asked.action_url).split("secret=")[1].split("&")[0]
    await relaying.http.post(
        str(asked.action_url).split("?")[0], data={"secret": secret, "answer": "agree"}
    )
    statuses = await asyncio.wait_for(run.result(), 20)
    assert statuses[-1] == "AUTHORISED"
    await until_it_is(
        relaying.sessions, request.payment_id, lambda s: s is PaymentStatus.AUTHORISED
    )


async def test_a_banks_late_return_is_told_to_the_run_and_written_down(
    relaying: PaymentDriver, temporal: Client, task_queue: str
) -> None:
    request = a_payment_request(await a_method(relaying.sessions, bank="unauthorised"))
    run = await a_listener(temporal, task_queue, request)
    await relaying.pay.authorise(request)
    taken = await relaying.pay.capture(PaymentRef.of_key(request.key))
    assert taken.status is PaymentStatus.PROCESSING
    statuses = await asyncio.wait_for(run.result(), 20)
    assert statuses[-1] == "RETURNED"
    await until_it_is(relaying.sessions, request.payment_id, lambda s: s is PaymentStatus.RETURNED)


async def test_a_run_that_has_ended_leaves_the_payment_right(relaying: PaymentDriver) -> None:
    request = a_payment_request(await a_method(relaying.sessions, bank="good"))
    await relaying.pay.authorise(request)
    await relaying.pay.capture(PaymentRef.of_key(request.key))
    status = await until_it_is(
        relaying.sessions, request.payment_id, lambda s: s is not PaymentStatus.PROCESSING
    )
    assert status is PaymentStatus.CAPTURED
    assert await relaying.sums(request.flow_id, "gateway") == {
        "authorised": 10499,
        "captured": 10499,
        "settled": 10499,
    }


async def test_an_event_of_a_stranger_disturbs_nobody(relaying: PaymentDriver) -> None:
    async with relaying.sessions.begin() as session:
        await save_event(
            session,
            provider="card",
            event_id=uuid.uuid4().hex,
            type="payment_intent.succeeded",
            subject="pay_nobody",
            body={"id": "e", "type": "payment_intent.succeeded", "payment_id": "pay_nobody"},
        )
    request = a_payment_request(await a_method(relaying.sessions, bank="good"))
    await relaying.pay.authorise(request)
    await relaying.pay.capture(PaymentRef.of_key(request.key))
    await until_it_is(relaying.sessions, request.payment_id, lambda s: s is PaymentStatus.CAPTURED)


async def test_a_provider_that_is_away_holds_up_its_own_events_only(
    relaying: PaymentDriver, temporal: Client, task_queue: str
) -> None:
    """More of them wait than one look takes."""
    card = a_payment_request(await a_method(relaying.sessions, card="authenticationRequired"))
    await relaying.pay.authorise(card)
    await relaying.turn("cards", outage=True)
    async with relaying.sessions.begin() as session:
        for n in range(BATCH + 1):
            event = PaymentEvent(
                id=f"away-{n}",
                type="payment_intent.succeeded",
                payment_id=card.payment_id,
                status=PaymentStatus.CAPTURED,
            )
            await save_event(
                session,
                provider="card",
                event_id=event.id,
                type=event.type,
                subject=event.subject,
                body=event.model_dump(mode="json"),
            )
    try:
        debit = a_payment_request(await a_method(relaying.sessions, bank="good"), capture=True)
        run = await a_listener(temporal, task_queue, debit)
        await relaying.pay.authorise(debit)
        assert await asyncio.wait_for(run.result(), 20) == ["CAPTURED"]
    finally:
        await relaying.turn("cards", outage=False)
