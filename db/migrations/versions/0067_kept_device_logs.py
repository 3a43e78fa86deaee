"""Housekeeping finds the device logs that have been kept for long enough."""

from collections.abc import Sequence

from db.migrations.indexes import build_index, drop_built_index

revision: str = "kept_device_logs"
down_revision: str | None = "languages"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    build_index("ix_device_log_received", "device_log", ["received_at"])


def downgrade() -> None:
    drop_built_index("ix_device_log_received", "device_log")
