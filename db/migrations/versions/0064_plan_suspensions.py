"""Since when a plan is suspended that nobody paid for."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "plan_suspensions"
down_revision: str | None = "device_changes"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "subscription", sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True)
    )
    # Of the cases that have suspended plans by now. The network knows which it has; here it is those of the purchase.
    op.execute(
        """
        update subscription set suspended_at = flow.updated_at
        from flow join money_case on money_case.id = flow.id
        where flow.kind = 'case' and flow.state = 'suspended' and flow.ended_at is null
            and money_case.belongs_kind = 'purchase' and subscription.purchase_id = money_case.belongs_id
            and subscription.superseded_at is null
        """
    )


def downgrade() -> None:
    op.drop_column("subscription", "suspended_at")
