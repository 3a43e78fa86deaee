"""Receipts of plan purchases: one row for each purchase that was charged, or that was declined."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, Index, Text, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.plans import MONEY


class ReceiptRow(Base):
    """`uuid` is the purchase's id. Amounts add up: what was charged is base less discount plus tax."""

    __tablename__ = "receipt"
    __table_args__ = (
        CheckConstraint("final_charge = base_amount - currency_discount + base_tax", name="sums"),
        CheckConstraint("refunded between 0 and final_charge", name="refunded"),
        Index("ix_receipt_partner_created", "partner_code", "created_at", "uuid"),
        Index("ix_receipt_owner_created", "owner_id", "created_at", "uuid"),
        Index("ix_receipt_created", "created_at", "uuid"),
    )

    uuid: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str | None] = mapped_column(Text)
    dealer_id: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[str | None] = mapped_column(Text)
    subscriber_id: Mapped[str | None] = mapped_column(Text)
    bought_by: Mapped[str] = mapped_column(Text)
    acting_for: Mapped[str | None] = mapped_column(Text)
    succeeded: Mapped[bool]
    detail: Mapped[str | None] = mapped_column(Text)
    transaction_id: Mapped[str | None] = mapped_column(Text)
    payment_shown: Mapped[str] = mapped_column(Text)
    currency: Mapped[str] = mapped_column(Text)
    base_amount: Mapped[Decimal] = mapped_column(MONEY)
    currency_discount: Mapped[Decimal] = mapped_column(MONEY)
    base_tax: Mapped[Decimal] = mapped_column(MONEY)
    gst_hst: Mapped[Decimal] = mapped_column(MONEY)
    final_charge: Mapped[Decimal] = mapped_column(MONEY)
    refunded: Mapped[Decimal] = mapped_column(MONEY, server_default="0")
    lines: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    taxes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    completed_at: Mapped[datetime | None]
