"""How outside systems answer this process, counted on its way out (promise 51). Says nothing of what was asked."""

import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import structlog

from domain.errors import Conflict
from domain.operations.operations import ThirdParty

REQUEST_ID_HEADER = "X-Request-ID"
"""Tells a third party which request is behind a call, so that both sides can name it."""

_AWAY = frozenset({401, 408, 429})
KEPT_CONNECTIONS = 20
"""Kept for the next call, of all systems together."""


def request_behind() -> str | None:
    """The id of the request that what is done here is done for."""
    return structlog.contextvars.get_contextvars().get("request_id")


@dataclass
class _Count:
    calls: int = 0
    failures: int = 0
    last_ok_at: datetime | None = None
    last_failed_at: datetime | None = None
    reason: str | None = None


class Tally:
    """How the calls of one process to each outside system ended. `process` tells it from others."""

    def __init__(self, process: str) -> None:
        self._process = process
        self._counts: dict[str, _Count] = {}
        self.listener: Callable[[str, str | None, float], None] | None = None
        """Told of each call that ended: the system, why it failed if it did, and its seconds."""
        self.around: Callable[[str], AbstractContextManager[Any]] = lambda _: nullcontext()
        """What a call to a system that speaks no HTTP is made within."""

    def seen(self) -> tuple[ThirdParty, ...]:
        """What was counted so far, of the systems that were called."""
        return tuple(
            ThirdParty(system=name, process=self._process, **vars(count))
            for name, count in sorted(self._counts.items())
        )

    @contextmanager
    def counted(self, system: str) -> Generator[None]:
        """One call that is no HTTP: a failure unless it ends well, or by a clear no."""
        begun = self.begin(system)
        try:
            with self.around(system):
                yield
        except Conflict:
            self.end(system, begun)
            raise
        except BaseException as error:
            # A call that took too long is cancelled from outside.
            self.end(system, begun, type(error).__name__)
            raise
        self.end(system, begun)

    def begin(self, system: str) -> float:
        """When it began, for its end."""
        self._counts.setdefault(system, _Count()).calls += 1
        return time.perf_counter()

    def end(self, system: str, begun: float, reason: str | None = None) -> None:
        """`reason` if it failed."""
        count, now = self._counts[system], datetime.now(UTC)
        if reason is None:
            count.last_ok_at = now
        else:
            count.failures += 1
            count.last_failed_at, count.reason = now, reason
        if self.listener is not None:
            self.listener(system, reason, time.perf_counter() - begun)


class WatchedClient(httpx.AsyncClient):
    """A client that counts how each of its calls ended, and names the request behind it. A clear no counts as an answer."""

    def __init__(
        self,
        *,
        systems: Mapping[str, str],
        process: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`systems` are base addresses by name; `process` tells this process from others."""
        # Each line bounds its own calls: a limit of all connections would have those of a silent system keep the others out.
        super().__init__(
            transport=transport,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=KEPT_CONNECTIONS),
        )
        self._systems = {name: httpx.URL(url) for name, url in systems.items()}
        self.tally = Tally(process)
        self.seen = self.tally.seen

    async def send(
        self, request: httpx.Request, *, stream: bool = False, **how: Any
    ) -> httpx.Response:
        """What is read in parts is counted by `stream`, once all of it was read."""
        request_id = request_behind()
        if request_id is not None:
            request.headers.setdefault(REQUEST_ID_HEADER, request_id)
        if stream:
            return await super().send(request, stream=True, **how)
        with self._counted(request.url) as answered:
            response = await super().send(request, **how)
            answered(response)
        return response

    @asynccontextmanager
    async def stream(
        self, method: str, url: httpx.URL | str, **how: Any
    ) -> AsyncGenerator[httpx.Response]:
        """An answer that stalls or breaks in its midst counts as a failure, as does the block that gives it up."""
        with self._counted(httpx.URL(url)) as answered:
            async with super().stream(method, url, **how) as response:
                answered(response)
                yield response

    @contextmanager
    def _counted(self, url: httpx.URL) -> Generator[Callable[[httpx.Response], None]]:
        system, answers = self._system(url), list[httpx.Response]()
        begun = self.tally.begin(system)
        try:
            yield answers.append
        except BaseException as error:
            self.tally.end(system, begun, type(error).__name__)
            raise
        code = answers[-1].status_code
        failed = code >= 500 or code in _AWAY
        self.tally.end(system, begun, str(code) if failed else None)

    def _system(self, url: httpx.URL) -> str:
        for name, base in self._systems.items():
            if url.netloc == base.netloc and url.path.startswith(base.path):
                return name
        return "other"
