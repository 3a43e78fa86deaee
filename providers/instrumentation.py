"""How outside systems answer this process, counted on its way out (promise 51). Says nothing of what was asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx

from domain.operations.operations import ThirdParty

_AWAY = frozenset({401, 408, 429})


@dataclass
class _Count:
    calls: int = 0
    failures: int = 0
    last_ok_at: datetime | None = None
    last_failed_at: datetime | None = None
    reason: str | None = None


class WatchedClient(httpx.AsyncClient):
    """A client that counts how each of its calls ended. A clear no counts as an answer."""

    def __init__(
        self,
        *,
        systems: Mapping[str, str],
        process: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`systems` are base addresses by name; `process` tells this process from others."""
        super().__init__(transport=transport)
        self._systems = {name: httpx.URL(url) for name, url in systems.items()}
        self._process = process
        self._counts: dict[str, _Count] = {}

    def seen(self) -> tuple[ThirdParty, ...]:
        """What was counted so far, of the systems that were called."""
        return tuple(
            ThirdParty(system=name, process=self._process, **vars(count))
            for name, count in sorted(self._counts.items())
        )

    async def send(self, request: httpx.Request, **how: Any) -> httpx.Response:
        count = self._counts.setdefault(self._system(request.url), _Count())
        count.calls += 1
        try:
            response = await super().send(request, **how)
        except BaseException as error:
            # A call that took too long is cancelled from outside.
            self._fail(count, type(error).__name__)
            raise
        if response.status_code >= 500 or response.status_code in _AWAY:
            self._fail(count, str(response.status_code))
        else:
            count.last_ok_at = datetime.now(UTC)
        return response

    def _fail(self, count: _Count, reason: str) -> None:
        count.failures += 1
        count.last_failed_at, count.reason = datetime.now(UTC), reason

    def _system(self, url: httpx.URL) -> str:
        for name, base in self._systems.items():
            if url.netloc == base.netloc and url.path.startswith(base.path):
                return name
        return "other"
