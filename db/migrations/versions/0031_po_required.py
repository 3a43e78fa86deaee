"""A business may want a PO number with each order; a repeated one is found by it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "po_required"
down_revision: str | None = "coupons"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "partner", sa.Column("po_required", sa.Boolean(), server_default="false", nullable=False)
    )
    op.create_index(
        "ix_shop_order_partner_po",
        "shop_order",
        ["partner_code", "po_number"],
        postgresql_where=sa.text("po_number is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_shop_order_partner_po", table_name="shop_order")
    op.drop_column("partner", "po_required")
