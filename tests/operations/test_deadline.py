"""Requests, bodies and a database that hangs (promise 14)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from api.platform.border.deadline import DatabaseDeadline
from api.platform.border.middleware import RequestContext, RequestLimits


class Watch:
    is_hung = False


async def never(_request: Request) -> PlainTextResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def slow(_request: Request) -> PlainTextResponse:
    await asyncio.sleep(0.3)
    return PlainTextResponse("late")


async def streaming(_request: Request) -> StreamingResponse:
    async def parts() -> AsyncGenerator[str]:
        yield "first "
        await asyncio.sleep(0.3)
        yield "last"

    return StreamingResponse(parts())


@asynccontextmanager
async def an_app(watch: Watch) -> AsyncGenerator[httpx.AsyncClient]:
    app = Starlette(
        routes=[
            Route("/never", never, methods=["GET", "POST"]),
            Route("/slow", slow),
            Route("/streaming", streaming),
        ]
    )
    app.state.portal = SimpleNamespace(database_watch=watch)
    app.add_middleware(DatabaseDeadline, patience=0.05)
    app.add_middleware(RequestLimits, own_prefixes=("/",), body_seconds=0.1)
    app.add_middleware(RequestContext)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://portal") as client:
        yield client


async def test_what_waits_for_a_hung_database_is_answered_without_it() -> None:
    watch = Watch()
    watch.is_hung = True
    async with an_app(watch) as client:
        answer = await client.get("/never")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer.headers["retry-after"]) > 0


async def test_a_database_that_hangs_while_one_waits_ends_the_wait() -> None:
    watch = Watch()
    async with an_app(watch) as client:
        waiting = asyncio.create_task(client.get("/never"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        watch.is_hung = True
        assert (await waiting).status_code == 503


@pytest.mark.parametrize(("path", "text"), [("/slow", "late"), ("/streaming", "first last")])
async def test_what_is_slow_for_another_reason_or_has_begun_to_answer_goes_on(
    path: str, text: str
) -> None:
    watch = Watch()
    watch.is_hung = path == "/streaming"
    async with an_app(watch) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.text) == (200, text)


async def test_a_body_that_never_ends_is_cut() -> None:
    async def endless() -> AsyncGenerator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async with an_app(Watch()) as client:
        answer = await client.post(
            "/never", content=endless(), headers={"Content-Type": "application/json"}
        )
    assert (answer.status_code, answer.json()["code"]) == (408, "too_slow")
    assert answer.headers["connection"] == "close"
