"""Takes what payment providers told from the inbox to the runs that wait for it (`db/platform/webhook_events.py`).

An event is a hint: which payment moved. The provider is asked where it stands, so that the order of events and their doubles
do not matter; then the payment's run is signalled. A run that has ended takes nothing, and the payment is right all the same.
Any number of workers may relay at once: one takes events for a while, and hands them on.
"""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import structlog
from temporalio.client import Client
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from db.base import Sessions, one_statement, reading
from db.billing import bank_verifications, payments
from db.billing.disputes import dispute_status, record_dispute
from db.operations.audit import record
from db.operations.cases.opening import open_failed_refund, wake_starter
from db.platform import webhook_events
from domain.billing.bank_verification import DepositsReturned
from domain.billing.disputes import Dispute
from domain.billing.payment_events import DEPOSITS_RETURNED, PaymentEvent
from domain.billing.payments import PaymentChanged, is_news
from domain.errors import PortalError, Unavailable
from domain.operations.cases import chargeback_case
from providers.cards.payments import Cards
from providers.gateway import Gateway
from providers.payments import fetch_payment
from workers.outbox import Outbox
from workflows import payouts
from workflows.ids import bank_verification_id
from workflows.ids import case_id as case_run
from workflows.payouts import PayoutsStart, PayoutsWorkflow

log = structlog.stdlib.get_logger()

BATCH = 50
PROVIDERS = ("card", "bank")
_RPC = timedelta(seconds=3)


class PaymentRelay:
    """`database_url` is a plain libpq address for the listening connection."""

    def __init__(
        self,
        client: Client,
        cards: Cards,
        gateway: Gateway,
        sessions: Sessions,
        *,
        task_queue: str,
        database_url: str,
    ) -> None:
        self._client = client
        self._task_queue = task_queue
        self._cards = cards
        self._gateway = gateway
        self._sessions = sessions
        self._outboxes = [
            Outbox(
                partial(self.deliver, provider),
                batch=BATCH,
                channel=webhook_events.CHANNEL,
                database_url=database_url,
                about=provider,
            )
            for provider in PROVIDERS
        ]

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out. A provider that is away holds up its own events only."""
        async with asyncio.TaskGroup() as tasks:
            for outbox in self._outboxes:
                tasks.create_task(outbox.run())

    async def deliver(self, provider: str) -> int:
        """Hands on one batch; answers how many events were done. What cannot be asked now waits for the next look. Nothing is
        locked while a provider is asked."""
        async with one_statement(self._sessions) as session:
            taken = await webhook_events.take_events(session, provider, limit=BATCH)
        by_subject: dict[str, list[PaymentEvent]] = {}
        for body in taken:
            event = PaymentEvent.model_validate(body)
            by_subject.setdefault(event.subject, []).append(event)
        outcomes = await asyncio.gather(*(self._deliver(events) for events in by_subject.values()))
        done: list[str] = []
        later: list[str] = []
        for events, delivered in zip(by_subject.values(), outcomes, strict=True):
            (done if delivered else later).extend(event.id for event in events)
        if done:
            async with one_statement(self._sessions) as session:
                await webhook_events.outbox(provider).mark_delivered(session, done)
        if later:
            async with one_statement(self._sessions) as session:
                await webhook_events.outbox(provider).put_back(session, later)
        return len(done)

    async def _deliver(self, events: Sequence[PaymentEvent]) -> bool:
        """Whether everything that these events of one thing say has arrived."""
        try:
            for event in events:
                if event.type in DEPOSITS_RETURNED and event.method_id is not None:
                    returned = DepositsReturned(reason=event.reason)
                    run = bank_verification_id(event.method_id)
                    if not await self._signal(run, "deposits_returned", returned):
                        await self._shut(event.method_id, event.reason)
            if events[0].account_id is not None or events[0].transfer_id is not None:
                await self._look_later(events[-1])
            if events[0].dispute_id is not None:
                await self._look_at(events[0].dispute_id)
            if events[0].refund_id is not None:
                await self._look_at_refund(events[0].refund_id)
            if events[0].payment_id is not None:
                await self._ask(events[0].payment_id, events)
        except Unavailable as error:
            log.info("a payment could not be asked", subject=events[0].payment_id, code=error.code)
            return False
        except PortalError as error:
            log.error("a payment is unclear", subject=events[0].payment_id, code=error.code)
        return True

    async def _ask(self, payment_id: str, events: Sequence[PaymentEvent]) -> None:
        async with reading(self._sessions) as session:
            stored = await payments.payment_of(session, payment_id)
        if stored is None:
            log.warning("an event names a payment that is not ours", payment_id=payment_id)
            return
        known = stored.payment.status
        if not any(event.status is not None and is_news(known, event.status) for event in events):
            return
        at_provider = await fetch_payment(self._cards, self._gateway, stored.payment)
        if at_provider is None:
            return
        # The run first: once the row says it, a repeat would take this for known.
        changed = PaymentChanged(payment_id=payment_id, status=at_provider.status)
        await self._signal(stored.payment.request.workflow_id, "payment_heard", changed)
        async with self._sessions.begin() as session:
            await payments.record_provider_state(session, payment_id, at_provider)

    async def _look_at(self, dispute_id: str) -> None:
        """Keeps what the bank says of a chargeback, and tells its case; the first time there is none, and it is opened."""
        dispute = await self._cards.dispute(dispute_id)
        async with reading(self._sessions) as session:
            known = await dispute_status(session, dispute.id)
        if known is not None and known is not dispute.status:
            run = case_run(chargeback_case(dispute.id))
            await self._signal(run, "dispute_heard", dispute)
        async with self._sessions.begin() as session:
            if not await record_dispute(session, dispute):
                log.warning("a dispute names a payment that is not ours", dispute=dispute.id)
            elif known is None:
                await wake_starter(session, dispute.id)

    async def _look_at_refund(self, refund_id: str) -> None:
        """Of one that its bank did not take a case is opened, once."""
        refund = await self._cards.fetch_refund(refund_id)
        if not refund.has_failed:
            return
        async with self._sessions.begin() as session:
            if not await open_failed_refund(session, refund):
                log.warning("a refund names a payment that is not ours", refund=refund.id)

    async def _look_later(self, event: PaymentEvent) -> None:
        """A run asks the provider of the account or transfer, and pays what has waited for it. One for each event."""
        ask = PayoutsStart(account_id=event.account_id, transfer_id=event.transfer_id)
        try:
            await self._client.start_workflow(
                PayoutsWorkflow.run,
                ask,
                id=f"{payouts.SCHEDULE}-{event.id}",
                task_queue=self._task_queue,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                rpc_timeout=_RPC,
                static_summary="looks at what the card provider told of payouts",
            )
        except WorkflowAlreadyStartedError:
            log.info("it is being looked at", subject=event.subject)

    async def _shut(self, method_id: str, reason: str | None) -> None:
        """A bank account whose run is gone before its time is shut all the same."""
        async with self._sessions.begin() as session:
            if await bank_verifications.return_unwatched(session, method_id, reason):
                await record(
                    session,
                    "bank account returned",
                    actor="bank verification",
                    on=("payment_method", method_id),
                    more={"code": reason} if reason else None,
                )

    async def _signal(
        self, workflow_id: str, name: str, message: PaymentChanged | DepositsReturned | Dispute
    ) -> bool:
        """Whether there was a run to tell."""
        try:
            await self._client.get_workflow_handle(workflow_id).signal(
                name, message, rpc_timeout=_RPC
            )
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                log.info("run had ended before its payment was told of", workflow_id=workflow_id)
            elif error.status is RPCStatusCode.INVALID_ARGUMENT:
                # Nobody else's events wait behind one that will never be taken.
                log.error("run refused a signal", workflow_id=workflow_id, signal=name)
                return True
            else:
                raise
            return False
        return True
