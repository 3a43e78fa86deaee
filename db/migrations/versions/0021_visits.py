"""Service visits at foreign devices."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "visits"
down_revision: str | None = "open_flows"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "visit",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("device_key", sa.Text(), nullable=False),
        sa.Column("visitor_id", sa.Text(), nullable=False),
        sa.Column("visitor_dealer_id", sa.Text(), nullable=False),
        sa.Column("visitor_name", sa.Text(), nullable=False),
        sa.Column("visitor_business", sa.Text(), nullable=False),
        sa.Column("owner_dealer_id", sa.Text(), nullable=True),
        sa.Column("owner_partner_code", sa.Text(), nullable=True),
        sa.Column("owner_person_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("start", postgresql.JSONB(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("asked_at", moment, nullable=False),
        sa.Column("expires_at", moment, nullable=False),
        sa.Column("updated_at", moment, nullable=False),
        sa.Column("ended_at", moment, nullable=True),
        sa.ForeignKeyConstraint(
            ["visitor_id"],
            ["person.id"],
            name=op.f("fk_visit_visitor_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visit")),
    )
    op.create_index(
        "uq_visit_open",
        "visit",
        ["device_key", "visitor_id"],
        unique=True,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_index("ix_visit_visitor", "visit", ["visitor_id", "asked_at"])
    op.create_index("ix_visit_owner_dealer", "visit", ["owner_dealer_id", "asked_at"])
    op.create_index("ix_visit_owner_partner", "visit", ["owner_partner_code", "asked_at"])
    op.create_index("ix_visit_owner_person", "visit", ["owner_person_id", "asked_at"])
    op.create_index(
        "ix_visit_not_begun", "visit", ["asked_at"], postgresql_where=sa.text("rev = 0")
    )


def downgrade() -> None:
    op.drop_table("visit")
