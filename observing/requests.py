"""How calls to the API end: by operation, never by address."""

import time

from prometheus_client import Gauge, Histogram
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NO_OPERATION = "none"
"""Pages, files, and addresses that nothing has."""


class WatchesRequests:
    """Outermost. A stream of live events counts while it is open, and has no duration."""

    def __init__(self, app: ASGIApp, *, requests: Histogram, streams: Gauge) -> None:
        self._app = app
        self._requests = requests
        self._streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status, is_stream = time.perf_counter(), 0, False

        async def watched(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                kind = Headers(raw=message["headers"]).get("content-type", "")
                is_stream = kind.startswith("text/event-stream")
                if is_stream:
                    self._streams.inc()
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            if is_stream:
                self._streams.dec()
            else:
                # Of no status: the caller had gone before there was an answer.
                name = getattr(scope.get("route"), "name", None) or NO_OPERATION
                self._requests.labels(name, scope["method"], str(status or 499)).observe(
                    time.perf_counter() - begun
                )
