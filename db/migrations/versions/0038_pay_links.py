"""Links by which somebody without an account pays one invoice."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "pay_links"
down_revision: str | None = "operators_search"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "pay_link",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("invoice_number", sa.Text(), nullable=False),
        sa.Column("maker_id", sa.Text(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=False),
        sa.Column("made_for", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opened", sa.Integer(), server_default="0", nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["maker_id"],
            ["person.id"],
            name=op.f("fk_pay_link_maker_id_person"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pay_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_pay_link_token_hash")),
    )
    op.create_index(
        "ix_pay_link_invoice", "pay_link", ["partner_code", "invoice_number", "created_at"]
    )
    op.create_table(
        "lent_card",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("link_id", sa.Text(), nullable=False),
        sa.Column("partner_code", sa.Text(), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["pay_link.id"],
            name=op.f("fk_lent_card_link_id_pay_link"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lent_card")),
        sa.UniqueConstraint("link_id", "provider_id", name="uq_lent_card_link"),
    )


def downgrade() -> None:
    op.drop_table("lent_card")
    op.drop_index("ix_pay_link_invoice", table_name="pay_link")
    op.drop_table("pay_link")
