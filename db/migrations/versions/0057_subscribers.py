"""People are found by their account at the device network."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "subscribers"
down_revision: str | None = "erp_addresses"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_index(
        "ix_person_subscriber_id",
        "person",
        ["subscriber_id"],
        postgresql_where=sa.text("subscriber_id is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_person_subscriber_id", table_name="person")
