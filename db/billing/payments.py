"""Payments and their ledger. One payment for each key; entries of the ledger are added and never changed."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    Text,
    and_,
    exists,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, aliased, mapped_column

from db.base import Base
from db.billing.after_the_end import show_paid_back
from db.runs.flows import FlowRow
from domain.base import Frozen, Utc
from domain.billing.payments import (
    PayingFlow,
    Payment,
    PaymentKeyReused,
    PaymentMissing,
    PaymentRequest,
    PaymentStatus,
    ProviderPayment,
    Refund,
    difference,
    entries_between,
    is_overtaken,
)
from domain.operations.cases import left_to_a_case


class PaymentRow(Base):
    """What was asked for and what became of it. It names business, person and method without a reference: a payment outlives
    them."""

    __tablename__ = "payment"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("captured >= 0", name="captured"),
        CheckConstraint("refunded <= captured", name="refunded"),
        Index("ix_payment_flow_flow_id", "flow", "flow_id"),
        Index("ix_payment_partner_code_created_at", "partner_code", "created_at"),
        Index("ix_payment_provider_id", "provider_id"),
        Index("ix_payment_created", "created_at", "id"),
        Index("ix_payment_returned", "id", postgresql_where=text("status = 'RETURNED'")),
        Index("ix_payment_differs", "id", postgresql_where=text("differs is not null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, unique=True)
    flow: Mapped[str] = mapped_column(Text)
    flow_id: Mapped[str] = mapped_column(Text)
    workflow_id: Mapped[str] = mapped_column(Text)
    attempt: Mapped[int]
    partner_code: Mapped[str] = mapped_column(Text)
    person_id: Mapped[str] = mapped_column(Text)
    type: Mapped[str] = mapped_column(Text)
    method_id: Mapped[str | None] = mapped_column(Text)
    provider_method_id: Mapped[str | None] = mapped_column(Text)
    provider_customer_id: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    currency: Mapped[str] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text)
    reference: Mapped[str | None] = mapped_column(Text)
    capture: Mapped[bool]
    status: Mapped[str] = mapped_column(Text)
    provider_id: Mapped[str | None] = mapped_column(Text)
    detail: Mapped[str | None] = mapped_column(Text)
    action_url: Mapped[str | None] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)
    captured: Mapped[Decimal] = mapped_column(Numeric(12, 2), server_default="0")
    refunded: Mapped[Decimal] = mapped_column(Numeric(12, 2), server_default="0")
    differs: Mapped[str | None] = mapped_column(Text)
    disputed: Mapped[Decimal] = mapped_column(Numeric(12, 2), server_default="0")
    """What a bank took back for the holder of the card."""
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PaymentEntryRow(Base):
    """One movement: `kind` with its `amount`. `id` follows from the payment, the kind and the sums, so that none is twice."""

    __tablename__ = "payment_entry"
    __table_args__ = (Index("ix_payment_entry_payment_id", "payment_id"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    payment_id: Mapped[str] = mapped_column(ForeignKey("payment.id"))
    kind: Mapped[str] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    detail: Mapped[str | None] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class PaymentSource(Frozen):
    """The provider's names for what is paid with, and how it is written."""

    method_id: str | None = None
    customer_id: str | None = None
    shown: str = ""


class StoredPayment(Frozen):
    """A payment with its source. `is_new` where it was not kept before."""

    payment: Payment
    source: PaymentSource
    begun_at: Utc
    is_new: bool = False


async def begin_payment(
    session: AsyncSession,
    request: PaymentRequest,
    source: PaymentSource,
    *,
    status: PaymentStatus = PaymentStatus.UNKNOWN,
) -> StoredPayment:
    """Notes that a payment will be asked for. Idempotent by the request's key. Raises PaymentKeyReused."""
    added = await session.scalar(
        insert(PaymentRow)
        .values(
            **request.model_dump(),
            id=request.payment_id,
            provider_method_id=source.method_id,
            provider_customer_id=source.customer_id,
            shown=source.shown,
            status=status,
        )
        .on_conflict_do_nothing()
        .returning(PaymentRow)
    )
    stored = _stored(added) if added else await payment_of(session, request.payment_id)
    if stored is None or stored.payment.request != request:
        raise PaymentKeyReused
    return stored.model_copy(update={"is_new": added is not None})


async def payment_of(
    session: AsyncSession, payment_id: str, *, lock: bool = False
) -> StoredPayment | None:
    """With `lock` until the transaction ends."""
    query = (
        select(PaymentRow)
        .where(PaymentRow.id == payment_id)
        .execution_options(populate_existing=True)
    )
    row = await session.scalar(query.with_for_update() if lock else query)
    return None if row is None else _stored(row)


async def payments_of_flow(session: AsyncSession, flow: str, flow_id: str) -> tuple[Payment, ...]:
    """In the order of their attempts; at most 100."""
    rows = await session.scalars(
        select(PaymentRow)
        .where(PaymentRow.flow == flow, PaymentRow.flow_id == flow_id)
        .order_by(PaymentRow.attempt, PaymentRow.created_at)
        .limit(100)
    )
    return tuple(_stored(row).payment for row in rows)


async def given_back(
    session: AsyncSession, flow: PayingFlow, flow_id: str, *, limit: int = 100
) -> tuple[Refund, ...]:
    """What was given back of what a run and its cases have taken, in the order of its times. A payment that went back whole while
    a later one was taken has bought nothing: it counts on neither side."""
    later = aliased(PaymentRow)
    is_replaced = exists().where(
        later.flow == PaymentRow.flow,
        later.flow_id == PaymentRow.flow_id,
        later.created_at > PaymentRow.created_at,
        later.captured > 0,
    )
    rows = await session.execute(
        select(PaymentEntryRow.at, PaymentEntryRow.amount)
        .join(PaymentRow, PaymentRow.id == PaymentEntryRow.payment_id)
        .where(
            PaymentRow.flow == flow.value,
            PaymentRow.flow_id == flow_id,
            PaymentEntryRow.kind == "refunded",
            or_(PaymentRow.refunded < PaymentRow.captured, ~is_replaced),
        )
        .order_by(PaymentEntryRow.at, PaymentEntryRow.id)
        .limit(limit)
    )
    return tuple(Refund(at=row.at, amount=row.amount) for row in rows)


async def is_awaited(session: AsyncSession, token: str) -> bool:
    """Whether a run that is under way may still ask for money by what its provider calls so."""
    query = (
        select(PaymentRow.id)
        .join(FlowRow, and_(FlowRow.kind == PaymentRow.flow, FlowRow.id == PaymentRow.flow_id))
        .where(
            FlowRow.kind.in_([flow.value for flow in PayingFlow]),
            FlowRow.ended_at.is_(None),
            PaymentRow.provider_method_id == token,
            PaymentRow.status.in_(_NOT_TAKEN),
        )
        .limit(1)
    )
    return await session.scalar(query) is not None


_NOT_TAKEN = (
    PaymentStatus.UNKNOWN,
    PaymentStatus.ACTION_REQUIRED,
    PaymentStatus.AUTHORISED,
)

_IS_CASE = text("select exists (select 1 from money_case where id = any(:ids))")


async def is_left_to_a_case(session: AsyncSession, *payment_ids: str) -> bool:
    """Whether a run has given any of these payments to a case."""
    ids = [case_id for one in payment_ids for case_id in left_to_a_case(one)]
    return bool(await session.scalar(_IS_CASE, {"ids": ids}))


async def name_payment(session: AsyncSession, payment_id: str, provider_id: str) -> Payment:
    """Keeps how the provider calls it, before any money is asked for; the answer tells whether it was voided meanwhile."""
    return await _changed(session, payment_id, provider_id=provider_id)


async def drop_payment(session: AsyncSession, payment_id: str) -> bool:
    """Voids a payment that no provider was asked for yet; False when one was."""
    stored = await payment_of(session, payment_id, lock=True)
    if stored is None or stored.payment.provider_id is not None:
        return False
    if stored.payment.status is PaymentStatus.UNKNOWN:
        await record_provider_state(
            session, payment_id, ProviderPayment(provider_id="", status=PaymentStatus.VOIDED)
        )
    return True


async def record_provider_state(
    session: AsyncSession, payment_id: str, at_provider: ProviderPayment
) -> Payment:
    """Writes what the provider told: the row, and the ledger's new entries. Idempotent; overtaken answers change nothing."""
    before = (await _needed(session, payment_id, lock=True)).payment
    if is_overtaken(before, at_provider):
        return before
    for kind, amount in entries_between(before, at_provider):
        await session.execute(
            insert(PaymentEntryRow)
            .values(
                id=f"{payment_id}:{kind}:{at_provider.captured}:{at_provider.refunded}",
                payment_id=payment_id,
                kind=kind,
                amount=amount,
                detail=at_provider.detail,
            )
            .on_conflict_do_nothing()
        )
    changed = await _changed(
        session,
        payment_id,
        status=at_provider.status,
        provider_id=at_provider.provider_id or before.provider_id,
        detail=at_provider.detail,
        action_url=at_provider.action_url,
        captured=at_provider.captured,
        refunded=max(at_provider.refunded, before.refunded),
        differs=difference(before, at_provider),
    )
    if changed.refunded > 0:
        await show_paid_back(session, changed.request.flow, changed.request.flow_id)
    return changed


async def _changed(session: AsyncSession, payment_id: str, **values: Any) -> Payment:
    """As it is then. Raises PaymentMissing."""
    row = await session.scalar(
        update(PaymentRow)
        .where(PaymentRow.id == payment_id)
        .values(**values, updated_at=func.now())
        .returning(PaymentRow)
        .execution_options(populate_existing=True, synchronize_session=False)
    )
    if row is None:
        raise PaymentMissing
    return _stored(row).payment


async def _needed(session: AsyncSession, payment_id: str, *, lock: bool = False) -> StoredPayment:
    stored = await payment_of(session, payment_id, lock=lock)
    if stored is None:
        raise PaymentMissing
    return stored


def _stored(row: PaymentRow) -> StoredPayment:
    request = PaymentRequest.model_validate(row, from_attributes=True)
    payment = Payment.model_validate(
        {
            name: getattr(row, name)
            for name in Payment.model_fields
            if name not in ("request", "token")
        }
        | {"request": request, "token": row.provider_method_id}
    )
    source = PaymentSource(
        method_id=row.provider_method_id, customer_id=row.provider_customer_id, shown=row.shown
    )
    return StoredPayment(payment=payment, source=source, begun_at=row.created_at)
