"""Reconciliation: its rounds, what others were read to hold, and the differences that were found."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "reconciliation"
down_revision: str | None = "erp_comparisons"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "reconciliation_round",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.Text(), nullable=False),
        sa.Column("began_at", moment, server_default=sa.func.now(), nullable=False),
        sa.Column("ended_at", moment, nullable=True),
        sa.Column("compared", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.Column("failed", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reconciliation_round")),
    )
    op.create_index("ix_reconciliation_round_began", "reconciliation_round", ["began_at"])
    op.create_index(
        "uq_reconciliation_round_open",
        "reconciliation_round",
        [sa.text("(ended_at is null)")],
        unique=True,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_table(
        "reconciliation_fact",
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("body", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["round_id"],
            ["reconciliation_round.id"],
            name=op.f("fk_reconciliation_fact_round_id_reconciliation_round"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("round_id", "source", "id", name=op.f("pk_reconciliation_fact")),
    )
    op.create_index(
        "ix_reconciliation_fact_key", "reconciliation_fact", ["round_id", "source", "key"]
    )
    op.create_table(
        "reconciliation_difference",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("about", postgresql.JSONB(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=True),
        sa.Column("here", sa.Text(), nullable=False),
        sa.Column("there", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(14, 2), nullable=True),
        sa.Column("charge_id", sa.Text(), nullable=True),
        sa.Column("round_id", sa.Text(), nullable=False),
        sa.Column("found_at", moment, server_default=sa.func.now(), nullable=False),
        sa.Column("ended_at", moment, nullable=True),
        sa.Column("settled_by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state in ('open', 'repaired', 'settled', 'gone')",
            name=op.f("ck_reconciliation_difference_state"),
        ),
        sa.CheckConstraint(
            "(state = 'open') = (ended_at is null)",
            name=op.f("ck_reconciliation_difference_ended"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reconciliation_difference")),
    )
    op.create_index(
        "ix_reconciliation_difference_state",
        "reconciliation_difference",
        ["state", "found_at", "id"],
    )
    op.create_index("ix_payment_created", "payment", ["created_at", "id"])


def downgrade() -> None:
    op.drop_index("ix_payment_created", table_name="payment")
    op.drop_table("reconciliation_difference")
    op.drop_table("reconciliation_fact")
    op.drop_table("reconciliation_round")
