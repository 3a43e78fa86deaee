"""The receiver and its page: `python -m dev.traces.main`. For the machine that it runs on; it asks nobody who they are.

Environment: TRACES_PORT (4318), STATE_DIR, DATABASE_URL (to find an order by its number).
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse
from google.protobuf.message import DecodeError

from dev.places import state_dir
from dev.ports import LOOPBACK, SETTING
from dev.traces.finding import names_of
from dev.traces.spans import MOST_SPANS, Spans
from dev.traces.waterfall import waterfall

MOST_BYTES = 32_000_000
PROTOBUF = "application/x-protobuf"

_PAGES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True
)


def create_app(file: Path, database_url: str = "", *, most: int = MOST_SPANS) -> FastAPI:
    spans = Spans(file, most=most)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        spans.close()

    app = FastAPI(
        title="Traces", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )

    @app.post("/v1/traces")
    async def take(request: Request) -> Response:
        """OTLP as its exporters send it."""
        body = await request.body()
        if len(body) > MOST_BYTES:
            return Response(status_code=413)
        try:
            spans.take(body)
        except DecodeError:
            return Response(status_code=400)
        return Response(b"", media_type=PROTOBUF)

    @app.get("/")
    async def traces(q: str = "") -> HTMLResponse:
        typed = q.strip()[:200]
        if typed:
            names = await run_in_threadpool(names_of, typed, database_url)
            found = spans.of(names)
        else:
            found = spans.latest()
        return _page("Traces", typed=typed, traces=found)

    @app.get("/{trace}")
    async def trace(trace: str) -> HTMLResponse:
        found = spans.trace(trace)
        if not found:
            return _page("Traces", status=404, typed=trace, traces=[])
        rows = waterfall(found)
        whole = max(row.offset + row.span.milliseconds for row in rows)
        begun = _at(min(one.begun for one in found))
        return _page(rows[0].span.name, typed="", rows=rows, whole=whole, begun=begun)

    return app


def _page(title: str, *, status: int = 200, **said: Any) -> HTMLResponse:
    page = _PAGES.get_template("page.html")
    text = page.render(title=title, at=_at, most=MOST_SPANS, **said)
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})


def _at(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def main() -> None:
    variable, usual = SETTING["traces"]
    port = int(os.environ.get(variable) or usual)
    app = create_app(state_dir() / "traces.sqlite", os.environ.get("DATABASE_URL", ""))
    uvicorn.run(app, host=LOOPBACK, port=port, log_level="warning")


if __name__ == "__main__":
    main()
