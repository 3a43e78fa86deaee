"""Links to what a finished activation leaves in the hand of the car's owner."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "handout_links"
down_revision: str | None = "order_invoices"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "handout_link",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("activation_id", sa.Text(), nullable=False),
        sa.Column("maker_id", sa.Text(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opened", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["maker_id"],
            ["person.id"],
            name=op.f("fk_handout_link_maker_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_handout_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_handout_link_token_hash")),
    )
    op.create_index(
        "uq_handout_link_good",
        "handout_link",
        ["activation_id"],
        unique=True,
        postgresql_where=sa.text("revoked_at is null"),
    )


def downgrade() -> None:
    op.drop_table("handout_link")
