"""Events of third parties are taken for a while instead of being locked while they are handed on."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "events_taken"
down_revision: str | None = "disputes"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "webhook_event", sa.Column("taken_until", sa.DateTime(timezone=True), nullable=True)
    )


def downgrade() -> None:
    op.drop_column("webhook_event", "taken_until")
