"""Which products fit which vehicles; lines of carts and orders may be for one."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "vehicle_fit"
down_revision: str | None = "reconciliation"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "vehicle_fit",
        sa.Column("vehicle_id", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("needs", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column(
            "checked_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint(
            "verdict in ('fits', 'needs', 'does_not_fit')", name=op.f("ck_vehicle_fit_verdict")
        ),
        sa.CheckConstraint(
            "(verdict = 'needs') = (cardinality(needs) > 0)", name=op.f("ck_vehicle_fit_needs")
        ),
        sa.ForeignKeyConstraint(
            ["vehicle_id"],
            ["vehicle.id"],
            name=op.f("fk_vehicle_fit_vehicle_id_vehicle"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["product_id"],
            ["product.id"],
            name=op.f("fk_vehicle_fit_product_id_product"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("vehicle_id", "product_id", name=op.f("pk_vehicle_fit")),
    )
    op.create_index("ix_vehicle_fit_product_id", "vehicle_fit", ["product_id"])
    op.add_column("cart_line", sa.Column("vehicle_id", sa.Integer(), nullable=True))
    op.create_foreign_key(
        op.f("fk_cart_line_vehicle_id_vehicle"),
        "cart_line",
        "vehicle",
        ["vehicle_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index("ix_cart_line_vehicle_id", "cart_line", ["vehicle_id"])
    op.add_column("shop_order_line", sa.Column("vehicle", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("shop_order_line", "vehicle")
    op.drop_index("ix_cart_line_vehicle_id", table_name="cart_line")
    op.drop_constraint(op.f("fk_cart_line_vehicle_id_vehicle"), "cart_line")
    op.drop_column("cart_line", "vehicle_id")
    op.drop_table("vehicle_fit")
