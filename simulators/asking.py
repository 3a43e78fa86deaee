"""Whose request a call serves: the `X-Request-ID` that it came with, for the lines that are written of it."""

from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

_present: ContextVar[str | None] = ContextVar("request_id", default=None)


def request_id() -> str | None:
    """Of the call that is being answered."""
    return _present.get()


class NotesRequestId:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            sent = dict(scope["headers"]).get(b"x-request-id")
            _present.set(sent.decode("latin-1")[:64] if sent else None)
        await self._app(scope, receive, send)
