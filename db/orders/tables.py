"""The rows of an order: itself, its lines, shipments, withdrawals and history."""

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Computed,
    ForeignKey,
    Identity,
    Index,
    Numeric,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.orders.orders import FIRST_NUMBER, OPEN, OrderStatus

_MONEY = Numeric(12, 2)
_STATUSES = ", ".join(f"'{status.value}'" for status in OrderStatus)
_OPEN = ", ".join(f"'{status.value}'" for status in OrderStatus if status in OPEN)


class OrderRow(Base):
    """One order for each cart. Its figures are never changed; what the ERP adds stands beside them."""

    __tablename__ = "shop_order"
    # `number` is the database's own: without this a change of the row would have it read again, where nobody can wait.
    __mapper_args__: ClassVar = {"eager_defaults": True}
    __table_args__ = (
        CheckConstraint(f"status in ({_STATUSES})", name="status"),
        CheckConstraint("total = subtotal - coupon_amount + freight + tax", name="total"),
        Index("ix_shop_order_partner_created", "partner_code", "created_at", "id"),
        Index(
            "ix_shop_order_partner_open",
            "partner_code",
            postgresql_where=text(f"status in ({_OPEN})"),
        ),
        Index(
            "ix_shop_order_partner_po",
            "partner_code",
            "po_number",
            postgresql_where=text("po_number is not null"),
        ),
        Index(
            "ix_shop_order_po_number_likeness",
            text("po_number gin_trgm_ops"),
            postgresql_using="gin",
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger, Identity(always=True, start=FIRST_NUMBER))
    number: Mapped[str] = mapped_column(Text, Computed("'T-' || count::text"), unique=True)
    token: Mapped[str] = mapped_column(Text, unique=True)
    workflow_id: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(ForeignKey("partner.sap_bp_code", onupdate="CASCADE"))
    placed_by: Mapped[str] = mapped_column(Text)
    placed_by_name: Mapped[str] = mapped_column(Text)
    acting_as: Mapped[str | None] = mapped_column(Text)
    po_number: Mapped[str | None] = mapped_column(Text)
    pieces: Mapped[int]
    subtotal: Mapped[Decimal] = mapped_column(_MONEY)
    coupon_code: Mapped[str | None] = mapped_column(Text)
    coupon_amount: Mapped[Decimal] = mapped_column(_MONEY, server_default="0")
    freight: Mapped[Decimal] = mapped_column(_MONEY)
    tax: Mapped[Decimal] = mapped_column(_MONEY)
    taxes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    total: Mapped[Decimal] = mapped_column(_MONEY)
    shipping_method: Mapped[str] = mapped_column(Text)
    shipping_address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    billing_address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    payment_type: Mapped[str] = mapped_column(Text)
    payment_shown: Mapped[str] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(Text)
    erp_number: Mapped[str | None] = mapped_column(Text, unique=True)
    invoice_number: Mapped[str | None] = mapped_column(Text)
    accepted_at: Mapped[datetime | None]
    cancelled_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class OrderLineRow(Base):
    """As it was ordered. No key to the catalogue: the order outlives the product."""

    __tablename__ = "shop_order_line"
    __table_args__ = (
        CheckConstraint("quantity > 0 and quantity = now + later", name="quantity"),
        CheckConstraint("total = unit_price * quantity", name="total"),
    )

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    place: Mapped[int] = mapped_column(primary_key=True)
    variant_id: Mapped[str] = mapped_column(Text)
    product_id: Mapped[str] = mapped_column(Text)
    sku: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    image: Mapped[str] = mapped_column(Text)
    quantity: Mapped[int]
    now: Mapped[int]
    later: Mapped[int]
    unit_price: Mapped[Decimal] = mapped_column(_MONEY)
    total: Mapped[Decimal] = mapped_column(_MONEY)
    vehicle: Mapped[str | None] = mapped_column(Text)


class ShipmentRow(Base):
    __tablename__ = "shop_order_shipment"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    carrier: Mapped[str] = mapped_column(Text)
    tracking_number: Mapped[str] = mapped_column(Text)
    shipped_at: Mapped[datetime]
    parcels: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)


class WithdrawalRow(Base):
    """A shipment that will not be sent, and what was paid for it."""

    __tablename__ = "shop_order_withdrawal"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    reason: Mapped[str] = mapped_column(Text)
    withdrawn_at: Mapped[datetime]
    parcels: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    amount: Mapped[Decimal] = mapped_column(_MONEY)


class OrderInvoiceRow(Base):
    """An invoice of an order, as it was told: of one shipment, or of the whole order."""

    __tablename__ = "shop_order_invoice"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    shipment_number: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(_MONEY)
    recorded_at: Mapped[datetime] = mapped_column("heard_at", server_default=func.now())


class OrderEventRow(Base):
    """The history of an order; each entry once, by `key`."""

    __tablename__ = "shop_order_event"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    note: Mapped[str | None] = mapped_column(Text)
