"""How one message to a run is sent: again when the run's end beat it, and never longer than a write may take."""

import asyncio
from datetime import timedelta

import pytest
from temporalio.client import WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.service import RPCError, RPCStatusCode

from api.runs.messages import within_deadline


class Sending:
    """Fails with each of these, in this order, before it answers."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.times = 0

    async def __call__(self) -> str:
        self.times += 1
        if self.failures:
            raise self.failures.pop(0)
        return "taken"


def refused(status: RPCStatusCode) -> RPCError:
    return RPCError("UnhandledCommand", status, b"")


async def test_a_message_that_was_beaten_is_sent_again() -> None:
    beaten = refused(RPCStatusCode.FAILED_PRECONDITION)
    sending = Sending(beaten, beaten)
    assert await within_deadline(sending) == "taken"
    assert sending.times == 3


async def test_any_other_refusal_is_final() -> None:
    sending = Sending(refused(RPCStatusCode.NOT_FOUND))
    with pytest.raises(RPCError):
        await within_deadline(sending)
    assert sending.times == 1


async def test_an_answer_that_takes_too_long_is_given_up() -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return "late"

    with pytest.raises(TimeoutError):
        await within_deadline(never, within=timedelta(milliseconds=50))


async def test_a_client_that_gives_up_by_itself_is_the_same() -> None:
    with pytest.raises(TimeoutError):
        await within_deadline(Sending(WorkflowUpdateRPCTimeoutOrCancelledError()))
