"""Submitting a payment of invoices: frozen once, begun once, answered within the time of a write (decision 53).

What is paid is kept in the transaction that locks the documents, before any run begins. Whoever finds it not begun begins it
under the workflow id that follows from the payment's.
"""

import asyncio
import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from api.billing.invoices.queries import business_of
from api.platform.deps import Portal
from api.runs.flows import ANSWER_WITHIN, once_seen, person_of
from api.runs.messages import update_id_of
from db.base import once_more
from db.billing import invoice_payments
from db.billing.pay_links import note_payment, payment_of
from db.billing.payment_methods import method_of
from db.operations.audit import Outcome, record_by
from db.platform.clock import utc_day
from db.platform.idempotency import hold_name, rename
from db.runs import flows
from domain.base import Frozen
from domain.billing.invoice_allocation import (
    AllocationRequest,
    InvoicesRefused,
    PaymentPlan,
    is_planned,
    planned,
)
from domain.billing.invoice_payment import (
    CAME_TO_NOTHING,
    PATH,
    InvoiceFiguresChanged,
    InvoicePaymentMethodNeeded,
    InvoicePaymentMethodRefused,
    InvoicePaymentStart,
    MayNotPay,
    Payer,
    check_type,
    plan_hash,
    said_again,
)
from domain.billing.pay_link import PayLinkVoid
from domain.billing.payment_methods import MethodMissing, is_taken, is_valid
from domain.billing.payments import PayBy, PaymentType
from domain.identity.people import Actor, may_manage_methods
from domain.kinds import INVOICE_PAYMENT
from domain.runs.projection import FlowAnswer
from workflows import ids
from workflows.client import begin_or_join

SHORTER_ID = 32
RESTS = frozenset(
    {
        "action_required",
        "declined",
        "needs_attention",
        "processing",
        "posting_late",
        "confirmed",
        "refused",
        "returned",
        "expired",
        "cancelled",
    }
)
"""States in which nobody waits for the answer of a call any longer."""

log = structlog.stdlib.get_logger()


class Submit(Frozen):
    """`id` is the payment's. With `agreed` it is paid at the figures of that hash, or not at all. With `link_id` it is paid by
    a link, and `paid_by` says who pays; it joins no payment but the link's own then."""

    id: str
    request: AllocationRequest
    pay_by: PayBy | None = None
    agreed: str | None = None
    link_id: str | None = None
    paid_by: str | None = None


def payer_code(actor: Actor) -> str:
    """The business whose invoices the caller may pay: whoever has purchasing rights, owners, and inside reps that act for it.

    Raises what `business_of` raises, MayNotPay.
    """
    code = business_of(actor)
    if not may_manage_methods(actor):
        raise MayNotPay
    return code


async def quoted(
    session: AsyncSession, actor: Actor, request: AllocationRequest, *, lock: bool = False
) -> tuple[PaymentPlan, datetime]:
    """What the request comes to now, by the database's clock in the site's time zone, and that time. It writes nothing: the
    mock run and the payment itself are this same function. Raises what `planned` raises."""
    found = await invoice_payments.documents_of(session, payer_code(actor), request, lock=lock)
    today = found.at.astimezone(ZoneInfo(actor.site.time_zone)).date()
    return planned(request, found.invoices, found.memos, today, found.held), found.at


async def pay_by_of(
    session: AsyncSession,
    code: str,
    kind: PaymentType | None,
    method_id: str | None,
    *,
    cards: bool,
) -> PayBy | None:
    """The saved method that was named; `cards` is the switch of the settings. Raises InvoicePaymentTypeRefused, MethodMissing,
    and InvoicePaymentMethodRefused for one that is hidden, of another kind, or not valid now."""
    if kind is not None:
        check_type(kind)
    if method_id is None:
        if kind is not None:
            raise InvoicePaymentMethodNeeded
        return None
    method = await method_of(session, method_id, code)
    if not is_taken(method, cards=cards):
        raise MethodMissing
    fits = kind is None or kind.value == method.type
    if not fits or method.is_hidden or not is_valid(method, await utc_day(session)):
        raise InvoicePaymentMethodRefused
    return PayBy(type=PaymentType(method.type), method_id=method.id)


def payment_id_of(actor: Actor, key: str) -> str:
    """The payment's id follows from the caller's key: a repeat after a crash means the same payment."""
    return update_id_of(actor, key)[:SHORTER_ID]


async def payment_of_key(session: AsyncSession, actor: Actor, key: str) -> str:
    """The id of the payment that is meant by a call with this key: its own, or for a day the one that it has joined. The caller
    commits before it submits."""
    own = payment_id_of(actor, key)
    id_, _ = await hold_name(
        session, actor=actor.key, key=_meant(own), operation="pay_invoice", name=own
    )
    return id_


async def payment_without_key(
    session: AsyncSession, actor: Actor, request: AllocationRequest, pay_by: PayBy | None
) -> str:
    """The id of the payment that is meant by a call without a key: for a day that of the same person's last one of the same
    amounts, unless it came to nothing. The caller commits before it submits."""
    key = _said(actor, request, pay_by)
    fresh = uuid.uuid4().hex
    id_, was_held = await hold_name(
        session, actor=actor.key, key=key, operation="pay_invoice", name=fresh
    )
    stands = await flows.find_flow(session, "invoice_payment", id_) if was_held else None
    if stands is None or stands.state not in CAME_TO_NOTHING:
        return id_
    await rename(session, actor=actor.key, key=key, name=fresh)
    return fresh


async def remember(
    session: AsyncSession,
    actor: Actor,
    request: AllocationRequest,
    pay_by: PayBy | None,
    key: str | None,
    id_: str,
) -> None:
    """From now on this key, or the same call without one, means this payment, which it has joined."""
    held = _meant(payment_id_of(actor, key)) if key else _said(actor, request, pay_by)
    await rename(session, actor=actor.key, key=held, name=id_)


def _meant(id_: str) -> str:
    return f"invoices by key {id_}"


def _said(actor: Actor, request: AllocationRequest, pay_by: PayBy | None) -> str:
    return f"invoices {said_again(payer_code(actor), request, pay_by)}"


async def submit_payment(portal: Portal, actor: Actor, submit: Submit) -> InvoicePaymentStart:
    """Freezes what is paid: what there is to begin or to join. A payment of the same person that waits for another method,
    with the very same request, is joined too.

    Raises what `quoted` raises, InvoiceFiguresChanged, InvoicePaymentMethodNeeded; nothing was kept then.
    """
    return await once_more(lambda: _submit(portal, actor, submit))


async def _submit(portal: Portal, actor: Actor, submit: Submit) -> InvoicePaymentStart:
    async with portal.sessions.begin() as session:
        known = await invoice_payments.start_of(session, submit.id)
        if known is not None:
            return known
        try:
            plan, now = await quoted(session, actor, submit.request, lock=True)
        except InvoicesRefused:
            joined = await _joined(session, actor, submit)
            if joined is None:
                raise
            if submit.agreed is not None and submit.agreed != plan_hash(joined.plan):
                raise InvoiceFiguresChanged from None
            return joined
        if submit.agreed is not None and submit.agreed != plan_hash(plan):
            raise InvoiceFiguresChanged
        if submit.pay_by is None and plan.charged > 0:
            raise InvoicePaymentMethodNeeded
        person = person_of(actor)
        start = InvoicePaymentStart(
            id=submit.id,
            path=PATH,
            payer=Payer(
                partner_code=payer_code(actor),
                dealer_id=actor.dealer_id,
                person_id=actor.person.id,
                name=submit.paid_by or person.name,
                acting_for=person.acting_for,
                site=actor.site.code,
            ),
            plan=plan,
            pay_by=submit.pay_by,
            submitted_at=now,
            policy=portal.invoice_payment_policy,
            portal_url=portal.url_of(actor.site),
        )
        if submit.link_id and not await note_payment(session, submit.link_id, start.id):
            raise PayLinkVoid
        await invoice_payments.submit(session, ids.invoice_payment_id(start.id), start)
        await record_by(
            session,
            actor,
            "paid invoices",
            outcome=Outcome.ACCEPTED,
            on=("invoice_payment", start.id),
            more={
                "partner": start.payer.partner_code,
                "charged": str(plan.charged),
                **({"link": submit.link_id} if submit.link_id else {}),
            },
        )
    return start


async def _joined(
    session: AsyncSession, actor: Actor, submit: Submit
) -> InvoicePaymentStart | None:
    """The one payment that holds all of it, if it is the caller's own of the same amounts from the same memos."""
    numbers = [one.number for one in submit.request.invoices]
    held = await invoice_payments.holders_of(session, numbers)
    holders = {one.payment_id for one in held.values()}
    if len(held) < len(numbers) or len(holders) != 1:
        return None
    start = await invoice_payments.start_of(session, holders.pop())
    if start is None or start.payer.person_id != actor.person.id:
        return None
    if submit.link_id and start.id != await payment_of(session, submit.link_id):
        return None
    return start if is_planned(submit.request, start.plan) else None


async def begin(portal: Portal, start: InvoicePaymentStart) -> None:
    """Has a worker take it up, once. Where Temporal does not answer, it is begun later: it is kept."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds() / 2):
            await begin_or_join(
                portal.temporal, INVOICE_PAYMENT, start, task_queue=portal.task_queue
            )
    except WorkflowAlreadyStartedError:
        log.info("a payment of invoices had ended already", payment=start.id)
    except (TimeoutError, RPCError, RuntimeError) as error:
        log.warning("a payment of invoices is begun later", kind=type(error).__name__)


async def once_at_rest(portal: Portal, id_: str) -> FlowAnswer | None:
    """The payment as it stands once nobody waits for the answer, or the time of a call is over; None while no run has shown
    it."""
    seen, _ = await once_seen(portal, "invoice_payment", id_, lambda found: found.state in RESTS)
    return seen
