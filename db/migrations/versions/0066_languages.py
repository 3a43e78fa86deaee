"""In which language somebody is written to."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "languages"
down_revision: str | None = "audit_requests"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("person", sa.Column("language", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "language")
