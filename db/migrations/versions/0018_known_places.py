"""Where a person signed in last, and where a code was asked for: what strangers do is counted apart."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "known_places"
down_revision: str | None = "security_stamp"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("person", sa.Column("last_address", sa.Text(), nullable=True))
    op.add_column(
        "one_time_code",
        sa.Column("tries_elsewhere", sa.Integer(), server_default="0", nullable=False),
    )
    op.add_column(
        "one_time_code", sa.Column("asked_from", sa.Text(), server_default="", nullable=False)
    )
    op.create_check_constraint(
        op.f("ck_one_time_code_tries_elsewhere"), "one_time_code", "tries_elsewhere >= 0"
    )


def downgrade() -> None:
    op.drop_column("one_time_code", "asked_from")
    op.drop_column("one_time_code", "tries_elsewhere")
    op.drop_column("person", "last_address")
