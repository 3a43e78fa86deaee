"""Hands on what waits in an outbox: woken by NOTIFY, and looks by itself every few seconds."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import LiteralString

import psycopg
import structlog
from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from db.platform.lines import a_line, ask, received

LOOK_EVERY = timedelta(seconds=2)
AFTER_A_FAULT = timedelta(seconds=1)

log = structlog.stdlib.get_logger()


class Outbox:
    """`deliver` hands on one batch and answers how many rows were done: as many as `batch` when there may be more. What is told
    on the channel of anything else than `about`, where it is named, wakes others."""

    def __init__(
        self,
        deliver: Callable[[], Awaitable[int]],
        *,
        batch: int,
        channel: LiteralString,
        database_url: str,
        about: str | None = None,
    ) -> None:
        """`database_url` is a plain libpq address for the listening connection."""
        self._deliver = deliver
        self._batch = batch
        self._channel: LiteralString = channel
        self._database_url = database_url
        self._about = about
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen())
            tasks.create_task(self._hand_on())

    async def _listen(self) -> None:
        while True:
            try:
                async with a_line(self._database_url) as line:
                    await ask(line, f"listen {self._channel}")
                    self._woken.set()
                    async for name in received(line):
                        if self._about in (None, name):
                            self._woken.set()
            except (psycopg.Error, OSError) as error:
                log.warning("listening was interrupted", kind=type(error).__name__)
                await asyncio.sleep(AFTER_A_FAULT.total_seconds())

    async def _hand_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY.total_seconds()):
                    await self._woken.wait()
            self._woken.clear()
            try:
                while await self._deliver() == self._batch:
                    pass
            except (SQLAlchemyError, RPCError, OSError) as error:
                log.warning("relaying was interrupted", kind=type(error).__name__)
                await asyncio.sleep(AFTER_A_FAULT.total_seconds())
