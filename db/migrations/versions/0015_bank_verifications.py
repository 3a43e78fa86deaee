"""How far the verification of each bank account is."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "bank_verifications"
down_revision: str | None = "orders"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "bank_verification",
        sa.Column("method_id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("tries_left", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("tries_left >= 0", name=op.f("ck_bank_verification_tries_left")),
        sa.ForeignKeyConstraint(
            ["method_id"],
            ["payment_method.id"],
            name=op.f("fk_bank_verification_method_id_payment_method"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("method_id", name=op.f("pk_bank_verification")),
    )


def downgrade() -> None:
    op.drop_table("bank_verification")
