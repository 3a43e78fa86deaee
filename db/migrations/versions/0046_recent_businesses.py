"""When a rep last began to work for each of their businesses, as far as sign-ins tell; a dealer's customers by address."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "recent_businesses"
down_revision: str | None = "payouts"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("rep_partner", sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        """
        update rep_partner r set chosen_at = s.turned_at
        from (select person_id, partner_id, max(turned_at) as turned_at from sign_in
              where partner_id is not null group by 1, 2) s
        where s.person_id = r.person_id and s.partner_id = r.partner_id
        """
    )
    op.create_index(
        "ix_rep_partner_chosen",
        "rep_partner",
        ["person_id", "chosen_at"],
        postgresql_where=sa.text("chosen_at is not null"),
    )
    op.create_index(
        "ix_flow_customer",
        "flow",
        ["dealer_id", sa.text("lower(view ->> 'consumer_email') text_pattern_ops")],
        postgresql_where=sa.text("kind = 'activation' and view ->> 'consumer_email' is not null"),
    )


def downgrade() -> None:
    op.drop_index("ix_flow_customer", "flow")
    op.drop_index("ix_rep_partner_chosen", "rep_partner")
    op.drop_column("rep_partner", "chosen_at")
