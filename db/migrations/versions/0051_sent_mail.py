"""The keys of mails that are out."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "sent_mail"
down_revision: str | None = "saved_lists"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "sent_mail",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column(
            "sent_at",
            sa.DateTime(timezone=True),
            server_default=sa.func.now(),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sent_mail")),
    )
    op.create_index("ix_sent_mail_sent_at", "sent_mail", ["sent_at"])


def downgrade() -> None:
    op.drop_table("sent_mail")
