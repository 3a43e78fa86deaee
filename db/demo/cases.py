"""Two cases to look at: one that solves itself within seconds, and one that waits for a person."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.operations.cases.opening import open_case
from db.orders.tables import OrderRow
from domain.billing.payments import PROMISES
from domain.operations.cases import CaseCause, CaseStart, case_id, on_order
from domain.orders.orders import OrderStatus


async def add_cases(session: AsyncSession, partner_code: str, now: datetime) -> bool:
    """On the last orders of a business: one that the warehouse cancelled, and one whose money was never settled. Nobody wrote
    a reason, so that both are told in the words of their cause. Answers whether any was added; the same again adds nothing."""
    cancelled = await _last(session, partner_code, OrderStatus.CANCELLED)
    confirmed = await _last(session, partner_code, OrderStatus.CONFIRMED)
    added = False
    for order, cause in (
        (cancelled, CaseCause.ORDER_CANCELLED),
        (confirmed, CaseCause.RUN_LOST),
    ):
        if order is not None:
            start = CaseStart(
                id=case_id(cause, order.id),
                cause=cause,
                belongs_to=on_order(
                    order.id,
                    order.number,
                    order.token,
                    is_promised=order.payment_type in PROMISES,
                ),
                partner_code=partner_code,
                person_id=order.placed_by,
                site="ca",
                opened_at=now - timedelta(hours=3),
            )
            added = await open_case(session, start) or added
    return added


async def _last(session: AsyncSession, partner_code: str, status: OrderStatus) -> OrderRow | None:
    query = select(OrderRow).where(
        OrderRow.partner_code == partner_code, OrderRow.status == status.value
    )
    return await session.scalar(query.order_by(OrderRow.created_at.desc()).limit(1))
