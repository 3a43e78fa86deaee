"""Invoices and credit memos of the ERP, and how far its feed was read."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "documents"
down_revision: str | None = "dealers"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    money = sa.Numeric(12, 2)
    op.create_table(
        "invoice",
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.Text(), nullable=True),
        sa.Column("po_number", sa.Text(), nullable=True),
        sa.Column("shipment_number", sa.Text(), nullable=True),
        sa.Column("create_date", sa.Date(), nullable=False),
        sa.Column("due_date", sa.Date(), nullable=False),
        sa.Column("subtotal", money, nullable=False),
        sa.Column("freight", money, nullable=False),
        sa.Column("tax", money, nullable=False),
        sa.Column("total", money, nullable=False),
        sa.Column("paid", money, nullable=False),
        sa.Column("payoff", money, nullable=False),
        sa.Column("balance", money, sa.Computed("greatest(total - paid, 0)"), nullable=False),
        sa.Column("early_pay", postgresql.JSONB(), nullable=False),
        sa.Column("settled_with", postgresql.JSONB(), nullable=False),
        sa.Column(
            "searched",
            sa.Text(),
            sa.Computed(
                "number || ' ' || coalesce(order_number, '') || ' ' || coalesce(po_number, '')"
            ),
            nullable=False,
        ),
        sa.Column("mirrored_at", moment, server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("total = subtotal + freight + tax", name=op.f("ck_invoice_total")),
        sa.CheckConstraint("paid >= 0 and payoff >= 0", name=op.f("ck_invoice_not_negative")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_invoice")),
    )
    op.create_index("ix_invoice_partner_date", "invoice", ["partner_code", "create_date", "number"])
    op.create_index("ix_invoice_partner_due", "invoice", ["partner_code", "due_date", "number"])
    op.create_index("ix_invoice_partner_total", "invoice", ["partner_code", "total", "number"])
    op.create_index(
        "ix_invoice_partner_open",
        "invoice",
        ["partner_code", "due_date", "balance"],
        postgresql_where=sa.text("balance > 0"),
    )
    op.create_index(
        "ix_invoice_searched",
        "invoice",
        [sa.text("searched gin_trgm_ops")],
        postgresql_using="gin",
    )
    op.create_table(
        "invoice_line",
        sa.Column("invoice_number", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price", money, nullable=False),
        sa.Column("total", money, nullable=False),
        sa.ForeignKeyConstraint(
            ["invoice_number"],
            ["invoice.number"],
            name=op.f("fk_invoice_line_invoice_number_invoice"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("invoice_number", "place", name=op.f("pk_invoice_line")),
    )
    op.create_table(
        "credit_memo",
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("invoice_number", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("create_date", sa.Date(), nullable=False),
        sa.Column("total", money, nullable=False),
        sa.Column("applied", money, nullable=False),
        sa.Column("balance", money, sa.Computed("greatest(total - applied, 0)"), nullable=False),
        sa.Column("applied_to", postgresql.JSONB(), nullable=False),
        sa.Column("mirrored_at", moment, server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("applied >= 0", name=op.f("ck_credit_memo_not_negative")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_credit_memo")),
    )
    op.create_index(
        "ix_credit_memo_partner_date", "credit_memo", ["partner_code", "create_date", "number"]
    )
    op.create_index(
        "ix_credit_memo_partner_total", "credit_memo", ["partner_code", "total", "number"]
    )
    op.create_table(
        "erp_feed",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cursor", sa.Text(), nullable=False),
        sa.Column("read_at", moment, server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_erp_feed")),
    )


def downgrade() -> None:
    op.drop_table("erp_feed")
    op.drop_table("credit_memo")
    op.drop_table("invoice_line")
    op.drop_table("invoice")
