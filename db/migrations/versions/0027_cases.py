"""Cases: money that something happened to after its run had ended; parts of orders that will not be sent."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "cases"
down_revision: str | None = "documents"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    money = sa.Numeric(12, 2)
    op.create_table(
        "money_case",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("belongs_kind", sa.Text(), nullable=False),
        sa.Column("belongs_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=True),
        sa.Column("amount", money, nullable=True),
        sa.Column("start", postgresql.JSONB(), nullable=False),
        sa.Column("opened_at", moment, nullable=False),
        sa.Column("begun_at", moment, nullable=True),
        sa.CheckConstraint("amount > 0", name=op.f("ck_money_case_amount")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_money_case")),
    )
    op.create_index(
        "ix_money_case_belongs", "money_case", ["belongs_kind", "belongs_id", "opened_at"]
    )
    op.create_index("ix_money_case_payment", "money_case", ["payment_id"])
    op.add_column("intent", sa.Column("refused_at", moment, nullable=True))
    op.create_index(
        "ix_intent_unsettled",
        "intent",
        ["created_at"],
        postgresql_where=sa.text("settled_at is null and refused_at is null"),
    )
    # A provider that took more than it was asked for must not be forgotten for it: that is a case.
    op.drop_constraint(op.f("ck_payment_captured"), "payment")
    op.create_check_constraint(op.f("ck_payment_captured"), "payment", "captured >= 0")
    op.add_column("payment", sa.Column("differs", sa.Text(), nullable=True))
    op.create_index(
        "ix_payment_differs",
        "payment",
        ["id"],
        postgresql_where=sa.text("differs is not null"),
    )
    op.create_index(
        "ix_payment_returned",
        "payment",
        ["id"],
        postgresql_where=sa.text("status = 'RETURNED'"),
    )
    op.create_index("ix_money_case_opened", "money_case", ["opened_at", "id"])
    op.create_index(
        "ix_money_case_not_begun",
        "money_case",
        ["opened_at"],
        postgresql_where=sa.text("begun_at is null"),
    )
    op.create_table(
        "purchase_start",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("start", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purchase_start")),
    )
    op.create_table(
        "shop_order_withdrawal",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("withdrawn_at", moment, nullable=False),
        sa.Column("parcels", postgresql.JSONB(), nullable=False),
        sa.Column("amount", money, nullable=False),
        sa.ForeignKeyConstraint(
            ["order_id"],
            ["shop_order.id"],
            name=op.f("fk_shop_order_withdrawal_order_id_shop_order"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("order_id", "number", name=op.f("pk_shop_order_withdrawal")),
    )


def downgrade() -> None:
    op.drop_table("shop_order_withdrawal")
    op.drop_table("purchase_start")
    op.drop_table("money_case")
    op.drop_index("ix_payment_returned", "payment")
    op.drop_index("ix_payment_differs", "payment")
    op.drop_column("payment", "differs")
    op.drop_index("ix_intent_unsettled", "intent")
    op.drop_column("intent", "refused_at")
    op.drop_constraint(op.f("ck_payment_captured"), "payment")
    op.create_check_constraint(op.f("ck_payment_captured"), "payment", "captured <= amount")
