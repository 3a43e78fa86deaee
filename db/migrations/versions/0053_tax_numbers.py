"""The tax number of a business, and the one that stands on an invoice."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "tax_numbers"
down_revision: str | None = "order_mail"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    for table in ("partner", "invoice"):
        op.add_column(table, sa.Column("tax_number", sa.Text(), nullable=True))


def downgrade() -> None:
    for table in ("invoice", "partner"):
        op.drop_column(table, "tax_number")
