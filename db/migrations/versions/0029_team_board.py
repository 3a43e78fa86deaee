"""The open activations of a dealer and of all by how long they are idle, and rewards that are taken back."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "team_board"
down_revision: str | None = "invoice_payments"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "flow",
        sa.Column(
            "product",
            sa.Text(),
            sa.Computed("view -> 'device' ->> 'product_name'", persisted=True),
            nullable=True,
        ),
    )
    of_a_team = sa.text("kind = 'activation' and ended_at is null")
    op.create_index(
        "ix_flow_open_team",
        "flow",
        ["dealer_id", "updated_at", "id"],
        postgresql_include=["owner_id", "state", "product"],
        postgresql_where=of_a_team,
    )
    op.create_index(
        "ix_flow_open_activation",
        "flow",
        ["updated_at", "id"],
        postgresql_include=["owner_id", "state", "product"],
        postgresql_where=of_a_team,
    )
    op.add_column("reward", sa.Column("kind", sa.Text(), server_default="earned", nullable=False))
    op.drop_constraint(op.f("ck_reward_amount"), "reward", type_="check")
    op.create_check_constraint(
        op.f("ck_reward_amount"), "reward", "(kind = 'earned') = (amount > 0) and amount <> 0"
    )
    op.create_check_constraint(op.f("ck_reward_kind"), "reward", "kind in ('earned', 'taken_back')")
    op.drop_constraint(op.f("pk_reward"), "reward", type_="primary")
    op.create_primary_key(op.f("pk_reward"), "reward", ["flow_id", "installer_id", "kind"])
    op.create_index("ix_reward_device", "reward", ["device_key", "earned_at"])


def downgrade() -> None:
    op.drop_index("ix_reward_device", "reward")
    op.execute("delete from reward where kind = 'taken_back'")
    op.drop_constraint(op.f("pk_reward"), "reward", type_="primary")
    op.create_primary_key(op.f("pk_reward"), "reward", ["flow_id", "installer_id"])
    op.drop_constraint(op.f("ck_reward_kind"), "reward", type_="check")
    op.drop_constraint(op.f("ck_reward_amount"), "reward", type_="check")
    op.create_check_constraint(op.f("ck_reward_amount"), "reward", "amount > 0")
    op.drop_column("reward", "kind")
    op.drop_index("ix_flow_open_activation", "flow")
    op.drop_index("ix_flow_open_team", "flow")
    op.drop_column("flow", "product")
