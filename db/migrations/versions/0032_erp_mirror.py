"""The feed of the ERP's master data: what it sets aside, pieces that left since the ERP told of them, blocked businesses."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "erp_mirror"
down_revision: str | None = "po_required"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "partner", sa.Column("is_blocked", sa.Boolean(), server_default="false", nullable=False)
    )
    op.add_column("stock", sa.Column("left_at", sa.DateTime(timezone=True)))
    op.create_index(
        "ix_stock_left_at", "stock", ["left_at"], postgresql_where=sa.text("left_at is not null")
    )
    op.create_table(
        "erp_set_aside",
        sa.Column("records", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "since", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column(
            "tried_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("records", "code", name=op.f("pk_erp_set_aside")),
    )


def downgrade() -> None:
    op.drop_table("erp_set_aside")
    op.drop_index("ix_stock_left_at", table_name="stock")
    op.drop_column("stock", "left_at")
    op.drop_column("partner", "is_blocked")
