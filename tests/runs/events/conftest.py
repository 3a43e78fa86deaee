"""The portal of these tests, behind a real socket: streams need one."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import suppress

import pytest
import uvicorn

from tests.drivers.whole_portal import Whole, whole

__all__ = ["whole"]


@pytest.fixture(scope="package")
async def address(whole: Whole) -> AsyncGenerator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(whole.app, lifespan="off", log_config=None, access_log=False)
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    with suppress(asyncio.CancelledError):
        await serving
