"""Orders, their lines, shipments and history."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "orders"
down_revision: str | None = "plans"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TIME = sa.DateTime(timezone=True)
_MONEY = sa.Numeric(precision=12, scale=2)
_OPEN = "status in ('placed', 'handed_over', 'confirmed', 'part_shipped', 'shipped')"
_STATUSES = (
    "status in ('placed', 'handed_over', 'confirmed', 'part_shipped', 'shipped', 'invoiced', "
    "'cancelled')"
)


def upgrade() -> None:
    op.create_table(
        "shop_order",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column(
            "count", sa.BigInteger(), sa.Identity(always=True, start=100_001), nullable=False
        ),
        sa.Column("number", sa.Text(), sa.Computed("'T-' || count::text"), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("placed_by", sa.Text(), nullable=False),
        sa.Column("placed_by_name", sa.Text(), nullable=False),
        sa.Column("acting_as", sa.Text(), nullable=True),
        sa.Column("po_number", sa.Text(), nullable=True),
        sa.Column("pieces", sa.Integer(), nullable=False),
        sa.Column("subtotal", _MONEY, nullable=False),
        sa.Column("freight", _MONEY, nullable=False),
        sa.Column("tax", _MONEY, nullable=False),
        sa.Column("taxes", JSONB(), nullable=False),
        sa.Column("total", _MONEY, nullable=False),
        sa.Column("shipping_method", sa.Text(), nullable=False),
        sa.Column("shipping_address", JSONB(), nullable=False),
        sa.Column("billing_address", JSONB(), nullable=False),
        sa.Column("payment_type", sa.Text(), nullable=False),
        sa.Column("payment_shown", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("erp_number", sa.Text(), nullable=True),
        sa.Column("invoice_number", sa.Text(), nullable=True),
        sa.Column("accepted_at", _TIME, nullable=True),
        sa.Column("cancelled_at", _TIME, nullable=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("updated_at", _TIME, server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(_STATUSES, name=op.f("ck_shop_order_status")),
        sa.CheckConstraint("total = subtotal + freight + tax", name=op.f("ck_shop_order_total")),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_shop_order_partner_code_partner"),
            onupdate="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_order")),
        sa.UniqueConstraint("number", name=op.f("uq_shop_order_number")),
        sa.UniqueConstraint("token", name=op.f("uq_shop_order_token")),
        sa.UniqueConstraint("erp_number", name=op.f("uq_shop_order_erp_number")),
    )
    op.create_index(
        "ix_shop_order_partner_created", "shop_order", ["partner_code", "created_at", "id"]
    )
    op.create_index(
        "ix_shop_order_partner_open",
        "shop_order",
        ["partner_code"],
        postgresql_where=sa.text(_OPEN),
    )
    op.create_index(
        "ix_shop_order_po_number_likeness",
        "shop_order",
        [sa.text("po_number gin_trgm_ops")],
        postgresql_using="gin",
    )
    op.create_table(
        "shop_order_line",
        _order_id(),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("image", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("now", sa.Integer(), nullable=False),
        sa.Column("later", sa.Integer(), nullable=False),
        sa.Column("unit_price", _MONEY, nullable=False),
        sa.Column("total", _MONEY, nullable=False),
        sa.CheckConstraint(
            "quantity > 0 and quantity = now + later", name=op.f("ck_shop_order_line_quantity")
        ),
        sa.CheckConstraint("total = unit_price * quantity", name=op.f("ck_shop_order_line_total")),
        _to_order("shop_order_line"),
        sa.PrimaryKeyConstraint("order_id", "place", name=op.f("pk_shop_order_line")),
    )
    op.create_table(
        "shop_order_shipment",
        _order_id(),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("carrier", sa.Text(), nullable=False),
        sa.Column("tracking_number", sa.Text(), nullable=False),
        sa.Column("shipped_at", _TIME, nullable=False),
        sa.Column("parcels", JSONB(), nullable=False),
        _to_order("shop_order_shipment"),
        sa.PrimaryKeyConstraint("order_id", "number", name=op.f("pk_shop_order_shipment")),
    )
    op.create_table(
        "shop_order_event",
        _order_id(),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        _to_order("shop_order_event"),
        sa.PrimaryKeyConstraint("order_id", "key", name=op.f("pk_shop_order_event")),
    )


def downgrade() -> None:
    op.drop_table("shop_order_event")
    op.drop_table("shop_order_shipment")
    op.drop_table("shop_order_line")
    op.drop_table("shop_order")


def _order_id() -> sa.Column[str]:
    return sa.Column("order_id", sa.Text(), nullable=False)


def _to_order(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["order_id"],
        ["shop_order.id"],
        name=op.f(f"fk_{table}_order_id_shop_order"),
        ondelete="CASCADE",
    )
