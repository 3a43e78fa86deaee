"""Wakes whoever follows a run when its projection changes: one listening connection for the whole process."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import structlog

from db.base import PROCESS_LOCK
from db.platform.lines import a_line, ask, received
from db.platform.notices import CHANNEL

LIVES = "select pg_advisory_lock_shared(%s::int, %s::int)"
"""Shared: a connection that was lost without a word holds it for some time still, and must not keep the next one waiting."""

MOST_STREAMS = 20
"""Of one caller, in one process. A browser has one for each tab on which something is followed, and for each that is seen."""

log = structlog.stdlib.get_logger()


@dataclass(eq=False)
class Stream:
    """One that is open; `gave_way` to a newer one of the same caller, it ends."""

    woken: asyncio.Event
    gave_way: bool = False


class Live:
    """`database_url` is a plain libpq address. While the connection is away nobody is woken; afterwards everybody is.

    The connection holds the lock that says that this process lives; `process` is its number.
    """

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self.process = secrets.randbelow(2**31)
        self._followers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._streams: defaultdict[str, list[Stream]] = defaultdict(list)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                async with a_line(self._database_url) as line:
                    await ask(line, LIVES, [PROCESS_LOCK, self.process])
                    await ask(line, f"listen {CHANNEL}")
                    self._wake(self._followers)
                    async for name in received(line):
                        self._wake([name])
            except (psycopg.Error, OSError) as error:
                log.warning("listening was interrupted", kind=type(error).__name__)
                await asyncio.sleep(1)

    @contextmanager
    def following(self, ids: Iterable[str]) -> Generator[asyncio.Event]:
        """An event that is set whenever one of the runs changes; the follower clears it before it looks."""
        woken, followed = asyncio.Event(), tuple(ids)
        for id_ in followed:
            self._followers[id_].add(woken)
        try:
            yield woken
        finally:
            for id_ in followed:
                self._followers[id_].discard(woken)
                if not self._followers[id_]:
                    del self._followers[id_]

    @contextmanager
    def stream_of(self, caller: str, woken: asyncio.Event) -> Generator[Stream]:
        """A stream of this caller. Of more than `MOST_STREAMS` the oldest gives way, and is woken to see it."""
        stream, held = Stream(woken), self._streams[caller]
        held.append(stream)
        if len(held) > MOST_STREAMS:
            oldest = held.pop(0)
            oldest.gave_way = True
            oldest.woken.set()
        try:
            yield stream
        finally:
            if not stream.gave_way:
                held.remove(stream)
            # One that gave way may end after all the others.
            if not held and self._streams.get(caller) is held:
                del self._streams[caller]

    def _wake(self, ids: Iterable[str]) -> None:
        for id_ in tuple(ids):
            for woken in self._followers.get(id_, ()):
                woken.set()
