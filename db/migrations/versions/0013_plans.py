"""Plans with their prices, subscriptions of devices, and receipts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "plans"
down_revision: str | None = "plan_lines"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_NOW = sa.text("now()")
_TIME = sa.DateTime(timezone=True)
_MONEY = sa.Numeric(precision=12, scale=2)
_LIVE = sa.text("superseded_at is null")


def upgrade() -> None:
    op.create_table(
        "plan_type",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("image", sa.Text(), nullable=False),
        sa.Column("image_description", sa.Text(), nullable=False),
        sa.Column("popular", sa.Boolean(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("is_retired", sa.Boolean(), server_default="false", nullable=False),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_plan_type")),
    )
    op.create_table(
        "plan_price",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("amount", _MONEY, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_plan_price_amount")),
        sa.ForeignKeyConstraint(
            ["slug"],
            ["plan_type.slug"],
            name=op.f("fk_plan_price_slug_plan_type"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("slug", "term", "channel", name=op.f("pk_plan_price")),
    )
    op.create_table(
        "subscription",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("product_name", sa.Text(), nullable=False),
        sa.Column("plan_id", sa.Text(), nullable=False),
        sa.Column("plan_slug", sa.Text(), nullable=False),
        sa.Column("plan_name", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("starts_at", _TIME, nullable=False),
        sa.Column("ends_at", _TIME, nullable=False),
        sa.Column("worth", _MONEY, nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("dealer_id", sa.Text(), nullable=True),
        sa.Column("owner_id", sa.Text(), nullable=True),
        sa.Column("purchase_id", sa.Text(), nullable=True),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("superseded_at", _TIME, nullable=True),
        sa.Column("reminded_at", _TIME, nullable=True),
        sa.CheckConstraint("worth >= 0", name=op.f("ck_subscription_worth")),
        sa.CheckConstraint("ends_at > starts_at", name=op.f("ck_subscription_times")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscription")),
    )
    op.create_index(
        "uq_subscription_live", "subscription", ["device_key"], unique=True, postgresql_where=_LIVE
    )
    op.create_index(
        "ix_subscription_partner_ends",
        "subscription",
        ["partner_code", "ends_at", "id"],
        unique=False,
        postgresql_where=_LIVE,
    )
    op.create_index(
        "ix_subscription_owner_ends",
        "subscription",
        ["owner_id", "ends_at", "id"],
        unique=False,
        postgresql_where=_LIVE,
    )
    op.create_index(
        "ix_subscription_ends",
        "subscription",
        ["ends_at"],
        unique=False,
        postgresql_where=sa.text("superseded_at is null and reminded_at is null"),
    )
    op.create_index("ix_subscription_purchase_id", "subscription", ["purchase_id"], unique=False)
    op.create_table(
        "receipt",
        sa.Column("uuid", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("dealer_id", sa.Text(), nullable=True),
        sa.Column("owner_id", sa.Text(), nullable=True),
        sa.Column("subscriber_id", sa.Text(), nullable=True),
        sa.Column("bought_by", sa.Text(), nullable=False),
        sa.Column("acting_for", sa.Text(), nullable=True),
        sa.Column("succeeded", sa.Boolean(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("transaction_id", sa.Text(), nullable=True),
        sa.Column("payment_shown", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("base_amount", _MONEY, nullable=False),
        sa.Column("currency_discount", _MONEY, nullable=False),
        sa.Column("base_tax", _MONEY, nullable=False),
        sa.Column("gst_hst", _MONEY, nullable=False),
        sa.Column("final_charge", _MONEY, nullable=False),
        sa.Column("refunded", _MONEY, server_default="0", nullable=False),
        sa.Column("lines", JSONB(), nullable=False),
        sa.Column("taxes", JSONB(), nullable=False),
        sa.Column("address", JSONB(), nullable=False),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("completed_at", _TIME, nullable=True),
        sa.CheckConstraint(
            "final_charge = base_amount - currency_discount + base_tax",
            name=op.f("ck_receipt_sums"),
        ),
        sa.CheckConstraint("refunded between 0 and final_charge", name=op.f("ck_receipt_refunded")),
        sa.PrimaryKeyConstraint("uuid", name=op.f("pk_receipt")),
    )
    op.create_index(
        "ix_receipt_partner_created",
        "receipt",
        ["partner_code", "created_at", "uuid"],
        unique=False,
    )
    op.create_index(
        "ix_receipt_owner_created", "receipt", ["owner_id", "created_at", "uuid"], unique=False
    )
    op.create_index("ix_receipt_created", "receipt", ["created_at", "uuid"], unique=False)


def downgrade() -> None:
    op.drop_table("receipt")
    op.drop_table("subscription")
    op.drop_table("plan_price")
    op.drop_table("plan_type")
