"""What a failure says that Temporal keeps: in clear, or sealed with the payloads."""

from temporalio.api.failure.v1 import Failure
from temporalio.client import Client

from providers.security.payloads import ENCODING, SealBroken

CANNOT_OPEN = "What it says is sealed under a key that is not here."


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
