"""Payments of invoices, what each invoice gets, and the documents that they hold."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "invoice_payments"
down_revision: str | None = "cases"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

NOT_NEGATIVE = "charged >= 0 and discount >= 0 and applied >= 0"


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    money = sa.Numeric(12, 2)
    op.create_table(
        "invoice_payment",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("paid_by", sa.Text(), nullable=False),
        sa.Column("charged", money, nullable=False),
        sa.Column("discount", money, nullable=False),
        sa.Column("applied", money, nullable=False),
        sa.Column("start", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", moment, server_default=sa.func.now(), nullable=False),
        sa.Column("ended_at", moment, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.CheckConstraint(NOT_NEGATIVE, name=op.f("ck_invoice_payment_not_negative")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoice_payment")),
    )
    op.create_index("ix_invoice_payment_partner", "invoice_payment", ["partner_code", "created_at"])
    op.create_index(
        "ix_invoice_payment_open",
        "invoice_payment",
        ["created_at"],
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_table(
        "invoice_allocation",
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("invoice_number", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("charged", money, nullable=False),
        sa.Column("discount", money, nullable=False),
        sa.Column("applied", money, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("settled_at", moment, nullable=True),
        sa.CheckConstraint(NOT_NEGATIVE, name=op.f("ck_invoice_allocation_not_negative")),
        sa.ForeignKeyConstraint(
            ["payment_id"],
            ["invoice_payment.id"],
            name=op.f("fk_invoice_allocation_payment_id_invoice_payment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("payment_id", "invoice_number", name=op.f("pk_invoice_allocation")),
    )
    op.create_index("ix_invoice_allocation_invoice", "invoice_allocation", ["invoice_number"])
    op.create_table(
        "memo_allocation",
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("invoice_number", sa.Text(), nullable=False),
        sa.Column("memo_number", sa.Text(), nullable=False),
        sa.Column("amount", money, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_memo_allocation_positive")),
        sa.ForeignKeyConstraint(
            ["payment_id"],
            ["invoice_payment.id"],
            name=op.f("fk_memo_allocation_payment_id_invoice_payment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "payment_id", "invoice_number", "memo_number", name=op.f("pk_memo_allocation")
        ),
    )
    op.create_table(
        "document_hold",
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("since", moment, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["payment_id"],
            ["invoice_payment.id"],
            name=op.f("fk_document_hold_payment_id_invoice_payment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_document_hold")),
    )
    op.create_index("ix_document_hold_payment", "document_hold", ["payment_id"])


def downgrade() -> None:
    op.drop_table("document_hold")
    op.drop_table("memo_allocation")
    op.drop_table("invoice_allocation")
    op.drop_table("invoice_payment")
