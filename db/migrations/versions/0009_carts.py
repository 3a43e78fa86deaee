"""Carts, their lines, and shipping methods."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "carts"
down_revision: str | None = "sealed_secrets"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_NOW = sa.text("now()")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "shipping_method",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("price", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.Column("free_from", sa.Numeric(precision=12, scale=2), nullable=True),
        sa.Column("is_pick_up", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("countries", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint("free_from >= 0", name=op.f("ck_shipping_method_free_from")),
        sa.CheckConstraint("price >= 0", name=op.f("ck_shipping_method_price")),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_shipping_method_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipping_method")),
    )
    op.create_index(
        "ix_shipping_method_partner_code", "shipping_method", ["partner_code"], unique=False
    )
    op.create_table(
        "cart",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shipping_method_id", sa.Text(), nullable=True),
        sa.Column("shipping_address_id", sa.Text(), nullable=True),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("updated_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("superseded_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_cart_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_cart_person_id_person"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["shipping_address_id"],
            ["partner_address.id"],
            name=op.f("fk_cart_shipping_address_id_partner_address"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["shipping_method_id"],
            ["shipping_method.id"],
            name=op.f("fk_cart_shipping_method_id_shipping_method"),
        ),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_cart")),
    )
    op.create_index("ix_cart_partner_code", "cart", ["partner_code"], unique=False)
    op.create_index(
        "ix_cart_person_id_partner_code", "cart", ["person_id", "partner_code"], unique=False
    )
    op.create_index(
        "uq_cart_latest",
        "cart",
        ["person_id", "partner_code"],
        unique=True,
        postgresql_where=sa.text("superseded_at is null"),
    )
    op.create_table(
        "cart_line",
        sa.Column("cart_token", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("place", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.CheckConstraint("quantity between 1 and 9999", name=op.f("ck_cart_line_quantity")),
        sa.ForeignKeyConstraint(
            ["cart_token"],
            ["cart.token"],
            name=op.f("fk_cart_line_cart_token_cart"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variant.id"], name=op.f("fk_cart_line_variant_id_variant")
        ),
        sa.PrimaryKeyConstraint("cart_token", "variant_id", name=op.f("pk_cart_line")),
    )
    op.create_index("ix_cart_line_variant_id", "cart_line", ["variant_id"], unique=False)


def downgrade() -> None:
    op.drop_table("cart_line")
    op.drop_table("cart")
    op.drop_table("shipping_method")
