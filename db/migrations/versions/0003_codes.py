"""Codes, links and challenges."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "link_token",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_link_token_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_link_token")),
    )
    op.create_index("ix_link_token_person_id", "link_token", ["person_id"], unique=False)
    op.create_table(
        "mfa_challenge",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("remembered", sa.Boolean(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_mfa_challenge_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_mfa_challenge")),
    )
    op.create_index("ix_mfa_challenge_expires_at", "mfa_challenge", ["expires_at"], unique=False)
    op.create_table(
        "one_time_code",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("use", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("bound_to", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("tries >= 0", name=op.f("ck_one_time_code_tries")),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
            name=op.f("fk_one_time_code_person_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("person_id", "use", name=op.f("pk_one_time_code")),
    )
    op.add_column("person", sa.Column("totp_pending", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "totp_pending")
    op.drop_table("one_time_code")
    op.drop_index("ix_mfa_challenge_expires_at", table_name="mfa_challenge")
    op.drop_table("mfa_challenge")
    op.drop_index("ix_link_token_person_id", table_name="link_token")
    op.drop_table("link_token")
