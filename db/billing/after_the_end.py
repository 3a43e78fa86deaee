"""What happens to the money of a payment of invoices, or of a purchase of plans, after its run has ended is written into what the
run showed last: pages, receipts and calls read that, and the run says no more (decisions 51 and 53)."""

from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.runs.flows import FlowRow
from domain.billing.invoice_payment import InvoicePaymentView, paid_back, taken_back
from domain.billing.payments import PayingFlow
from domain.plans.paid_back import paid_back as plans_paid_back
from domain.plans.purchases import PurchaseView

View = TypeVar("View", InvoicePaymentView, PurchaseView)

_BACK = text(
    """
    select coalesce(sum(p.refunded), 0) from payment p
    where p.flow = :flow and p.flow_id = :id
        and (p.refunded < p.captured
             or not exists (select from payment later
                            where later.flow = p.flow and later.flow_id = p.flow_id
                                and later.created_at > p.created_at and later.captured > 0))
    """
)
"""What was given back; a payment that went back whole while a later one was taken counts on neither side."""
_REFUNDED = text(
    "update invoice_allocation set status = 'refunded' where payment_id = :id and status = 'refused'"
)
_RECEIPT = text(
    """
    update receipt set
        refunded = refunded + (select coalesce(sum((line->>'total')::numeric), 0)
                               from jsonb_array_elements(lines) line where line->>'status' = 'owed'),
        lines = (select jsonb_agg(case when line->>'status' = 'owed' then line || '{"status": "refunded"}' else line end
                                  order by place)
                 from jsonb_array_elements(lines) with ordinality as each(line, place))
    where uuid = :id and lines @> '[{"status": "owed"}]'
    """
)


async def show_paid_back(session: AsyncSession, flow: PayingFlow, id_: str) -> None:
    """What of its charge was given back by now, by whomever. Idempotent; nothing while the run goes on, which shows it itself."""
    if flow is PayingFlow.PLACEMENT:
        return
    back = Decimal(await session.scalar(_BACK, {"flow": flow.value, "id": id_}) or 0)
    if flow is PayingFlow.PURCHASE:
        if await _show(session, flow, id_, PurchaseView, lambda view: plans_paid_back(view, back)):
            await session.execute(_RECEIPT, {"id": id_})
        return
    shown = await _show(session, flow, id_, InvoicePaymentView, lambda view: paid_back(view, back))
    if shown is not None and not shown.is_owed:
        await session.execute(_REFUNDED, {"id": id_})


async def show_taken_back(session: AsyncSession, id_: str, number: str) -> None:
    """What was posted to this invoice is taken back at the ERP, as the bank took the money. Likewise."""
    flow = PayingFlow.INVOICE_PAYMENT
    await _show(session, flow, id_, InvoicePaymentView, lambda view: taken_back(view, number))


async def _show(
    session: AsyncSession,
    flow: PayingFlow,
    id_: str,
    shape: type[View],
    change: Callable[[View], View],
) -> View | None:
    """The view where it changes something of it; whoever follows it is told of that."""
    found = await session.scalar(
        select(FlowRow.view)
        .where(FlowRow.id == id_, FlowRow.kind == flow.value, FlowRow.ended_at.is_not(None))
        .with_for_update()
    )
    if found is None:
        return None
    before = shape.model_validate(found)
    view = change(before)
    if view == before:
        return None
    await session.execute(
        update(FlowRow)
        .where(FlowRow.id == id_)
        .values(view=view.model_dump(mode="json"), rev=FlowRow.rev + 1)
        .execution_options(synchronize_session=False)
    )
    await session.execute(select(func.pg_notify("flow", id_)))
    return view
