"""Public profiles of dealers, and what installers earned."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "dealers"
down_revision: str | None = "vehicle_wiring"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.add_column(
        "dealer",
        sa.Column("is_public_profile", sa.Boolean(), server_default="false", nullable=False),
    )
    op.add_column(
        "dealer",
        sa.Column("dealer_profile", postgresql.JSONB(), server_default="{}", nullable=False),
    )
    op.create_table(
        "rewarded_run",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("rewarded_at", moment, server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("flow_id", name=op.f("pk_rewarded_run")),
    )
    op.create_table(
        "reward",
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("installer_id", sa.Text(), nullable=False),
        sa.Column("dealer_id", sa.Text(), nullable=False),
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("product_name", sa.Text(), nullable=False),
        sa.Column("plan_slug", sa.Text(), nullable=True),
        sa.Column("amount", sa.Numeric(12, 2), nullable=False),
        sa.Column("shared_among", sa.Integer(), nullable=False),
        sa.Column("earned_at", moment, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_reward_amount")),
        sa.PrimaryKeyConstraint("flow_id", "installer_id", name=op.f("pk_reward")),
    )
    op.create_index("ix_reward_dealer_earned", "reward", ["dealer_id", "earned_at", "flow_id"])
    op.create_index(
        "ix_reward_installer_earned", "reward", ["dealer_id", "installer_id", "earned_at"]
    )
    op.create_index("ix_sign_in_person_turned", "sign_in", ["person_id", "turned_at"])


def downgrade() -> None:
    op.drop_index("ix_sign_in_person_turned", "sign_in")
    op.drop_table("reward")
    op.drop_table("rewarded_run")
    op.drop_column("dealer", "dealer_profile")
    op.drop_column("dealer", "is_public_profile")
