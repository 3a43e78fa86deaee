"""What a failure says that Temporal keeps, in clear or sealed with the payloads; and how it says that it had no time."""

from datetime import UTC

from temporalio.api.failure.v1 import Failure
from temporalio.api.workflow.v1 import PendingActivityInfo
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCStatusCode

from domain.base import Frozen
from domain.errors import PortalError
from domain.operations.operations import PendingActivity
from providers.errors import Refused, Unavailable
from providers.security.payloads import ENCODING, SealBroken

CANNOT_OPEN = "What it says is sealed under a key that is not here."
NOT_IN_TIME = frozenset({RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED})
"""No answer within an `rpc_timeout`: the server says the first, the client, if it is the quicker of the two, the second."""


_THEIRS = "provider_request"


class Said(Frozen):
    """`words` are None where it says nothing, and `CANNOT_OPEN` where it cannot be opened; `request_id` is what the outside system
    calls the request that failed, where it said so."""

    words: str | None
    request_id: str | None = None


def theirs(error: PortalError) -> ApplicationError | None:
    """What stands behind a failure: the outside system's own name of the request. It is the cause of the failure, which whoever
    reads words, code and fields passes over."""
    named = error.request_id if isinstance(error, Unavailable | Refused) else None
    return None if named is None else ApplicationError(named, type=_THEIRS)


async def said_by(client: Client, failure: Failure) -> Said:
    if not failure.message and not failure.HasField("encoded_attributes"):
        return Said(words=None)
    copy = Failure()
    copy.CopyFrom(failure)  # opening one writes into it
    try:
        error = await client.data_converter.decode_failure(copy)
    except SealBroken:
        return Said(words=CANNOT_OPEN)
    if copy.encoded_attributes.metadata.get("encoding") == ENCODING:
        return Said(words=CANNOT_OPEN)  # nothing opens here at all
    named = error.__cause__
    return Said(
        words=str(getattr(error, "message", error)) or None,
        request_id=named.message
        if isinstance(named, ApplicationError) and named.type == _THEIRS
        else None,
    )


async def pending_of(client: Client, pending: PendingActivityInfo) -> PendingActivity:
    """As operators see it."""
    said = await said_by(client, pending.last_failure)
    return PendingActivity(
        activity=pending.activity_type.name,
        attempt=pending.attempt,
        failure=said.words,
        next_at=pending.scheduled_time.ToDatetime(tzinfo=UTC)
        if pending.HasField("scheduled_time")
        else None,
        request_id=said.request_id,
    )
