"""Waiting for Temporal: a worker that starts before its server is a worker that waits."""

import asyncio
from collections.abc import Sequence

import structlog
from temporalio.client import Client, Interceptor
from temporalio.converter import PayloadCodec
from temporalio.runtime import Runtime
from temporalio.service import RPCError

from workflows.client import connect

log = structlog.stdlib.get_logger()


async def connect_when_there(
    address: str,
    namespace: str,
    interceptors: Sequence[Interceptor] = (),
    *,
    codec: PayloadCodec | None = None,
    runtime: Runtime | None = None,
) -> Client:
    """Tries every second until the server answers."""
    while True:
        try:
            return await connect(
                address, namespace, codec=codec, interceptors=interceptors, runtime=runtime
            )
        except (RPCError, RuntimeError, OSError) as error:
            log.info("waiting for Temporal", kind=type(error).__name__)
            await asyncio.sleep(1)
