"""Fixed times for rules that take one."""

from datetime import UTC, datetime

NOON = datetime(2026, 8, 3, 12, 0, tzinfo=UTC)
