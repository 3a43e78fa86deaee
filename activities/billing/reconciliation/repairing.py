"""What is safe to repair: the owner of a fact is asked once more, and what they say is written down. No money moves."""

from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from db.base import Sessions, reading
from db.billing import payments
from db.billing.invoices.documents import is_number_of_other_kind, mirror
from db.billing.reconciliation import differences, own
from db.operations.audit import record
from db.orders.erp_events import record_cancelled
from domain.billing.invoices.documents import CreditMemo, Invoice
from domain.billing.payments import PaymentChanged, ProviderPayment
from domain.billing.reconciliation import charges
from domain.billing.reconciliation.differences import Difference
from domain.billing.reconciliation.facts import Charge, PaymentFacts
from providers.cards.ledger import CardLedger
from providers.erp.lists import ErpLists
from providers.gateway import Gateway

log = structlog.stdlib.get_logger()

ACTOR = "system:reconciliation"
_RPC = timedelta(seconds=3)

Live = Sequence[tuple[Charge, ProviderPayment]]


async def live_charges(cards: CardLedger, gateway: Gateway, facts: PaymentFacts) -> Live:
    """The charges of a payment as they are at this moment. Raises Unavailable."""
    known = {one.id: one for one in facts.charges}
    ids = {*known, *filter(None, [facts.payment.provider_id])}
    found: list[tuple[Charge, ProviderPayment]] = []
    for id_ in sorted(ids):
        is_card = known[id_].provider == "card" if id_ in known else id_.startswith("pi_")
        at_there = await (cards.charge(id_) if is_card else gateway.charge(id_))
        if at_there is not None:
            charge, at_provider = at_there
            is_disputed = id_ in known and known[id_].is_disputed
            found.append((charge.model_copy(update={"is_disputed": is_disputed}), at_provider))
    return found


async def bring_up_to_date(
    client: Client,
    sessions: Sessions,
    facts: PaymentFacts,
    found: Sequence[Difference],
    live: Live,
) -> None:
    """Writes down what the provider says of a payment, and tells its run. What is a difference after that stays one."""
    payment = facts.payment
    at_provider = next(
        (at_provider for charge, at_provider in live if charge.id == payment.provider_id), None
    )
    if at_provider is None:
        return
    async with reading(sessions) as session:
        stored = await payments.payment_of(session, payment.id)
    if stored is None:
        return
    # The run first: once the row says it, a repeat would take this for known.
    changed = PaymentChanged(payment_id=payment.id, status=at_provider.status)
    try:
        run = client.get_workflow_handle(stored.payment.request.workflow_id)
        await run.signal("payment_heard", changed, rpc_timeout=_RPC)
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
    async with sessions.begin() as session:
        await payments.record_provider_state(session, payment.id, at_provider)
        (after,) = await own.payments_called(session, [payment.id])
        left = {
            one.id for one in charges.compare_payment(facts.model_copy(update={"payment": after}))
        }
        for one in found:
            if one.is_safe and one.id not in left:
                await _repaired(session, one, ("payment", payment.id))


async def mirror_document(
    sessions: Sessions, document: Invoice | CreditMemo, difference: Difference
) -> None:
    """Mirrors a version that is new. One whose number a document of the other kind has is left to a person."""
    async with sessions.begin() as session:
        if await is_number_of_other_kind(session, document):
            return
        await mirror(session, document)
        await _repaired(session, difference, ("invoice", document.number))


async def record_cancelled_order(erp: ErpLists, sessions: Sessions, difference: Difference) -> None:
    """Records an order that the ERP cancelled, as if it had been told: its case gives back what was paid. Raises Unavailable."""
    cancelled = await erp.cancelled(difference.subject)
    if cancelled is None:
        return
    async with sessions.begin() as session:
        if await record_cancelled(session, cancelled):
            await _repaired(session, difference, ("order", cancelled.reference))


async def _repaired(session: AsyncSession, one: Difference, on: tuple[str, str]) -> None:
    if await differences.mark_repaired(session, one.id):
        await record(
            session,
            "difference repaired",
            actor=ACTOR,
            partner_code=one.partner_code,
            on=on,
            more={"kind": one.kind.value, "here": one.here, "there": one.there},
        )
        log.info("a difference was repaired", kind=one.kind.value, subject=one.subject)
