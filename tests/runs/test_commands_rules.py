"""What the audit says of a command to a run, by its answer."""

import pytest

from api.runs.command import RunCommand
from api.runs.flows import Accepted
from db.operations.audit import Outcome

TOLD = Accepted(id="x", update_id="x")


@pytest.mark.parametrize(("status", "outcome"), [(200, Outcome.DONE), (202, Outcome.ACCEPTED)])
def test_what_was_taken_on_is_not_called_done(status: int, outcome: Outcome) -> None:
    command = RunCommand.__new__(RunCommand)  # no request is needed to judge an answer
    assert command.came_of(status, TOLD) is outcome
