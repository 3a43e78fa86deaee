"""The coupon that was taken off the goods of an invoice."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "coupons_of_invoices"
down_revision: str | None = "mailing_claims"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("invoice", sa.Column("coupon_code", sa.Text(), nullable=True))
    op.add_column(
        "invoice", sa.Column("coupon_amount", sa.Numeric(12, 2), nullable=False, server_default="0")
    )


def downgrade() -> None:
    op.drop_column("invoice", "coupon_amount")
    op.drop_column("invoice", "coupon_code")
