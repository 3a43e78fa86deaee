"""An invoice keeps the token of its order, and the place of a feed is held by who reads it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "order_tokens"
down_revision: str | None = "subscribers"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    # In the order in which a reader of the feed locks them: the release before holds its place while it writes invoices.
    op.add_column("erp_feed", sa.Column("held_by", sa.Text(), nullable=True))
    op.add_column("erp_feed", sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("invoice", sa.Column("order_token", sa.Text(), nullable=True))
    op.create_index("ix_invoice_partner_order", "invoice", ["partner_code", "order_number"])
    op.create_index("ix_invoice_partner_token", "invoice", ["partner_code", "order_token"])


def downgrade() -> None:
    op.drop_column("erp_feed", "held_until")
    op.drop_column("erp_feed", "held_by")
    op.drop_index("ix_invoice_partner_token", table_name="invoice")
    op.drop_index("ix_invoice_partner_order", table_name="invoice")
    op.drop_column("invoice", "order_token")
