"""Payouts of rewards, one for each dealer and month, and what each reward was paid with."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "payouts"
down_revision: str | None = "payout_accounts"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "payout",
        sa.Column("dealer_id", sa.Text(), nullable=False),
        sa.Column("month", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(12, 2), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("account_id", sa.Text(), nullable=True),
        sa.Column("asked_at", moment, nullable=True),
        sa.Column("transfer_id", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("paid_at", moment, nullable=True),
        sa.Column("created_at", moment, server_default=sa.func.now(), nullable=False),
        sa.Column("changed_at", moment, server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payout_amount")),
        sa.CheckConstraint(
            "state in ('waiting', 'paying', 'paid', 'refused', 'returned')",
            name=op.f("ck_payout_state"),
        ),
        sa.CheckConstraint(
            "state <> 'paid' or transfer_id is not null", name=op.f("ck_payout_paid")
        ),
        sa.CheckConstraint(
            "state = 'waiting' or account_id is not null", name=op.f("ck_payout_account")
        ),
        sa.PrimaryKeyConstraint("dealer_id", "month", name=op.f("pk_payout")),
        sa.UniqueConstraint("transfer_id", name=op.f("uq_payout_transfer_id")),
    )
    op.create_index(
        "ix_payout_open",
        "payout",
        ["state", "dealer_id"],
        postgresql_where=sa.text("state <> 'paid'"),
    )
    op.create_index("ix_payout_changed", "payout", ["changed_at", "dealer_id", "month"])
    op.add_column("reward", sa.Column("payout_month", sa.Text(), nullable=True))
    op.create_index(
        "ix_reward_unpaid",
        "reward",
        ["dealer_id", "earned_at"],
        postgresql_where=sa.text("payout_month is null"),
    )


def downgrade() -> None:
    op.drop_index("ix_reward_unpaid", "reward")
    op.drop_column("reward", "payout_month")
    op.drop_table("payout")
