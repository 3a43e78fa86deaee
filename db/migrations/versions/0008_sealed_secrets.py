"""Pins on their way to a KeyLocker, sealed, until they are used."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "sealed_secrets"
down_revision: str | None = "catalogue"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "sealed_secret",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("flow_id", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sealed_secret")),
    )
    op.create_index("ix_sealed_secret_flow_id", "sealed_secret", ["flow_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_sealed_secret_flow_id", table_name="sealed_secret")
    op.drop_table("sealed_secret")
