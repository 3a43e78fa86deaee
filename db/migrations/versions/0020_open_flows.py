"""How many runs of a person and of a dealer are unfinished, by an index."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "open_flows"
down_revision: str | None = "factor_times"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    for whose in ("owner", "dealer"):
        op.create_index(
            f"ix_flow_open_{whose}",
            "flow",
            [f"{whose}_id", "kind"],
            postgresql_where=sa.text("ended_at is null"),
        )


def downgrade() -> None:
    for whose in ("owner", "dealer"):
        op.drop_index(f"ix_flow_open_{whose}", table_name="flow")
