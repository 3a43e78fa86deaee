"""One invoice for each shipment of an order."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "order_invoices"
down_revision: str | None = "recent_businesses"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "shop_order_invoice",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("shipment_number", sa.Text(), nullable=True),
        sa.Column("amount", sa.Numeric(12, 2), nullable=False),
        sa.Column(
            "heard_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("order_id", "number", name=op.f("pk_shop_order_invoice")),
    )
    # Of an order that was invoiced at once there is one, for all of it.
    op.execute(
        """
        insert into shop_order_invoice (order_id, number, amount, heard_at)
        select id, invoice_number, total, updated_at from shop_order where invoice_number is not null
        """
    )
    # Last, as it keeps orders from being written until the transaction ends.
    op.create_foreign_key(
        op.f("fk_shop_order_invoice_order_id_shop_order"),
        "shop_order_invoice",
        "shop_order",
        ["order_id"],
        ["id"],
        ondelete="CASCADE",
    )


def downgrade() -> None:
    op.drop_table("shop_order_invoice")
