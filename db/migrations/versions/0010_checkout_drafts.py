"""What the checkout of a cart is filled in with."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "checkout_drafts"
down_revision: str | None = "carts"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("cart", sa.Column("po_number", sa.Text(), nullable=True))
    op.add_column("cart", sa.Column("billing_address_id", sa.Text(), nullable=True))
    op.add_column("cart", sa.Column("billing_address", postgresql.JSONB(), nullable=True))
    op.add_column("cart", sa.Column("payment", postgresql.JSONB(), nullable=True))
    op.create_foreign_key(
        op.f("fk_cart_billing_address_id_partner_address"),
        "cart",
        "partner_address",
        ["billing_address_id"],
        ["id"],
        ondelete="SET NULL",
    )


def downgrade() -> None:
    for name in ("payment", "billing_address", "billing_address_id", "po_number"):
        op.drop_column("cart", name)
