"""Changes of devices that were begun, until what came of them is recorded."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "device_changes"
down_revision: str | None = "memo_allocations"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "device_change",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("acting_for", sa.Text(), nullable=True),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("more", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "begun_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_device_change")),
    )


def downgrade() -> None:
    op.drop_table("device_change")
