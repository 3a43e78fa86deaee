"""Whether the database answers, asked all the time over a connection of its own.

A database that is gone refuses at once and every call says so. One that hangs says nothing: calls would wait for ever, and
no time limit of its own can end that, since it is the one that does not run. One whose host vanished says nothing either,
on the connections that it had: a new one is tried.
"""

import asyncio
import time

import psycopg
import structlog

from db.platform.lines import Silent, a_line, ask

ASK_EVERY = 0.5
SILENT_AFTER = 1.5
"""Seconds without an answer to `select 1` after which the database counts as hung."""

log = structlog.stdlib.get_logger()


class DatabaseWatch:
    """`database_url` is a plain libpq address."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self._asked_at: float | None = None

    @property
    def is_hung(self) -> bool:
        return self._asked_at is not None and time.monotonic() - self._asked_at > SILENT_AFTER

    async def run(self) -> None:
        """Until cancelled. What is not answered on one connection stays unanswered until another one answers."""
        while True:
            try:
                self._ask()
                async with a_line(self._database_url) as line:
                    while True:
                        self._ask()
                        await ask(line, "select 1")
                        self._asked_at = None
                        await asyncio.sleep(ASK_EVERY)
            except (psycopg.errors.ConnectionTimeout, Silent):
                log.warning("the database did not answer")
            except (psycopg.Error, OSError):
                self._asked_at = None
                await asyncio.sleep(ASK_EVERY)

    def _ask(self) -> None:
        self._asked_at = self._asked_at or time.monotonic()
