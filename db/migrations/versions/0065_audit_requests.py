"""The audit is searched by reference; a relay takes device logs for a while and locks none."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.migrations.indexes import build_index, drop_built_index

revision: str = "audit_requests"
down_revision: str | None = "plan_suspensions"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    build_index(
        "ix_audit_request",
        "audit",
        ["request_id", "id"],
        postgresql_where=sa.text("request_id is not null"),
    )
    op.add_column("device_log", sa.Column("taken_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    drop_built_index("ix_audit_request", "audit")
    op.drop_column("device_log", "taken_until")
