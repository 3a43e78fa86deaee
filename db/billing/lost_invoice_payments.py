"""Payments of invoices that have no run: never begun, lost, or given up (decision 72)."""

from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoice_payments import (
    InvoiceAllocationRow,
    InvoicePaymentRow,
    close,
    start_of,
)
from db.billing.payments import is_left_to_a_case, payments_of_flow
from db.platform.notices import notify
from db.runs import flows
from domain.billing.invoice_payment import (
    BookedInvoice,
    InvoicePaymentResume,
    InvoicePaymentStart,
    InvoicePaymentView,
    InvoiceStatus,
    resumed,
)
from domain.billing.payments import PayingFlow


async def start_in_place_of(session: AsyncSession, payment_id: str) -> InvoicePaymentStart | None:
    """The start of a run that goes on where the lost one stood."""
    start = await start_of(session, payment_id)
    run = await flows.find_flow(session, "invoice_payment", payment_id)
    if start is None or run is None:
        return None
    rows = await session.scalars(
        select(InvoiceAllocationRow)
        .where(InvoiceAllocationRow.payment_id == payment_id)
        .order_by(InvoiceAllocationRow.place)
    )
    paid = await payments_of_flow(session, PayingFlow.INVOICE_PAYMENT, payment_id)
    request = paid[-1].request if paid else None
    return resumed(
        start,
        rev=run.rev,
        resume=InvoicePaymentResume(
            state=run.state,
            view=InvoicePaymentView.model_validate(run.view),
            settled=tuple(
                BookedInvoice(
                    number=row.invoice_number,
                    status=InvoiceStatus(row.status),
                    detail=row.detail,
                )
                for row in rows
            ),
            wish=request,
            is_let_go=request is not None and await is_left_to_a_case(session, request.payment_id),
            is_left=await is_left_to_a_case(session, *(one.id for one in paid)),
        ),
    )


async def not_begun(
    session: AsyncSession, *, before: datetime
) -> tuple[tuple[str, InvoicePaymentStart], ...]:
    """Open ones that were submitted before this time and that no run has shown yet, the oldest first; each with the id of
    its workflow."""
    shown = select(flows.FlowRow.id).where(flows.FlowRow.id == InvoicePaymentRow.id).exists()
    rows = await session.execute(
        select(InvoicePaymentRow.workflow_id, InvoicePaymentRow.start)
        .where(InvoicePaymentRow.ended_at.is_(None), InvoicePaymentRow.created_at < before, ~shown)
        .order_by(InvoicePaymentRow.created_at)
        .limit(100)
    )
    return tuple((row.workflow_id, InvoicePaymentStart.model_validate(row.start)) for row in rows)


async def left_behind(session: AsyncSession) -> tuple[str, ...]:
    """Payments whose row was ended although they hold documents still, the oldest first: their runs were given up."""
    found = await session.scalars(
        select(InvoicePaymentRow.id)
        .join(flows.FlowRow, flows.FlowRow.id == InvoicePaymentRow.id)
        .where(InvoicePaymentRow.ended_at.is_(None), flows.FlowRow.ended_at.is_not(None))
        .order_by(InvoicePaymentRow.created_at)
        .limit(100)
    )
    return tuple(found)


async def cancel_left_behind(session: AsyncSession, start: InvoicePaymentStart) -> None:
    """Ends one that was given up before any payment was asked for: weeks later nobody expects a charge. Its invoices are
    free again, and may be paid anew. Idempotent."""
    await close(session, start.id, "cancelled")
    if start.resume is None:
        return
    lines = tuple(
        one.model_copy(update={"status": InvoiceStatus.RELEASED})
        if one.status is InvoiceStatus.WAITING
        else one
        for one in start.resume.view.lines
    )
    view = start.resume.view.model_copy(
        update={"lines": lines, "deadline": None, "waits_for": None}
    )
    await session.execute(
        update(flows.FlowRow)
        .where(flows.FlowRow.id == start.id, flows.FlowRow.rev == start.rev_from - 1)
        .values(
            state="cancelled",
            view=view.model_dump(mode="json"),
            rev=flows.FlowRow.rev + 1,
            updated_at=func.now(),
        )
    )
    await notify(session, start.id)
