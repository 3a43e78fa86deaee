"""Of a chosen plan: the product that the device network named, since no serial number says it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0022"
down_revision: str | None = "visits"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("plan_line", sa.Column("product_name", sa.Text(), nullable=True))
    op.execute(
        r"update plan_line set product_name = lower(regexp_replace(device_key, '-\d{8}$', ''))"
        r" where device_key ~ '-\d{8}$'"
    )


def downgrade() -> None:
    op.drop_column("plan_line", "product_name")
