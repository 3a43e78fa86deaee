"""Connections that a process keeps to itself beside the pool. Whoever is at the other end may vanish without a word, and a
socket says nothing of that for minutes: each is asked something every so often, and cut when no answer comes."""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import LiteralString

import psycopg

from db.base import LINE, OTHER_END

QUIET = 10.0
"""Seconds without news after which whoever listens asks whether anybody is there."""
ANSWERED = 3.0
"""Seconds that an answer takes at most."""


class Silent(psycopg.OperationalError):
    """Nobody answered in time."""


@asynccontextmanager
async def a_line(database_url: str) -> AsyncGenerator[psycopg.AsyncConnection]:
    """`database_url` is a plain libpq address. Each statement commits by itself. Raises psycopg.Error and OSError."""
    options = " ".join(f"-c {name}={value}" for name, value in OTHER_END.items())
    async with await psycopg.AsyncConnection.connect(
        database_url, autocommit=True, options=options, **LINE
    ) as connection:
        yield connection


async def ask(
    line: psycopg.AsyncConnection, question: LiteralString, values: Sequence[object] = ()
) -> None:
    """Raises Silent when no answer comes: the line is gone then.

    It is cut, as a time limit alone would not end it: psycopg asks the server to give up, and waits for that, too.
    """
    cut = asyncio.Event()
    cutting = asyncio.get_running_loop().call_later(ANSWERED, _cut, line, cut)
    try:
        await line.execute(question, values)
    except psycopg.Error as error:
        raise (Silent() if cut.is_set() else error) from None
    finally:
        cutting.cancel()


async def received(line: psycopg.AsyncConnection) -> AsyncGenerator[str]:
    """What is told on the channels that the line listens to. Raises Silent when nobody is there any more."""
    while True:
        async for notice in line.notifies(timeout=QUIET):
            yield notice.payload
        await ask(line, "select 1")


def _cut(line: psycopg.AsyncConnection, cut: asyncio.Event) -> None:
    cut.set()
    with socket.socket(fileno=os.dup(line.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
