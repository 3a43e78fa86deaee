"""Accounts of dealers at the card provider, to which rewards are paid."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "payout_accounts"
down_revision: str | None = "purchase_agreements"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "payout_account",
        sa.Column("dealer_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("details_submitted", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("can_be_paid", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("due", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("looked_at", moment, nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=True),
        sa.Column("link_expires_at", moment, nullable=True),
        sa.Column("login_link", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", moment, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dealer_id"],
            ["dealer.id"],
            name=op.f("fk_payout_account_dealer_id_dealer"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("dealer_id", name=op.f("pk_payout_account")),
        sa.UniqueConstraint("account_id", name=op.f("uq_payout_account_account_id")),
    )


def downgrade() -> None:
    op.drop_table("payout_account")
