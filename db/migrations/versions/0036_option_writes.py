"""What activations wrote into option tables; finished ones are found by vehicle and product."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "option_writes"
down_revision: str | None = "vehicle_fit"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "option_write",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("option_table", sa.Text(), nullable=False),
        sa.Column("changes", postgresql.JSONB(), nullable=False),
        sa.Column(
            "written_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.PrimaryKeyConstraint("flow_id", "option_table", name=op.f("pk_option_write")),
    )
    op.create_index(
        "ix_flow_completed_vehicle",
        "flow",
        ["product", sa.text("(view #>> '{facts,vehicle,model_id}')"), "ended_at"],
        postgresql_where=sa.text("kind = 'activation' and outcome = 'completed'"),
    )


def downgrade() -> None:
    op.drop_index("ix_flow_completed_vehicle", table_name="flow")
    op.drop_table("option_write")
