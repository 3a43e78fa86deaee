"""Plans that are chosen for devices and wait in the cart."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "plan_lines"
down_revision: str | None = "payments"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "plan_line",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("plan_id", sa.Text(), nullable=False),
        sa.Column("place", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["partner_code"],
            ["partner.sap_bp_code"],
            name=op.f("fk_plan_line_partner_code_partner"),
            onupdate="CASCADE",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_plan_line_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "person_id", "partner_code", "device_key", name=op.f("pk_plan_line")
        ),
    )
    op.create_index("ix_plan_line_partner_code", "plan_line", ["partner_code"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_plan_line_partner_code", table_name="plan_line")
    op.drop_table("plan_line")
