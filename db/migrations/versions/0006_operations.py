"""What operators see: checks of runs, rounds of the reconciler, third parties, and who took care of a run."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_NOW = sa.text("now()")
_TIME = sa.DateTime(timezone=True)
_JSON = postgresql.JSONB(astext_type=sa.Text())


def upgrade() -> None:
    op.create_table(
        "run_check",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("checked_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("temporal_run", sa.Text(), nullable=True),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("row_at", _TIME, nullable=False),
        sa.Column("pending", _JSON, server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("run", name=op.f("pk_run_check")),
    )
    op.create_index(
        "ix_run_check_pending",
        "run_check",
        ["run"],
        unique=False,
        postgresql_where=sa.text("pending <> '[]'::jsonb"),
    )
    op.create_table(
        "reconciliation",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("took_ms", sa.Integer(), nullable=False),
        sa.Column("looked", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("repaired", _JSON, nullable=False),
        sa.Column("failed", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reconciliation")),
    )
    op.create_index("ix_reconciliation_at", "reconciliation", ["at"], unique=False)
    op.create_table(
        "third_party",
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("seen_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_ok_at", _TIME, nullable=True),
        sa.Column("last_failed_at", _TIME, nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("system", "process", name=op.f("pk_third_party")),
    )
    op.create_table(
        "attention_settled",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run", name=op.f("pk_attention_settled")),
    )
    op.create_index("ix_flow_updated", "flow", ["updated_at", "id"], unique=False)
    op.create_index(
        "ix_flow_open",
        "flow",
        ["workflow_id"],
        unique=False,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_index("ix_flow_ended", "flow", ["ended_at"], unique=False)
    op.create_index(
        "ix_flow_attention",
        "flow",
        ["updated_at", "id"],
        unique=False,
        postgresql_where=sa.text("outcome = 'needs_attention'"),
    )
    op.create_index("ix_invitation_updated", "invitation", ["updated_at", "id"], unique=False)
    op.create_index(
        "ix_invitation_open",
        "invitation",
        ["workflow_id"],
        unique=False,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.add_column("idempotency", sa.Column("process", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("idempotency", "process")
    op.drop_index(
        "ix_invitation_open",
        table_name="invitation",
        postgresql_where=sa.text("ended_at is null"),
    )
    op.drop_index("ix_invitation_updated", table_name="invitation")
    op.drop_index(
        "ix_flow_attention",
        table_name="flow",
        postgresql_where=sa.text("outcome = 'needs_attention'"),
    )
    op.drop_index("ix_flow_ended", table_name="flow")
    op.drop_index("ix_flow_open", table_name="flow", postgresql_where=sa.text("ended_at is null"))
    op.drop_index("ix_flow_updated", table_name="flow")
    op.drop_table("attention_settled")
    op.drop_table("third_party")
    op.drop_index("ix_reconciliation_at", table_name="reconciliation")
    op.drop_table("reconciliation")
    op.drop_index(
        "ix_run_check_pending",
        table_name="run_check",
        postgresql_where=sa.text("pending <> '[]'::jsonb"),
    )
    op.drop_table("run_check")
