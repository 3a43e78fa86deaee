"""Saved lists of a quick order, and their rows."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "saved_lists"
down_revision: str | None = "years_of_titles"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "saved_list",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), server_default="false", nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.func.now(),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_saved_list_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_saved_list_partner_code_partner"),
            ondelete="CASCADE",
            onupdate="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_list")),
    )
    op.create_index(
        "uq_saved_list_name",
        "saved_list",
        ["person_id", "partner_code", sa.text("lower(name)")],
        unique=True,
    )
    op.create_index(
        "ix_saved_list_partner_code",
        "saved_list",
        ["partner_code"],
        postgresql_where=sa.text("is_shared"),
    )
    op.create_table(
        "saved_list_line",
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_saved_list_line_quantity")),
        sa.ForeignKeyConstraint(
            ["list_id"],
            ["saved_list.id"],
            name=op.f("fk_saved_list_line_list_id_saved_list"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("list_id", "place", name=op.f("pk_saved_list_line")),
    )


def downgrade() -> None:
    op.drop_table("saved_list_line")
    op.drop_table("saved_list")
