"""Payments and their ledger. One payment for each key; entries of the ledger are added and never changed."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, Numeric, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class PaymentRow(Base):
    """What was asked for and what became of it. It names business, person and method without a reference: a payment outlives
    them."""

    __tablename__ = "payment"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("captured <= amount", name="captured"),
        CheckConstraint("refunded <= captured", name="refunded"),
        Index("ix_payment_flow_flow_id", "flow", "flow_id"),
        Index("ix_payment_partner_code_created_at", "partner_code", "created_at"),
        Index("ix_payment_provider_id", "provider_id"),
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
