"""What happens to every request before and after the application: its id, its log line, its limits, its headers."""

import asyncio
import re
import secrets
import time
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

import structlog
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.platform.border.bodies import MalformedBody, check_json
from api.platform.border.errors import away, plain_problem, problem
from api.platform.border.uploads import JSON, UPLOADS, Upload
from domain.errors import UNEXPECTED

MAX_BODY_BYTES = 64 * 1024
BODY_SECONDS = 10
"""How long a body may take to come; one that never ends would hold its connection and its memory."""

_ORDINARY = Upload(most_bytes=MAX_BODY_BYTES, media_types=frozenset({JSON}))

UNMATCHED = "unmatched"
"""Stands in the log for a path that no operation has: people type anything into an address."""

_REQUEST_ID = re.compile(r"^[A-Za-z0-9_-]{8,64}$")

log = structlog.stdlib.get_logger()


class RequestContext:
    """Gives the request its id, logs one line without query string, and turns a crash into a problem."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started, status = time.perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            if status:
                raise
            answer = _crash(request_id, error)
            await answer(scope, receive, send_with_id)
        finally:
            route = getattr(scope.get("route"), "path", None)
            log.info(
                "request answered",
                method=scope["method"],
                route=route or UNMATCHED,
                status=status,
                ms=round((time.perf_counter() - started) * 1000, 1),
            )


class RequestLimits:
    """Refuses what no operation should ever see: oversized, malformed, too deep, not JSON, or never ending."""

    def __init__(
        self, app: ASGIApp, *, own_prefixes: Iterable[str], body_seconds: float = BODY_SECONDS
    ) -> None:
        self._app = app
        self._body_seconds = body_seconds
        self._own_prefixes = tuple(own_prefixes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope["state"]["request_id"]
        if b"\0" in unquote_to_bytes(scope.get("query_string", b"")) or "\0" in scope["path"]:
            await plain_problem(request_id, 400)(scope, receive, send)
            return
        if scope["path"].startswith(self._own_prefixes) and scope["path"].endswith("/"):
            scope["path"] = scope["path"].rstrip("/")
            scope["raw_path"] = scope["path"].encode()
        if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            await self._app(scope, receive, send)
            return
        upload = UPLOADS.get(scope["path"], _ORDINARY)
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await _read(receive, upload.most_bytes)
        except TimeoutError:
            await plain_problem(request_id, 408, {"Connection": "close"})(scope, receive, send)
            return
        refusal = _refusal(scope, body, upload)
        if refusal:
            await plain_problem(request_id, refusal)(scope, receive, send)
            return
        await self._app(scope, _replay(body or b"", receive), send)


class SafetyHeaders:
    """The headers that no answer goes without (promise 45), that of a crash neither. Pages set their own Content-Security-Policy."""

    def __init__(self, app: ASGIApp, *, behind_tls: bool) -> None:
        self._app = app
        self._always = {
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "strict-origin-when-cross-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(self)",
        }
        if behind_tls:
            self._always["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._always)
                headers.setdefault(
                    "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"
                )
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_safely if scope["type"] == "http" else send)


def _crash(request_id: str, error: Exception) -> Response:
    answer = away(request_id, error)
    if answer is not None:
        return answer
    log.error("request failed", exc_info=error)
    return problem(request_id, 500, "unexpected", UNEXPECTED)


def _request_id(scope: Scope) -> str:
    """The browser's own id when it is well formed, else a fresh one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _REQUEST_ID.match(given := value.decode("latin-1")):
            return given
    return secrets.token_hex(12)


def _refusal(scope: Scope, body: bytes | None, upload: Upload) -> int | None:
    if body is None:
        return 413
    if not body:
        return None
    headers = dict(scope["headers"])
    media_type = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
    if media_type.decode("latin-1") not in upload.media_types:
        return 415
    if media_type != b"application/json":
        return None
    try:
        check_json(body, upload.most_entries)
    except MalformedBody:
        return 400
    return None


async def _read(receive: Receive, most_bytes: int) -> bytes | None:
    """The whole body, or None as soon as it is over the limit."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(chunks)
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > most_bytes:
            return None
        if not message.get("more_body"):
            return b"".join(chunks)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the read body once, then whatever the connection says (a hang-up, for streams)."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
