"""How everybody connects to Temporal, and sends messages: pydantic shapes in every payload, no secret among them.

With a codec Temporal keeps them sealed, and what a failure says as well. Search attributes are never sealed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel
from temporalio.client import Client, Interceptor, WorkflowHandle
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import (
    DataConverter,
    DefaultFailureConverterWithEncodedAttributes,
    PayloadCodec,
)
from temporalio.runtime import Runtime
from temporalio.service import RPCError, RPCStatusCode

from activities.runs.begin import begin_or_join, begun_as, joined_as
from activities.runs.failures import NOT_IN_TIME, pending_of, said_by
from workflows.request_ids import NamesRequests

__all__ = [
    "NOT_IN_TIME",
    "begin_or_join",
    "begun_as",
    "connect",
    "data_converter",
    "joined_as",
    "pending_of",
    "retry_lost_update",
    "said_by",
    "send_update",
]

LOST_PAUSE_SECONDS = 0.05
T = TypeVar("T")


def data_converter(codec: PayloadCodec | None = None) -> DataConverter:
    """How whatever goes to Temporal is written, and read again: by clients, workers and replays alike."""
    if codec is None:
        return pydantic_data_converter
    return replace(
        pydantic_data_converter,
        payload_codec=codec,
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )


async def connect(
    address: str,
    namespace: str = "default",
    *,
    codec: PayloadCodec | None = None,
    lazy: bool = False,
    interceptors: Sequence[Interceptor] = (),
    runtime: Runtime | None = None,
) -> Client:
    """A client. `lazy` connects at the first call, so that reads work while Temporal is down. `runtime` measures it."""
    return await Client.connect(
        address,
        namespace=namespace,
        data_converter=data_converter(codec),
        lazy=lazy,
        interceptors=[NamesRequests(), *interceptors],
        runtime=runtime,
    )


async def retry_lost_update(sending: Callable[[], Awaitable[T]]) -> T:
    """What `sending` brings. It sends one message under one update id, as often as it is asked to; the caller sets the
    time limit. Raises what `sending` raises.

    An update that ends its run while a signal or an activity's outcome comes in is forgotten: the server refuses the
    workflow task (UnhandledCommand) and the sender gets FAILED_PRECONDITION. Nothing has happened then, so it is sent
    again.
    """
    while True:
        try:
            return await sending()
        except RPCError as error:
            if error.status is not RPCStatusCode.FAILED_PRECONDITION:
                raise
            await asyncio.sleep(LOST_PAUSE_SECONDS)


async def send_update(
    handle: WorkflowHandle[Any, Any], update: Any, message: BaseModel, *, update_id: str
) -> Any:
    """What the run answers. Raises what `execute_update` raises; the caller sets the time limit."""

    async def sending() -> Any:
        return await handle.execute_update(update, message, id=update_id)  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open

    return await retry_lost_update(sending)
