"""Chargebacks, and what they take from the payments that they are about."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    Text,
    exists,
    func,
    literal,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.payments import PaymentEntryRow, PaymentRow
from domain.billing.disputes import Dispute, DisputeStatus, Loss, overtakes
from domain.billing.payments import NOTHING


class DisputeRow(Base):
    """What the provider last told of it. `case_id` names the case that was opened for it, `updated_at` is since when it has its
    status: the chargebacks of one payment are decided one after another, as each move holds the payment."""

    __tablename__ = "dispute"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        Index("ix_dispute_payment", "payment_id"),
        Index("ix_dispute_untold", "id", postgresql_where=text("case_id is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    payment_id: Mapped[str] = mapped_column(ForeignKey("payment.id"))
    status: Mapped[str] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    currency: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    respond_by: Mapped[datetime | None]
    case_id: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def dispute_status(session: AsyncSession, dispute_id: str) -> DisputeStatus | None:
    """Where it stood when it was last told of."""
    found = await session.scalar(select(DisputeRow.status).where(DisputeRow.id == dispute_id))
    return DisputeStatus(found) if found else None


async def is_undecided(session: AsyncSession, payment_id: str) -> bool:
    """Whether a bank has taken the payment back, and not decided yet."""
    is_open = DisputeRow.status == DisputeStatus.OPEN.value
    found = exists().where(DisputeRow.payment_id == payment_id, is_open)
    return bool(await session.scalar(select(found)))


async def loss_of(session: AsyncSession, dispute_id: str) -> Loss | None:
    """None while it is not lost."""
    is_lost = DisputeRow.status == DisputeStatus.LOST.value
    dispute = await session.scalar(
        select(DisputeRow)
        .where(DisputeRow.id == dispute_id, is_lost)
        .execution_options(populate_existing=True)
    )
    if dispute is None:
        return None
    is_earlier = tuple_(DisputeRow.updated_at, DisputeRow.id) < tuple_(
        literal(dispute.updated_at), literal(dispute.id)
    )
    before = await session.scalar(
        select(func.sum(DisputeRow.amount)).where(
            DisputeRow.payment_id == dispute.payment_id, is_lost, is_earlier
        )
    )
    return Loss(payment_id=dispute.payment_id, amount=dispute.amount, before=before or NOTHING)


async def record_dispute(session: AsyncSession, dispute: Dispute) -> bool:
    """Writes what the provider told: the row, what the payment does not hold any more, and the ledger's entry: `returned`,
    and the same less than nothing where the bank gave it back. Idempotent; overtaken answers change nothing. False where the
    payment is not ours."""
    payment = await session.scalar(
        select(PaymentRow)
        .where(PaymentRow.provider_id == dispute.provider_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if payment is None:
        return False
    before = await session.get(DisputeRow, dispute.id, populate_existing=True)
    if before is not None and not overtakes(DisputeStatus(before.status), dispute.status):
        return True
    held = NOTHING
    if before is not None:
        known = dispute.model_copy(
            update={"status": DisputeStatus(before.status), "amount": before.amount}
        )
        held = known.taken_back
    changed: dict[str, Any] = {
        "status": dispute.status,
        "amount": dispute.amount,
        "reason": dispute.reason,
        "respond_by": dispute.respond_by,
    }
    if before is None or before.status != dispute.status:
        changed["updated_at"] = func.clock_timestamp()  # that of the lock, not of the transaction
    await session.execute(
        insert(DisputeRow)
        .values(id=dispute.id, payment_id=payment.id, currency=dispute.currency, **changed)
        .on_conflict_do_update(index_elements=[DisputeRow.id], set_=changed)
    )
    taken = dispute.taken_back - held
    if taken:
        disputed = payment.disputed + taken
        await session.execute(
            insert(PaymentEntryRow)
            .values(
                id=f"{payment.id}:{dispute.id}:{dispute.status}:{disputed}",
                payment_id=payment.id,
                kind="returned",
                amount=taken,
                detail=dispute.reason,
            )
            .on_conflict_do_nothing()
        )
        await session.execute(
            update(PaymentRow)
            .where(PaymentRow.id == payment.id)
            .values(disputed=disputed, updated_at=func.now())
        )
    return True
