"""A confirmation that waits to be mailed knows the request that it is sent for."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "mails_of_requests"
down_revision: str | None = "device_releases"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("order_mail", sa.Column("request_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("order_mail", "request_id")
