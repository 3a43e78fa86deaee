"""Invitations, and what people without an account write to us."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "invitation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("dealer_id", sa.Text(), nullable=False),
        sa.Column("dealer_name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("user_type", sa.Text(), nullable=False),
        sa.Column("invited_by", sa.Text(), nullable=False),
        sa.Column("inviter", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=True),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answered_with", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["dealer_id"], ["dealer.id"], name=op.f("fk_invitation_dealer_id_dealer")
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_invitation_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    op.create_index(
        "ix_invitation_dealer_created", "invitation", ["dealer_id", "created_at"], unique=False
    )
    op.create_index("ix_invitation_person_id", "invitation", ["person_id"], unique=False)
    op.create_index(
        "uq_invitation_open",
        "invitation",
        ["dealer_id", "email"],
        unique=True,
        postgresql_where=sa.text("ended_at is null"),
    )
    op.create_table(
        "inquiry",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reply_to", sa.Text(), nullable=False),
        sa.Column("said", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "kind in ('dealer_request', 'contact_us')", name=op.f("ck_inquiry_kind")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inquiry")),
    )
    op.create_index(
        "ix_inquiry_unmailed",
        "inquiry",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("mailed_at is null"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_inquiry_unmailed", table_name="inquiry", postgresql_where=sa.text("mailed_at is null")
    )
    op.drop_table("inquiry")
    op.drop_index(
        "uq_invitation_open",
        table_name="invitation",
        postgresql_where=sa.text("ended_at is null"),
    )
    op.drop_index("ix_invitation_person_id", table_name="invitation")
    op.drop_index("ix_invitation_dealer_created", table_name="invitation")
    op.drop_table("invitation")
