"""Saved cards and bank accounts. A business has at most one main method: the database sees to it."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class PaymentCustomerRow(Base):
    """How a business is called at the card provider."""

    __tablename__ = "payment_customer"

    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE"),
        primary_key=True,
    )
    provider_id: Mapped[str] = mapped_column(Text, unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PaymentMethodRow(Base):
    """A deleted method keeps its row, so that old payments can still be told of. `fingerprint` is the provider's name for
    the number behind a card: the same card is saved once."""

    __tablename__ = "payment_method"
    __table_args__ = (
        CheckConstraint("type in ('CARD', 'BANK_ACCOUNT')", name="type"),
        CheckConstraint("status in ('ready', 'pending', 'failed', 'returned')", name="status"),
        CheckConstraint("last4 ~ '^[0-9]{4}$'", name="last4"),
        CheckConstraint("exp_month between 1 and 12", name="exp_month"),
        CheckConstraint("not (is_main and deleted_at is not null)", name="main_is_there"),
        Index(
            "uq_payment_method_main",
            "partner_code",
            unique=True,
            postgresql_where=text("is_main"),
        ),
        Index(
            "uq_payment_method_fingerprint",
            "partner_code",
            "fingerprint",
            unique=True,
            postgresql_where=text("deleted_at is null"),
        ),
        Index("ix_payment_method_partner_code", "partner_code"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    type: Mapped[str] = mapped_column(Text)
    is_main: Mapped[bool] = mapped_column(server_default="false")
    is_hidden: Mapped[bool] = mapped_column(server_default="false")
    brand: Mapped[str] = mapped_column(Text)
    last4: Mapped[str] = mapped_column(Text)
    exp_month: Mapped[int | None]
    exp_year: Mapped[int | None]
    name: Mapped[str] = mapped_column(Text)
    country: Mapped[str] = mapped_column(Text)
    street_address_1: Mapped[str] = mapped_column(Text, server_default="")
    street_address_2: Mapped[str] = mapped_column(Text, server_default="")
    city: Mapped[str] = mapped_column(Text, server_default="")
    state: Mapped[str] = mapped_column(Text, server_default="")
    postal_code: Mapped[str] = mapped_column(Text, server_default="")
    status: Mapped[str] = mapped_column(Text)
    provider_id: Mapped[str] = mapped_column(Text)
    customer_id: Mapped[str | None] = mapped_column(Text)
    fingerprint: Mapped[str] = mapped_column(Text)
    verification_id: Mapped[str | None] = mapped_column(Text)
    created_by: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]
