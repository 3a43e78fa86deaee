"""Placements, what they hold of stock and credit, and runs that concern no single device."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "placements"
down_revision: str | None = "bank_verifications"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_NOW = sa.text("now()")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.alter_column("flow", "device_key", existing_type=sa.Text(), nullable=True)
    op.create_table(
        "frozen_view",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("view", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("flow_id", name=op.f("pk_frozen_view")),
    )
    op.create_table(
        "placement",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("start", JSONB(), nullable=False),
        sa.Column("quote", JSONB(), nullable=False),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("ended_at", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("token", "turn", name=op.f("pk_placement")),
    )
    op.create_index(
        "uq_placement_open",
        "placement",
        ["token"],
        unique=True,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_table(
        "stock_reservation",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.CheckConstraint("quantity > 0", name=op.f("ck_stock_reservation_quantity")),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variant.id"], name=op.f("fk_stock_reservation_variant_id_variant")
        ),
        sa.PrimaryKeyConstraint("flow_id", "variant_id", name=op.f("pk_stock_reservation")),
    )
    op.create_index(
        "ix_stock_reservation_variant_id", "stock_reservation", ["variant_id"], unique=False
    )
    op.create_table(
        "credit_reservation",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_credit_reservation_amount")),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_credit_reservation_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("flow_id", name=op.f("pk_credit_reservation")),
    )
    op.create_index(
        "ix_credit_reservation_partner_code", "credit_reservation", ["partner_code"], unique=False
    )


def downgrade() -> None:
    op.drop_table("credit_reservation")
    op.drop_table("stock_reservation")
    op.drop_table("placement")
    op.drop_table("frozen_view")
    op.execute("delete from flow where device_key is null")
    op.alter_column("flow", "device_key", existing_type=sa.Text(), nullable=False)
