"""What an outside system asks to be left alone for, and how far that is obeyed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from temporalio.common import RetryPolicy
from temporalio.testing import ActivityEnvironment

from domain.errors import Conflict, PortalError
from providers.errors import Busy, Unavailable
from providers.http import LONGEST_WAIT, seconds_of
from workers.interceptors import wait_asked_for

BEGAN = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("7", 7),
        ("86400", LONGEST_WAIT),
        ("9" * 5_000, LONGEST_WAIT),
        (format_datetime(datetime(2000, 1, 1, tzinfo=UTC), usegmt=True), 0),
        (format_datetime(datetime(2100, 1, 1, tzinfo=UTC), usegmt=True), LONGEST_WAIT),
    ],
)
def test_a_wait_is_read_in_seconds_or_as_a_date_and_bounded(
    header: str | None, seconds: int | None
) -> None:
    assert seconds_of(header) == seconds


def away(seconds: int | None) -> Unavailable:
    return Unavailable(system="vendor", may_have_worked=False, retry_after=seconds)


@pytest.mark.parametrize(
    ("error", "attempt", "wait"),
    [
        (away(30), 1, 30),
        (away(30), 9, 30),
        (away(5), 9, None),
        (away(0), 1, None),
        (away(None), 1, None),
        (away(60), 1, None),
        (Busy(system="vendor"), 1, None),
        (Conflict(retry_after=30), 1, None),
    ],
)
def test_it_is_waited_for_so_long_unless_the_policy_does_or_the_time_would_be_over(
    error: PortalError, attempt: int, wait: int | None
) -> None:
    info = replace(
        ActivityEnvironment().info,
        attempt=attempt,
        scheduled_time=BEGAN,
        schedule_to_close_timeout=timedelta(seconds=60),
        retry_policy=RetryPolicy(
            initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=10)
        ),
    )
    asked = wait_asked_for(error, info, BEGAN + timedelta(seconds=1))
    assert asked == (None if wait is None else timedelta(seconds=wait))
