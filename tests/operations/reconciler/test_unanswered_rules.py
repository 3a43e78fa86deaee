"""A run that nobody can answer for ends no round: those that are gone are still taken up."""

from typing import Any, cast

import pytest
from temporalio.client import WorkflowHandle
from temporalio.service import RPCError, RPCStatusCode

from activities.operations.comparison import ask


class Unanswered:
    """A run whose question ends with this status, in the words of Temporal's server."""

    def __init__(self, status: RPCStatusCode, words: str) -> None:
        self._error = RPCError(words, status, b"")

    async def query(self, *_: Any, **__: Any) -> Any:
        raise self._error


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RPCStatusCode.NOT_FOUND, "workflow execution not found"),
        (RPCStatusCode.DEADLINE_EXCEEDED, "context deadline exceeded"),
        (RPCStatusCode.CANCELLED, "Timeout expired"),
        (
            RPCStatusCode.FAILED_PRECONDITION,
            "no poller seen for task queue recently, worker may be down",
        ),
    ],
)
async def test_a_run_without_an_answer_is_left_for_the_next_round(
    status: RPCStatusCode, words: str
) -> None:
    assert await ask(cast("WorkflowHandle[object, object]", Unanswered(status, words))) is None


async def test_a_server_that_is_away_is_told() -> None:
    away = Unanswered(RPCStatusCode.UNAVAILABLE, "connection refused")
    with pytest.raises(RPCError):
        await ask(cast("WorkflowHandle[object, object]", away))
