"""Lines between the portal and what it talks to, that can be held, made slow, cut, or lost so that neither end is told."""

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

_AT_ONCE = struct.pack("ii", 1, 0)
"""A connection that is closed with it is reset, as by a machine that is gone."""


@dataclass
class Line:
    """Carries bytes both ways. `open`: cleared, they are held. `delay` is seconds that each piece is on its way."""

    host: str
    far_port: int
    port: int = 0
    """The near end."""
    open: asyncio.Event = field(default_factory=asyncio.Event)
    delay: float = 0
    is_cut: bool = False
    carried: int = 0
    """Connections so far."""
    _ends: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    _carrying: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def __post_init__(self) -> None:
        self.open.set()

    def cut(self) -> None:
        """All connections are reset, and new ones too until it is `mended`."""
        self.is_cut = True
        for end in list(self._ends):
            _reset(end)

    @property
    def connections(self) -> int:
        """Those that carry now."""
        return len(self._carrying) // 2

    def lose(self) -> None:
        """What is connected stays so, and nothing comes through any more; new connections are as good as ever."""
        for task in tuple(self._carrying):
            task.cancel()

    def mend(self) -> None:
        self.is_cut, self.delay = False, 0
        self.open.set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, for as long as both its ends are there."""
        self.carried += 1
        if self.is_cut:
            return _reset(writer)
        try:
            far_reader, far_writer = await asyncio.open_connection(self.host, self.far_port)
        except OSError:
            return _reset(writer)
        self._ends |= {writer, far_writer}
        for one in (self._carry(reader, far_writer), self._carry(far_reader, writer)):
            task = asyncio.create_task(one)
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    def end(self) -> None:
        self.mend()
        self.lose()
        for end in self._ends:
            end.close()

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(65_536):
                await self.open.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                target.write(piece)
                await target.drain()
        except OSError:
            pass
        self._ends.discard(target)
        target.close()


@asynccontextmanager
async def a_line(far_port: int, host: str = "127.0.0.1") -> AsyncGenerator[Line]:
    """An open line to that port; its near end is on loopback."""
    line = Line(host, far_port)
    server = await asyncio.start_server(line.take, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        line.end()
        server.close()


@asynccontextmanager
async def a_line_to(url: str) -> AsyncGenerator[tuple[Line, str]]:
    """The line, and the address of the database at its near end."""
    parts = urlsplit(url)
    async with a_line(parts.port or 5432, parts.hostname or "127.0.0.1") as line:
        near = f"{parts.netloc.rpartition(':')[0]}:{line.port}"
        yield line, urlunsplit(parts._replace(netloc=near))


def _reset(end: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    end.transport.abort()
