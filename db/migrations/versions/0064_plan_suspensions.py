"""Since when a plan is suspended that nobody paid for."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "plan_suspensions"
down_revision: str | None = "device_changes"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "subscription", sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True)
    )


def downgrade() -> None:
    op.drop_column("subscription", "suspended_at")
