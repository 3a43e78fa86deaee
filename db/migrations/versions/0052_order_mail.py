"""Confirmations of orders that are still to be mailed."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "order_mail"
down_revision: str | None = "sent_mail"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "order_mail",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("portal_url", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.func.now(),
            nullable=False,
        ),
        sa.Column(
            "next_at",
            sa.DateTime(timezone=True),
            server_default=sa.func.now(),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["token"],
            ["shop_order.token"],
            name=op.f("fk_order_mail_token_shop_order"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_order_mail")),
    )
    op.create_index("ix_order_mail_next_at", "order_mail", ["next_at"])


def downgrade() -> None:
    op.drop_table("order_mail")
