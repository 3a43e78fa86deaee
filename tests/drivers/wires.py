"""A wire between a process of ours and PostgreSQL that can be held, or cut so that neither end is told."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit


class Wire:
    """Carries bytes both ways while it is `open`."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self._carrying: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    @property
    def connections(self) -> int:
        return len(self._carrying) // 2

    def join(
        self,
        near: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        far: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._ends += (near[1], far[1])
        for source, target in ((near[0], far[1]), (far[0], near[1])):
            task = asyncio.create_task(self._carry(source, target))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    def lose(self) -> None:
        """What is connected stays so, and nothing comes through any more; new connections are as good as ever."""
        for task in tuple(self._carrying):
            task.cancel()

    def close(self) -> None:
        self.lose()
        for end in self._ends:
            end.close()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(65_536):
                await self.open.wait()
                target.write(piece)
                await target.drain()
        except OSError:
            pass
        target.close()


@asynccontextmanager
async def a_wire(url: str) -> AsyncGenerator[tuple[Wire, str]]:
    """The wire, and the address of the database at its near end."""
    wire, parts = Wire(), urlsplit(url)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far = await asyncio.open_connection(parts.hostname, parts.port)
        wire.join((reader, writer), far)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    near = parts.netloc.rpartition(":")[0] + f":{port}"
    try:
        yield wire, urlunsplit(parts._replace(netloc=near))
    finally:
        server.close()
        wire.close()
