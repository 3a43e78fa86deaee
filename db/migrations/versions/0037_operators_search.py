"""What operators look for is found by an index: a workflow, a business, a replaced device, a person's name."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "operators_search"
down_revision: str | None = "option_writes"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_REPLACED = "view #>> '{facts,replaced,old_device_key}'"


def upgrade() -> None:
    op.create_index("ix_flow_workflow", "flow", ["workflow_id"])
    op.create_index("ix_flow_partner", "flow", ["partner", "updated_at"])
    op.create_index(
        "ix_flow_replaced_device",
        "flow",
        [sa.text(f"({_REPLACED})")],
        postgresql_where=sa.text(f"kind = 'activation' and {_REPLACED} is not null"),
    )
    op.create_index("ix_device_reservation_device", "device_reservation", ["device_key"])
    op.create_index("ix_person_last_name", "person", [sa.text("lower(last_name)")])


def downgrade() -> None:
    op.drop_index("ix_person_last_name", table_name="person")
    op.drop_index("ix_device_reservation_device", table_name="device_reservation")
    op.drop_index("ix_flow_replaced_device", table_name="flow")
    op.drop_index("ix_flow_partner", table_name="flow")
    op.drop_index("ix_flow_workflow", table_name="flow")
