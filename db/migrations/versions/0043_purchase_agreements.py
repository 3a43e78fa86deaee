"""A purchase of plans counts in its buyer's limits, and may wait for an owner. What was bought before counts, too."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "purchase_agreements"
down_revision: str | None = "order_approvals"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "purchase_agreement",
        sa.Column("purchase_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("total", sa.Numeric(12, 2), nullable=False),
        sa.Column("quote_hash", sa.Text(), nullable=False),
        sa.Column("pay_by", postgresql.JSONB(), nullable=True),
        sa.Column("agreed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("above", sa.Numeric(12, 2), nullable=True),
        sa.Column("approved_by", sa.Text(), nullable=True),
        sa.Column("approved_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("purchase_id", name=op.f("pk_purchase_agreement")),
    )
    op.create_index(
        "ix_purchase_agreement_person", "purchase_agreement", ["person_id", "agreed_at"]
    )
    op.execute(
        """
        insert into purchase_agreement (purchase_id, person_id, partner_code, total, quote_hash, agreed_at)
        select uuid, owner_id, partner_code, final_charge, '', created_at from receipt
        where succeeded and owner_id is not null and partner_code is not null
        """
    )


def downgrade() -> None:
    op.drop_table("purchase_agreement")
