"""Purchases of plans that somebody has begun to pay and not seen the end of."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.runs.flows import FlowRow
from domain.plans.purchase_v3 import UNDER_WAY
from domain.plans.purchases import OpenPurchase, PurchaseView

MOST_OPEN = 20


async def open_purchases(
    session: AsyncSession, person_id: str, partner_code: str
) -> Sequence[OpenPurchase]:
    """The person's own for this business, the latest change first."""
    rows = await session.scalars(
        select(FlowRow)
        .where(
            FlowRow.kind == "purchase",
            FlowRow.ended_at.is_(None),
            FlowRow.owner_id == person_id,
            FlowRow.partner == partner_code,
            FlowRow.state.in_(UNDER_WAY),
        )
        .order_by(FlowRow.updated_at.desc(), FlowRow.id)
        .limit(MOST_OPEN)
    )
    return [_open(row) for row in rows]


def _open(row: FlowRow) -> OpenPurchase:
    view = PurchaseView.model_validate(row.view)
    return OpenPurchase(
        id=row.id,
        state=row.state,
        device_keys=tuple(line.device_key for line in view.lines),
        final_charge=view.final_charge,
        updated_at=row.updated_at,
    )
