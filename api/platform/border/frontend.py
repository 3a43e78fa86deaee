"""Serves the built front end: files, compressed as the browser takes them, and the one page for every address of the
browser's router; for any other address too, as a 404."""

import asyncio
import gzip
import json
import mimetypes
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from api.platform.border.errors import plain_problem

API_PREFIXES = ("/api/", "/v1/", "/content/")
API_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json"})

CODINGS = {".br": "br", ".gz": "gzip"}
"""The build writes them beside its files (`web/checks/compressed.ts`); the first that the browser takes is sent."""

NONCE_PLACEHOLDER = b"__CSP_NONCE__"
"""The build writes it (`web/checks/first-paint.ts`); each answer puts a fresh nonce in its place."""


WORKER = "sw.js"
"""The service worker: the policy that it is sent with says what it may fetch."""


class Origins(NamedTuple):
    """What a part of the page that is somebody else's needs besides ours, by what it is needed for."""

    scripts: str = ""
    calls: str = ""
    frames: str = ""
    media: str = ""


STRIPE = Origins(
    scripts=" https://js.stripe.com",
    calls=" https://api.stripe.com",
    frames=" https://js.stripe.com https://hooks.stripe.com",
)
"""The provider's own script, its fields and the questions of card issuers."""


def card_form(frame_url: str) -> Origins:
    """What the page in which card numbers are typed needs; with no address it is the provider's own script."""
    if not frame_url:
        return STRIPE
    page = urlsplit(frame_url)
    return Origins(frames=f" {page.scheme}://{page.netloc}")


def bot_check(widget_url: str) -> Origins:
    """What the widget of the bot check needs: its script, and the frame that it opens. Empty: there is none."""
    if not widget_url:
        return Origins()
    widget = urlsplit(widget_url)
    origin = f" {widget.scheme}://{widget.netloc}"
    return Origins(scripts=origin, frames=origin)


def media_of(hosts: Sequence[str]) -> Origins:
    """What pictures and films of others need: their origins, each by its whole name."""
    return Origins(media="".join(f" {host}" for host in hosts))


def page_policy(nonce: str, *others: Origins) -> str:
    """The Content-Security-Policy of the page: our own scripts, styles that carry this answer's nonce, and what parts of
    others need."""
    scripts, calls, frames, media = ("".join(said) for said in zip(Origins(), *others, strict=True))
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'nonce-{nonce}'{scripts}",
            f"style-src 'self' 'nonce-{nonce}'",
            f"img-src 'self' data: blob:{media}",
            f"media-src 'self' blob:{media}",
            "font-src 'self'",
            f"connect-src 'self'{calls}",
            f"frame-src 'self'{frames}",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class Page:
    """The one page as it was built, read again only when it was built anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[int, bytes] | None = None

    def content(self) -> bytes | None:
        """None without a build."""
        try:
            built = self._path.stat().st_mtime_ns
            if self._read is None or self._read[0] != built:
                self._read = (built, self._path.read_bytes())
        except FileNotFoundError:
            return None
        return self._read[1]


class FrontEnd:
    """In front of the API: takes every address that is not the API's."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        dist: Path,
        card_frame_url: str,
        widget_url: str,
        media_hosts: Sequence[str] = (),
    ) -> None:
        self._app = app
        self._others = (card_form(card_frame_url), bot_check(widget_url), media_of(media_hosts))
        self._dist = dist.resolve()
        self._pages = pages_of(self._dist)
        self._page = Page(self._dist / "index.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _is_api(scope["path"]):
            await self._app(scope, receive, send)
            return
        # Reading and compressing hold up nobody else's call.
        answer = await asyncio.to_thread(self._answer, scope)
        await answer(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        request_id = scope["state"]["request_id"]
        if scope["method"] not in {"GET", "HEAD"}:
            return plain_problem(request_id, 405, {"Allow": "GET, HEAD"})
        named = Path(os.path.normpath(self._dist / scope["path"].lstrip("/")))
        if not named.is_relative_to(self._dist):
            return plain_problem(request_id, 404)
        try:
            wanted = named.resolve()
            is_inside = wanted.is_relative_to(self._dist)
            is_file = is_inside and wanted.is_file()
        except (OSError, ValueError):  # nothing has such a name: too long, or with a NUL
            return plain_problem(request_id, 404)
        if not is_inside:
            return plain_problem(request_id, 404)
        if is_file and wanted.name != "index.html" and wanted.suffix not in CODINGS:
            return _file(wanted, self._dist, Headers(scope=scope).get("accept-encoding", ""))
        page = self._page.content()
        if wanted.suffix in {*_FILE_SUFFIXES, *CODINGS} or page is None:
            return plain_problem(request_id, 404)
        status = 200 if self._knows(scope["path"]) else 404
        return _page(page, self._others, status, Headers(scope=scope).get("accept-encoding", ""))

    def _knows(self, path: str) -> bool:
        return self._pages.fullmatch(path.rstrip("/") or "/") is not None


_FILE_SUFFIXES = frozenset(
    [
        ".css",
        ".gif",
        ".html",
        ".ico",
        ".jpg",
        ".js",
        ".json",
        ".map",
        ".mjs",
        ".png",
        ".svg",
        ".txt",
        ".webmanifest",
        ".webp",
        ".woff2",
        ".xml",
    ]
)
"""A missing file is a 404 and never the page, so that a stale script fails loudly."""


def _is_api(path: str) -> bool:
    return path.rstrip("/") in API_PATHS or f"{path}/".startswith(API_PREFIXES)


def _file(path: Path, dist: Path, accepted: str) -> Response:
    # Names under assets/ carry a hash of their content.
    hashed = path.is_relative_to(dist / "assets")
    caching = "public, max-age=31536000, immutable" if hashed else "no-cache"
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    if path == dist / WORKER:
        headers["Content-Security-Policy"] = "default-src 'none'; connect-src 'self'"
    media_type = mimetypes.guess_type(path.name)[0]
    taken = codings_in(accepted)
    for suffix, coding in CODINGS.items():
        coded = path.with_name(path.name + suffix)
        if coding in taken and coded.is_file():
            headers["Content-Encoding"] = coding
            return FileResponse(coded, headers=headers, media_type=media_type)
    return FileResponse(path, headers=headers, media_type=media_type)


def codings_in(accepted: str) -> set[str]:
    """The codings that an Accept-Encoding names and does not refuse (`q=0`)."""
    named = (part.lower().replace(" ", "").partition(";q=") for part in accepted.split(","))
    return {coding for coding, _, weight in named if not re.fullmatch(r"0(\.0*)?", weight)}


def pages_of(dist: Path) -> re.Pattern[str]:
    """Every address that has a page, from the patterns that the build wrote (`web/checks/pages.ts`): `$name` stands for
    one part of the path, `{-$name}` for one that may be missing. Without a build nothing is known."""
    listed = dist / "pages.json"
    patterns: list[str] = json.loads(listed.read_text()) if listed.is_file() else []
    return re.compile("|".join(map(_pattern, patterns)) or "(?!)")


def _pattern(page: str) -> str:
    if page == "/":
        return "/"
    parts = page.strip("/").split("/")
    return "".join(
        "(?:/[^/]+)?"
        if part.startswith("{-$")
        else "/[^/]+"
        if part.startswith("$")
        else f"/{re.escape(part)}"
        for part in parts
    )


def _page(page: bytes, others: Sequence[Origins], status: int, accepted: str) -> Response:
    nonce = secrets.token_urlsafe(16)
    content = page.replace(NONCE_PLACEHOLDER, nonce.encode())
    headers = {
        "Content-Security-Policy": page_policy(nonce, *others),
        "Cache-Control": "no-store",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in codings_in(accepted):
        headers["Content-Encoding"] = "gzip"
        content = gzip.compress(content, compresslevel=6, mtime=0)
    return HTMLResponse(content, status, headers=headers)
