"""What each purchase of plans was begun with, so that one whose run is gone goes on as another."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Text, select, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.payments import is_left_to_a_case, payments_of_flow
from db.plans.agreements import pay_by_of
from db.runs import flows
from domain.billing.payments import PayingFlow
from domain.plans.purchases import PurchaseResume, PurchaseStart, PurchaseView, resumed


class PurchaseStartRow(Base):
    __tablename__ = "purchase_start"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)


async def save_start(session: AsyncSession, start: PurchaseStart) -> bool:
    """Kept before the run begins; the same purchase begun anew takes the place of what was kept. Answers whether something is
    bought by it for the first time."""
    written = start.model_dump(mode="json")
    row = insert(PurchaseStartRow).values(id=start.id, start=written).on_conflict_do_nothing()
    is_new = await session.scalar(row.returning(PurchaseStartRow.id)) is not None
    if is_new:
        return start.pay_by is not None
    of_same = PurchaseStartRow.id == start.id
    stored = await session.scalar(select(PurchaseStartRow.start).where(of_same).with_for_update())
    await session.execute(update(PurchaseStartRow).where(of_same).values(start=written))
    return start.pay_by is not None and (stored is None or stored["pay_by"] is None)


async def not_shown(session: AsyncSession, ids: Collection[str]) -> tuple[PurchaseStart, ...]:
    """Those of the purchases that nobody has ever seen."""
    row = flows.FlowRow
    shown = select(row.id).where(row.kind == "purchase", row.id == PurchaseStartRow.id).exists()
    found = await session.scalars(
        select(PurchaseStartRow.start).where(PurchaseStartRow.id.in_(ids), ~shown)
    )
    return tuple(PurchaseStart.model_validate(start) for start in found)


async def start_in_place_of(session: AsyncSession, purchase_id: str) -> PurchaseStart | None:
    """The start of a run that goes on where the lost one stood. None for one that was begun before starts were kept."""
    row = await session.get(PurchaseStartRow, purchase_id)
    run = await flows.find_flow(session, "purchase", purchase_id)
    if row is None or run is None:
        return None
    paid = await payments_of_flow(session, PayingFlow.PURCHASE, purchase_id)
    request = paid[-1].request if paid else None
    return resumed(
        PurchaseStart.model_validate(row.start),
        rev=run.rev,
        resume=PurchaseResume(
            state=run.state,
            view=PurchaseView.model_validate(run.view),
            wish=request,
            is_let_go=request is not None and await is_left_to_a_case(session, request.payment_id),
            is_left=await is_left_to_a_case(session, *(one.id for one in paid)),
            pay_by=await pay_by_of(session, purchase_id),
            listeners=await _listeners(session, purchase_id),
        ),
    )


async def _listeners(session: AsyncSession, purchase_id: str) -> tuple[str, ...]:
    """The runs of open activations that wait for it; at most as many as one purchase has devices."""
    row = flows.FlowRow
    rows = await session.scalars(
        select(row.workflow_id)
        .where(
            row.kind == "activation",
            row.ended_at.is_(None),
            row.view["facts"]["purchase"]["purchase_id"].as_string() == purchase_id,
        )
        .order_by(row.created_at, row.id)
        .limit(1000)
    )
    return tuple(rows)
