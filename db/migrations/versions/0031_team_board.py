"""The product of a run beside its view, and the open activations of a dealer and of all by how long they are idle."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "team_board"
down_revision: str | None = "documents"
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


def downgrade() -> None:
    op.drop_index("ix_flow_open_activation", "flow")
    op.drop_index("ix_flow_open_team", "flow")
    op.drop_column("flow", "product")
