"""Pages that were found older than a run."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "chart_drift"
down_revision: str | None = "0022"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "chart_drift",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("flow_id", "what", "name", name=op.f("pk_chart_drift")),
    )
    op.create_index("ix_chart_drift_at", "chart_drift", ["at"])


def downgrade() -> None:
    op.drop_table("chart_drift")
