"""What comparisons of our mirror with the ERP found."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "erp_comparisons"
down_revision: str | None = "erp_mirror"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "erp_comparison",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column(
            "began_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("compared", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erp_comparison")),
    )
    op.create_index("ix_erp_comparison_began_at", "erp_comparison", ["began_at"])
    op.create_table(
        "erp_difference",
        sa.Column("comparison_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("theirs", sa.Text(), nullable=False),
        sa.Column("ours", sa.Text(), nullable=False),
        sa.Column("is_repaired", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("comparison_id", "kind", "code", name=op.f("pk_erp_difference")),
        sa.ForeignKeyConstraint(
            ["comparison_id"],
            ["erp_comparison.id"],
            name=op.f("fk_erp_difference_comparison_id_erp_comparison"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    op.drop_table("erp_difference")
    op.drop_table("erp_comparison")
