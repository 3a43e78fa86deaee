"""Devices that their owners have given up."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "device_releases"
down_revision: str | None = "accepted"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "device_release",
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("device_key", name=op.f("pk_device_release")),
    )


def downgrade() -> None:
    op.drop_table("device_release")
