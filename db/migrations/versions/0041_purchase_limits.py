"""Owners limit what their purchasers order; what is being placed counts by its person."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "purchase_limits"
down_revision: str | None = "events_taken"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "purchase_limit",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("dealer_id", sa.Text(), nullable=False),
        sa.Column("per_order", sa.Numeric(12, 2), nullable=True),
        sa.Column("per_month", sa.Numeric(12, 2), nullable=True),
        sa.Column("approval_above", sa.Numeric(12, 2), nullable=True),
        sa.Column("set_by", sa.Text(), nullable=False),
        sa.Column(
            "set_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint(
            "per_order >= 0 and per_month >= 0 and approval_above >= 0",
            name=op.f("ck_purchase_limit_amounts"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_purchase_limit_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["dealer_id"],
            ["dealer.id"],
            name=op.f("fk_purchase_limit_dealer_id_dealer"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("person_id", "dealer_id", name=op.f("pk_purchase_limit")),
    )
    op.create_index(
        "ix_placement_open_owner",
        "placement",
        [sa.text("(start ->> 'owner_id')")],
        postgresql_where=sa.text("ended_at is null"),
    )


def downgrade() -> None:
    op.drop_index("ix_placement_open_owner", table_name="placement")
    op.drop_table("purchase_limit")
