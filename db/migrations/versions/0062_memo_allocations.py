"""Where a credit memo went is found by its number."""

from collections.abc import Sequence

from alembic import op

revision: str = "memo_allocations"
down_revision: str | None = "mails_of_requests"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_index("ix_memo_allocation_memo", "memo_allocation", ["memo_number"])


def downgrade() -> None:
    op.drop_index("ix_memo_allocation_memo", table_name="memo_allocation")
