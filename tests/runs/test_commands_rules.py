"""What the audit says of a command to a run, by its answer."""

import pytest

from api.runs.command import came_of
from db.operations.audit import Outcome


@pytest.mark.parametrize(("status", "outcome"), [(200, Outcome.DONE), (202, Outcome.ACCEPTED)])
def test_what_was_taken_on_is_not_called_done(status: int, outcome: Outcome) -> None:
    assert came_of(status) is outcome


@pytest.mark.parametrize("status", [200, 202])
def test_what_only_begins_is_not_called_done(status: int) -> None:
    assert came_of(status, begins=True) is Outcome.ACCEPTED
