"""What a failure says that Temporal keeps, in clear or sealed with the payloads; and how it says that it had no time."""

from temporalio.api.failure.v1 import Failure
from temporalio.client import Client
from temporalio.service import RPCStatusCode

from providers.security.payloads import ENCODING, SealBroken

CANNOT_OPEN = "What it says is sealed under a key that is not here."
NOT_IN_TIME = frozenset({RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED})
"""No answer within an `rpc_timeout`: the server says the first, the client, if it is the quicker of the two, the second."""


async def words_of(client: Client, failure: Failure) -> str | None:
    """None when it says nothing, and `CANNOT_OPEN` of one that cannot be opened."""
    if not failure.HasField("encoded_attributes"):
        return failure.message or None
    copy = Failure()
    copy.CopyFrom(failure)  # opening one writes into it
    try:
        error = await client.data_converter.decode_failure(copy)
    except SealBroken:
        return CANNOT_OPEN
    if copy.encoded_attributes.metadata.get("encoding") == ENCODING:
        return CANNOT_OPEN  # nothing opens here at all
    return str(getattr(error, "message", error)) or None
