"""What a failure says that Temporal keeps: in clear, or sealed with the payloads."""

from temporalio.api.failure.v1 import Failure
from temporalio.client import Client


async def words_of(client: Client, failure: Failure) -> str | None:
    """None when it says nothing. Raises what the codec raises for one that it cannot open."""
    if not failure.HasField("encoded_attributes"):
        return failure.message or None
    copy = Failure()
    copy.CopyFrom(failure)  # opening one writes into it
    error = await client.data_converter.decode_failure(copy)
    return str(getattr(error, "message", error)) or None
