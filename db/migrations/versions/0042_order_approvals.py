"""An order may wait for an owner: who approved it, and whether its requester must agree to new figures first."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "order_approvals"
down_revision: str | None = "purchase_limits"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("placement", sa.Column("approved_by", sa.Text(), nullable=True))
    op.add_column("placement", sa.Column("approved_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("placement", sa.Column("requoted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("placement", "requoted_at")
    op.drop_column("placement", "approved_at")
    op.drop_column("placement", "approved_by")
