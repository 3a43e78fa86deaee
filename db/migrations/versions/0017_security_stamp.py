"""One security stamp per person, carried by everything that opens the account."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "security_stamp"
down_revision: str | None = "placements"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

SECRETS = ("sign_in", "link_token", "one_time_code", "mfa_challenge", "trusted_device")


def upgrade() -> None:
    op.add_column(
        "person", sa.Column("security_stamp", sa.Integer(), server_default="1", nullable=False)
    )
    for table in SECRETS:
        op.add_column(table, sa.Column("stamp", sa.Integer(), server_default="1", nullable=False))
        op.alter_column(table, "stamp", server_default=None)


def downgrade() -> None:
    for table in SECRETS:
        op.drop_column(table, "stamp")
    op.drop_column("person", "security_stamp")
