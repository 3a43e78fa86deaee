"""Payment methods, payments with their ledger, and what third parties told us."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "payments"
down_revision: str | None = "checkout_drafts"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

APP_ROLE = "turnkey_app"

KEEP_LEDGER = f"""
do $$ begin
  if exists (select from pg_roles where rolname = '{APP_ROLE}') then
    revoke update, delete, truncate on payment_entry from {APP_ROLE};
    revoke delete, truncate on payment from {APP_ROLE};
  end if;
end $$
"""
"""Entries are added and never changed; a payment that was asked for is never forgotten."""

_NOW = sa.text("now()")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "payment_customer",
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_payment_customer_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("partner_code", name=op.f("pk_payment_customer")),
        sa.UniqueConstraint("provider_id", name=op.f("uq_payment_customer_provider_id")),
    )
    op.create_table(
        "payment_method",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("is_main", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("brand", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("exp_month", sa.Integer(), nullable=True),
        sa.Column("exp_year", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("street_address_1", sa.Text(), server_default="", nullable=False),
        sa.Column("street_address_2", sa.Text(), server_default="", nullable=False),
        sa.Column("city", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.Text(), server_default="", nullable=False),
        sa.Column("postal_code", sa.Text(), server_default="", nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("customer_id", sa.Text(), nullable=True),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("verification_id", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=True),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("updated_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("deleted_at", _TIME, nullable=True),
        sa.CheckConstraint("last4 ~ '^[0-9]{4}$'", name=op.f("ck_payment_method_last4")),
        sa.CheckConstraint(
            "status in ('ready', 'pending', 'failed', 'returned')",
            name=op.f("ck_payment_method_status"),
        ),
        sa.CheckConstraint("type in ('CARD', 'BANK_ACCOUNT')", name=op.f("ck_payment_method_type")),
        sa.CheckConstraint("exp_month between 1 and 12", name=op.f("ck_payment_method_exp_month")),
        sa.CheckConstraint(
            "not (is_main and deleted_at is not null)", name=op.f("ck_payment_method_main_is_there")
        ),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_payment_method_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_method")),
    )
    op.create_index(
        "ix_payment_method_partner_code", "payment_method", ["partner_code"], unique=False
    )
    op.create_index(
        "uq_payment_method_fingerprint",
        "payment_method",
        ["partner_code", "fingerprint"],
        unique=True,
        postgresql_where=sa.text("deleted_at is null"),
    )
    op.create_index(
        "uq_payment_method_main",
        "payment_method",
        ["partner_code"],
        unique=True,
        postgresql_where=sa.text("is_main"),
    )
    op.create_table(
        "payment",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("flow", sa.Text(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("method_id", sa.Text(), nullable=True),
        sa.Column("provider_method_id", sa.Text(), nullable=True),
        sa.Column("provider_customer_id", sa.Text(), nullable=True),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("capture", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("action_url", sa.Text(), nullable=True),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column(
            "captured", sa.Numeric(precision=12, scale=2), server_default="0", nullable=False
        ),
        sa.Column(
            "refunded", sa.Numeric(precision=12, scale=2), server_default="0", nullable=False
        ),
        sa.Column("created_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("updated_at", _TIME, server_default=_NOW, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payment_amount")),
        sa.CheckConstraint("captured <= amount", name=op.f("ck_payment_captured")),
        sa.CheckConstraint("refunded <= captured", name=op.f("ck_payment_refunded")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment")),
        sa.UniqueConstraint("key", name=op.f("uq_payment_key")),
    )
    op.create_index("ix_payment_flow_flow_id", "payment", ["flow", "flow_id"], unique=False)
    op.create_index(
        "ix_payment_partner_code_created_at",
        "payment",
        ["partner_code", "created_at"],
        unique=False,
    )
    op.create_index("ix_payment_provider_id", "payment", ["provider_id"], unique=False)
    op.create_table(
        "payment_entry",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(precision=12, scale=2), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("at", _TIME, server_default=_NOW, nullable=False),
        sa.ForeignKeyConstraint(
            ["payment_id"], ["payment.id"], name=op.f("fk_payment_entry_payment_id_payment")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_entry")),
    )
    op.create_index("ix_payment_entry_payment_id", "payment_entry", ["payment_id"], unique=False)
    op.create_table(
        "webhook_event",
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", postgresql.JSONB(), nullable=False),
        sa.Column("received_at", _TIME, server_default=_NOW, nullable=False),
        sa.Column("delivered_at", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("provider", "event_id", name=op.f("pk_webhook_event")),
    )
    op.create_index("ix_webhook_event_received_at", "webhook_event", ["received_at"], unique=False)
    op.create_index(
        "ix_webhook_event_undelivered",
        "webhook_event",
        ["provider", "received_at"],
        unique=False,
        postgresql_where=sa.text("delivered_at is null"),
    )
    op.execute(KEEP_LEDGER)


def downgrade() -> None:
    for table in (
        "webhook_event",
        "payment_entry",
        "payment",
        "payment_method",
        "payment_customer",
    ):
        op.drop_table(table)
