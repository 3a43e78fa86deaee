"""Signals that wait until they can be read (decision 69)."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, get_type_hints

from temporalio import workflow
from temporalio.common import RawValue

Handler = TypeVar("Handler", bound=Callable[..., Any])


def patient_signal(handler: Handler) -> Handler:
    """`workflow.signal` for a message with a payload. One that this release cannot read fails the workflow task until a
    release comes that can; the SDK by itself would let it fall and go on without it."""
    _, name = inspect.signature(handler).parameters
    shape = get_type_hints(handler)[name]

    def read(raw: RawValue) -> Any:
        try:
            return workflow.payload_converter().from_payload(raw.payload, shape)
        except Exception as error:
            raise RuntimeError(f"the signal {handler.__name__} cannot be read") from error

    async def wait_for(self, raw: RawValue) -> None:  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType] the SDK counts a typed one
        await handler(self, read(raw))

    def take(self, raw: RawValue) -> None:  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType] the same
        handler(self, read(raw))

    signal = cast(Callable[..., Any], wait_for if inspect.iscoroutinefunction(handler) else take)
    signal.__name__, signal.__qualname__ = handler.__name__, handler.__qualname__
    signal.__doc__, signal.__module__ = handler.__doc__, handler.__module__
    return cast(Handler, workflow.signal(signal))
