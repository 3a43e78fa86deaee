"""Requests, bodies and a database that take too long (shell spec 9; promise 14; decision 71)."""

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from types import SimpleNamespace

import httpx
import psycopg
import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from structlog.testing import capture_logs

from api.platform.border.deadline import Deadline
from api.platform.border.middleware import BODY_SECONDS, RequestContext, RequestLimits
from api.platform.errands import Errands
from db.base import Sessions
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.portal import a_browser, running_portal, sign_in
from tests.drivers.until import until


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


class Held:
    """An operation that waits until it is let go, and says how it ended."""

    def __init__(self) -> None:
        self.let_go = asyncio.Event()
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def __call__(self, _request: Request) -> PlainTextResponse:
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.ended.set_result("cancelled")
            raise
        self.ended.set_result("done")
        return PlainTextResponse("late")


@asynccontextmanager
async def an_app(
    watch: Watch,
    *,
    most: float = 60,
    held: Held | None = None,
    errands: Errands | None = None,
) -> AsyncGenerator[httpx.AsyncClient]:
    app = Starlette(
        routes=[
            Route("/never", never, methods=["GET", "POST"]),
            *([Route("/held", held.__call__, methods=["GET", "POST"])] if held else []),
            Route("/slow", slow),
            Route("/streaming", streaming),
        ]
    )
    app.state.portal = SimpleNamespace(database_watch=watch, errands=errands or Errands())
    app.add_middleware(Deadline, most=most, patience=0.05)
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


@pytest.mark.parametrize(("path", "told"), [("/slow", "late"), ("/streaming", "first last")])
async def test_what_is_slow_in_its_time_or_has_begun_to_answer_goes_on(
    path: str, told: str
) -> None:
    watch = Watch()
    watch.is_hung = path == "/streaming"
    async with an_app(watch) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.text) == (200, told)


async def test_a_read_that_is_slow_for_any_reason_is_given_up_and_cancelled() -> None:
    held = Held()
    async with an_app(Watch(), most=0.1, held=held) as client:
        answer = await client.get("/held")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.json()["detail"] == "Unexpected Error. Please try again later."
        assert int(answer.headers["retry-after"]) > 0
        assert await held.ended == "cancelled"


async def test_a_write_that_is_slow_is_given_up_and_goes_on_to_its_end() -> None:
    held = Held()
    async with an_app(Watch(), most=0.1, held=held) as client:
        answer = await client.post("/held", json={})
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert not held.ended.done()
        held.let_go.set()
        assert await held.ended == "done"


async def test_a_portal_that_stops_waits_for_a_write_that_goes_on() -> None:
    held, errands = Held(), Errands()
    async with an_app(Watch(), most=0.1, held=held, errands=errands) as client:
        assert (await client.post("/held", json={})).status_code == 503
        stopping = asyncio.create_task(errands.drain())
        await asyncio.sleep(0)
        assert not stopping.done()
        held.let_go.set()
        await stopping
        assert held.ended.result() == "done"


async def test_a_portal_that_stops_waits_no_longer_than_it_may() -> None:
    held, errands = Held(), Errands()
    async with an_app(Watch(), most=0.1, held=held, errands=errands) as client:
        assert (await client.post("/held", json={})).status_code == 503
        await errands.drain(within=timedelta(milliseconds=10))
        assert await held.ended == "cancelled"


async def test_a_write_that_fails_after_its_time_is_logged_with_its_traceback() -> None:
    held, errands = Held(), Errands()
    async with an_app(Watch(), most=0.1, held=held, errands=errands) as client:
        assert (await client.post("/held", json={})).status_code == 503
        held.ended.set_result("over already")
        with capture_logs() as logs:
            held.let_go.set()
            await errands.drain()
    (told,) = (one for one in logs if one["event"] == "failed after its time")
    assert isinstance(told["exc_info"], asyncio.InvalidStateError)


async def test_what_has_begun_to_answer_in_time_goes_on_after_it() -> None:
    async with an_app(Watch(), most=0.2) as client:
        answer = await client.get("/streaming")
    assert (answer.status_code, answer.text) == (200, "first last")


async def test_a_read_that_waits_for_a_table_is_given_up_by_the_database_too(
    database_url: str, database_urls: tuple[str, str], sessions: Sessions
) -> None:
    """The screen is answered, and no connection is held up behind it."""
    person = await an_installer(sessions, await a_dealer(sessions))
    async with (
        running_portal(database_url) as patient,
        running_portal(database_url, request_seconds=1) as app,
        a_browser(patient) as browser,
        a_browser(app) as hasty,
    ):
        assert (await sign_in(browser, person)).status_code == 200
        hasty.headers["Authorization"] = browser.headers["Authorization"]
        async with await psycopg.AsyncConnection.connect(database_urls[1]) as other:
            await other.execute("lock table flow in access exclusive mode")
            answer = await hasty.get("/v1/activations")
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            await until(lambda: waiting_for(other, "flow"), holds=lambda count: count == 0)
            await other.rollback()
        assert (await browser.get("/v1/activations")).status_code == 200


async def waiting_for(connection: psycopg.AsyncConnection, table: str) -> int:
    """How many statements wait for a lock on the table."""
    asked = await connection.execute(
        "select count(*) from pg_locks where not granted and relation = %s::regclass", (table,)
    )
    row = await asked.fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("setting", ["statement_timeout", "lock_timeout"])
async def test_a_statement_of_a_call_ends_before_the_call(database_url: str, setting: str) -> None:
    async with (
        running_portal(database_url, request_seconds=3) as app,
        app.state.portal.sessions() as session,
    ):
        assert await session.scalar(text(f"show {setting}")) == "2500ms"


def test_a_body_has_ten_seconds() -> None:
    assert BODY_SECONDS == 10


@pytest.mark.parametrize("drips", [False, True], ids=["silent", "drips"])
async def test_a_body_that_never_ends_is_cut(drips: bool) -> None:
    """Also one of which something comes again and again."""

    async def endless() -> AsyncGenerator[bytes]:
        yield b"{"
        for drop in itertools.repeat(b" ") if drips else ():
            await asyncio.sleep(0.01)
            yield drop
        await asyncio.Event().wait()

    async with an_app(Watch()) as client:
        answer = await client.post(
            "/never", content=endless(), headers={"Content-Type": "application/json"}
        )
    assert (answer.status_code, answer.json()["code"]) == (408, "too_slow")
    assert answer.headers["connection"] == "close"
