"""Coupons are taken: their limits, who took one, and what it took off an order."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "coupons"
down_revision: str | None = "team_board"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_ORDER_TOTAL = "ck_shop_order_total"


def upgrade() -> None:
    op.add_column(
        "coupon",
        sa.Column("categories", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
    )
    op.add_column(
        "coupon",
        sa.Column("is_first_order", sa.Boolean(), server_default="false", nullable=False),
    )
    op.add_column("coupon", sa.Column("most_uses", sa.Integer(), nullable=True))
    op.add_column("coupon", sa.Column("most_per_business", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("ck_coupon_limits"), "coupon", "most_uses > 0 and most_per_business > 0"
    )
    op.create_table(
        "coupon_use",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(12, 2), nullable=False),
        sa.Column(
            "taken_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.ForeignKeyConstraint(
            ["token"], ["cart.token"], name=op.f("fk_coupon_use_token_cart"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["code"], ["coupon.code"], name=op.f("fk_coupon_use_code_coupon")),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_coupon_use_partner_code_partner"),
            ondelete="CASCADE",
            onupdate="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_coupon_use")),
    )
    op.create_index("ix_coupon_use_code_partner", "coupon_use", ["code", "partner_code"])
    op.add_column("cart", sa.Column("coupon_code", sa.Text(), nullable=True))
    op.add_column("shop_order", sa.Column("coupon_code", sa.Text(), nullable=True))
    op.add_column(
        "shop_order",
        sa.Column("coupon_amount", sa.Numeric(12, 2), server_default="0", nullable=False),
    )
    op.drop_constraint(op.f(_ORDER_TOTAL), "shop_order")
    op.create_check_constraint(
        op.f(_ORDER_TOTAL), "shop_order", "total = subtotal - coupon_amount + freight + tax"
    )


def downgrade() -> None:
    op.drop_constraint(op.f(_ORDER_TOTAL), "shop_order")
    op.create_check_constraint(op.f(_ORDER_TOTAL), "shop_order", "total = subtotal + freight + tax")
    op.drop_column("shop_order", "coupon_amount")
    op.drop_column("shop_order", "coupon_code")
    op.drop_column("cart", "coupon_code")
    op.drop_table("coupon_use")
    op.drop_constraint(op.f("ck_coupon_limits"), "coupon")
    op.drop_column("coupon", "most_per_business")
    op.drop_column("coupon", "most_uses")
    op.drop_column("coupon", "is_first_order")
    op.drop_column("coupon", "categories")
