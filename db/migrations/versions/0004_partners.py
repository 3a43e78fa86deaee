"""What the ERP knows of a business, who sells to it, and the search by name."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.execute("create extension if not exists pg_trgm")
    for column in (
        sa.Column("subdistributor", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("account_balance", sa.Numeric(12, 2), nullable=True),
        sa.Column("credit_limit", sa.Numeric(12, 2), nullable=True),
        sa.Column("past_due_invoices", sa.Integer(), nullable=True),
        sa.Column("invoice_count", sa.Integer(), nullable=True),
        sa.Column("mirrored_at", sa.DateTime(timezone=True), nullable=True),
    ):
        op.add_column("partner", column)
    op.create_index("ix_partner_by_name", "partner", [sa.text("lower(company_name)"), "id"])
    op.create_index(
        "ix_partner_name_likeness",
        "partner",
        [sa.text("lower(company_name) gin_trgm_ops")],
        postgresql_using="gin",
    )
    op.create_index(
        "ix_partner_code_likeness",
        "partner",
        [sa.text("sap_bp_code gin_trgm_ops")],
        postgresql_using="gin",
    )
    op.create_table(
        "partner_address",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("partner_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("is_default", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("street", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("country_area", sa.Text(), nullable=False),
        sa.Column("postal_code", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.CheckConstraint("kind in ('SHIPPING', 'BILLING')", name=op.f("ck_partner_address_kind")),
        sa.ForeignKeyConstraint(
            ["partner_id"],
            ["partner.id"],
            name=op.f("fk_partner_address_partner_id_partner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partner_address")),
    )
    op.create_index("ix_partner_address_partner_id", "partner_address", ["partner_id"])
    op.create_index(
        "uq_partner_address_default",
        "partner_address",
        ["partner_id", "kind"],
        unique=True,
        postgresql_where=sa.text("is_default"),
    )
    op.create_table(
        "rep_partner",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("partner_id", sa.Text(), nullable=False),
        sa.Column("is_contact", sa.Boolean(), server_default="false", nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_rep_partner_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["partner_id"],
            ["partner.id"],
            name=op.f("fk_rep_partner_partner_id_partner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("person_id", "partner_id", name=op.f("pk_rep_partner")),
    )
    op.create_index("ix_rep_partner_partner_id", "rep_partner", ["partner_id"])
    op.create_index(
        "uq_person_dealer_primary",
        "person",
        ["dealer_id"],
        unique=True,
        postgresql_where=sa.text("'Dealer Primary' = any(permission_groups)"),
    )
    op.create_index("ix_audit_partner_code_at", "audit", ["partner_code", "at"])


def downgrade() -> None:
    op.drop_index("ix_audit_partner_code_at", table_name="audit")
    op.drop_index("uq_person_dealer_primary", table_name="person")
    op.drop_table("rep_partner")
    op.drop_table("partner_address")
    for index in ("ix_partner_code_likeness", "ix_partner_name_likeness", "ix_partner_by_name"):
        op.drop_index(index, table_name="partner")
    for column in (
        "mirrored_at",
        "invoice_count",
        "past_due_invoices",
        "credit_limit",
        "account_balance",
        "subdistributor",
    ):
        op.drop_column("partner", column)
    op.execute("drop extension if exists pg_trgm")
