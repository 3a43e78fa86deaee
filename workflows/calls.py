"""How long each activity may take and how often it is tried (`docs/decisions/0005-retries.md`).

Start-to-close is also the time after which a dead worker's activity is tried again, so it is short.
"""

from datetime import timedelta
from typing import Any

from temporalio.common import RetryPolicy

_SECOND = timedelta(seconds=1)

LONGEST = timedelta(days=30)
"""Of what is tried until it is done: no outage lasts so long, and a run that meets this end is lost and found as any other
(decision 88)."""


def within(total: timedelta, kind: dict[str, Any]) -> dict[str, Any]:
    """The same with an end of its own."""
    return {**kind, "schedule_to_close_timeout": total}


READ: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=8),
    "schedule_to_close_timeout": timedelta(seconds=60),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(seconds=10)),
}
"""A question to an outside system."""

QUERY_COMMAND: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=8),
    "schedule_to_close_timeout": timedelta(seconds=60),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_attempts=4),
}
"""A command that changes nothing in the car."""

ACTING_COMMAND: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=8),
    "schedule_to_close_timeout": timedelta(seconds=60),
    "retry_policy": RetryPolicy(maximum_attempts=1),
}
"""A command that moves or wakes a car: a person tries again, never a machine."""

CHANGE: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=10),
    "schedule_to_close_timeout": timedelta(minutes=5),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(seconds=10)),
}
"""A change at an outside system, idempotent by its key."""

SETTING: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=10),
    "schedule_to_close_timeout": timedelta(seconds=90),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_attempts=3),
}
"""A setting of a device that a person waits for, idempotent by its key: after three tries they try again."""

TABLES: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=20),
    "schedule_to_close_timeout": timedelta(minutes=3),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_attempts=3),
}
"""Option tables: read, then written, and the network may ask the device."""

SWAP: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=20),
    "schedule_to_close_timeout": timedelta(minutes=2),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_attempts=3),
}
"""One device in another's place: each try reads both first."""

PAYING: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=15),
    "schedule_to_close_timeout": LONGEST,
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(minutes=1)),
}
"""What moves money or goods, idempotent by its key; how long it is tried is the run's to say."""

SUSPENDING: dict[str, Any] = {
    **PAYING,
    "start_to_close_timeout": timedelta(minutes=3),
    "heartbeat_timeout": timedelta(seconds=30),
}
"""The plans of a whole purchase at once; each that is done is told, and another try leaves it alone."""

ONCE: dict[str, Any] = {**PAYING, "retry_policy": RetryPolicy(maximum_attempts=1)}
"""The same, where one try is enough to know more."""

QUOTE: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=20),
    "schedule_to_close_timeout": LONGEST,
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(seconds=10)),
}
"""Many questions to an outside system at once; after three tries it is answered without what nobody knows."""

NOTIFY: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=60),
    "schedule_to_close_timeout": timedelta(hours=1),
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(minutes=1)),
}
"""A message to a person; nobody waits for it. Mail servers may take their time; who has it is not written to again."""

TIDYING: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=60),
    "schedule_to_close_timeout": LONGEST,
    "retry_policy": RetryPolicy(initial_interval=_SECOND, maximum_interval=timedelta(hours=1)),
}
"""What nobody waits for, and that may have to wait for others to be done."""

RECORD: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=10),
    "schedule_to_close_timeout": LONGEST,
    "retry_policy": RetryPolicy(
        initial_interval=timedelta(milliseconds=100), maximum_interval=timedelta(seconds=10)
    ),
}
"""A transaction in our own database, and a moment for an outside system: tried until the database is there."""

OURS: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=5),
    "schedule_to_close_timeout": LONGEST,
    "retry_policy": RetryPolicy(
        initial_interval=timedelta(milliseconds=100), maximum_interval=timedelta(seconds=10)
    ),
}
"""A short transaction in our own database, as a local activity: tried until the database is there."""
