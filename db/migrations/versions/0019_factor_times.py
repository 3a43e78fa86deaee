"""Since when a second factor is on, and when a change of address was asked for."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "factor_times"
down_revision: str | None = "known_places"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("person", sa.Column("mfa_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("link_token", sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("link_token", "asked_at")
    op.drop_column("person", "mfa_since")
