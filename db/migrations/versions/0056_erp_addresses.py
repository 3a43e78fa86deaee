"""What the ERP calls an address of a business."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "erp_addresses"
down_revision: str | None = "coupons_of_invoices"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("partner_address", sa.Column("erp_name", sa.Text(), nullable=True))
    op.create_index(
        "uq_partner_address_erp_name",
        "partner_address",
        ["partner_id", "kind", "erp_name"],
        unique=True,
    )


def downgrade() -> None:
    op.drop_index("uq_partner_address_erp_name", table_name="partner_address")
    op.drop_column("partner_address", "erp_name")
