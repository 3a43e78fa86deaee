"""Whose it is to mail about a plan or an inquiry, for a while: nothing is locked meanwhile."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "mailing_claims"
down_revision: str | None = "tax_numbers"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    for table in ("subscription", "inquiry"):
        op.add_column(table, sa.Column("taken_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    for table in ("inquiry", "subscription"):
        op.drop_column(table, "taken_until")
