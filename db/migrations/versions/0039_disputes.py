"""Chargebacks, and what they take from payments."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "disputes"
down_revision: str | None = "pay_links"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    money = sa.Numeric(12, 2)
    op.add_column("payment", sa.Column("disputed", money, server_default="0", nullable=False))
    op.create_table(
        "dispute",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("amount", money, nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("respond_by", moment, nullable=True),
        sa.Column("case_id", sa.Text(), nullable=True),
        sa.Column("created_at", moment, server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", moment, server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_dispute_amount")),
        sa.ForeignKeyConstraint(
            ["payment_id"], ["payment.id"], name=op.f("fk_dispute_payment_id_payment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
    )
    op.create_index("ix_dispute_payment", "dispute", ["payment_id"])
    op.create_index(
        "ix_dispute_untold", "dispute", ["id"], postgresql_where=sa.text("case_id is null")
    )
    op.create_index("ix_money_case_partner", "money_case", ["partner_code"])


def downgrade() -> None:
    op.drop_index("ix_money_case_partner", "money_case")
    op.drop_table("dispute")
    op.drop_column("payment", "disputed")
