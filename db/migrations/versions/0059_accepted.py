"""The audit knows what was accepted, and whose outcome comes later."""

from collections.abc import Sequence

from alembic import op

revision: str = "accepted"
down_revision: str | None = "order_tokens"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    # Every row keeps to the narrower rule of before: none is read, so that the audit is locked for a moment only.
    op.execute(
        """
        alter table audit
            drop constraint ck_audit_outcome,
            add constraint ck_audit_outcome check (outcome in ('done', 'accepted', 'refused')) not valid
        """
    )


def downgrade() -> None:
    op.execute("update audit set outcome = 'done' where outcome = 'accepted'")
    op.drop_constraint(op.f("ck_audit_outcome"), "audit", type_="check")
    op.create_check_constraint(op.f("ck_audit_outcome"), "audit", "outcome in ('done', 'refused')")
