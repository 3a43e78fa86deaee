"""The proxy of `make cluster` and of docker-compose.yml in front of two small APIs."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from dev.cluster.proxy import proxy
from dev.ports import some_free
from dev.processes import Ledger, Process
from domain.errors import Unavailable
from tests.dev.deploy.test_compose import environment_of
from tests.drivers.until import until

LOOK_AGAIN = 10.0


@dataclass
class Api:
    """What one of them was asked; it can drop a connection in the middle of a call."""

    port: int
    seen: list[Request] = field(default_factory=list[Request])
    app: FastAPI = field(default_factory=FastAPI)
    _server: uvicorn.Server | None = None
    _serving: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        @self.app.get("/healthz")
        async def healthz() -> dict[str, bool]:
            return {"alive": True}

        @self.app.get("/stream")
        async def stream() -> StreamingResponse:
            async def events() -> AsyncGenerator[str]:
                yield "data: first\n\n"
                await asyncio.Event().wait()

            return StreamingResponse(events(), media_type="text/event-stream")

        @self.app.api_route("/{path:path}", methods=["GET", "POST"])
        async def anything(request: Request) -> Response:
            await request.body()
            self.seen.append(request)
            return Response(json.dumps({"port": self.port}), media_type="application/json")

    async def start(self) -> None:
        config = uvicorn.Config(
            self.app, host="127.0.0.1", port=self.port, log_config=None, access_log=False
        )
        self._server = uvicorn.Server(config)
        self._serving = asyncio.create_task(self._server.serve())
        await until(self._is_up)

    async def stop(self) -> None:
        if self._server is not None and self._serving is not None:
            self._server.should_exit = self._server.force_exit = True
            await self._serving

    async def _is_up(self) -> bool:
        return self._server is not None and self._server.started


@dataclass
class Front:
    """The proxy, who stands behind it, and a caller."""

    apis: list[Api]
    caller: httpx.AsyncClient

    async def ports(self, calls: int, method: str = "POST") -> Counter[int]:
        """Which API answered how many calls; each answered at the first try."""
        answers = [await self.caller.request(method, "/x", json={}) for _ in range(calls)]
        assert {answer.status_code for answer in answers} == {200}
        return Counter(answer.json()["port"] for answer in answers)

    async def seen_from(self, forwarded_for: str) -> Request:
        """What an API is asked when a caller says so of itself."""
        await self.caller.post("/x", headers={"X-Forwarded-For": forwarded_for}, json={})
        (request,) = (one for api in self.apis for one in api.seen if one.method == "POST")
        return request


@asynccontextmanager
async def started(process: Process) -> AsyncGenerator[None]:
    process.start()
    try:
        yield
    finally:
        await asyncio.to_thread(process.stop)


@asynccontextmanager
async def a_front(tmp_path: Path) -> AsyncGenerator[Front]:
    port, *others = some_free(3)
    apis = [Api(other) for other in others]
    process = proxy(tmp_path, port, others, Ledger(tmp_path / "processes.json"))
    async with AsyncExitStack() as stack:
        for api in apis:
            await api.start()
            stack.push_async_callback(api.stop)
        await stack.enter_async_context(started(process))
        caller = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=10)
        await stack.enter_async_context(caller)

        async def is_up() -> bool:
            try:
                return (await caller.get("/x")).is_success
            except httpx.TransportError:
                return False

        await until(is_up)
        yield Front(apis, caller)


@pytest.fixture
async def front(tmp_path: Path) -> AsyncGenerator[Front]:
    async with a_front(tmp_path) as started_front:
        yield started_front


async def test_both_answer_and_one_that_is_gone_is_missed_by_nobody(front: Front) -> None:
    assert set(await front.ports(20)) == {api.port for api in front.apis}
    await front.apis[0].stop()
    assert set(await front.ports(20)) == {front.apis[1].port}
    await front.apis[0].start()

    async def is_back() -> bool:
        return front.apis[0].port in await front.ports(4)

    await until(is_back, within=LOOK_AGAIN)


async def test_with_nobody_behind_it_a_caller_is_asked_to_come_back(front: Front) -> None:
    for api in reversed(front.apis):  # each puts back the handlers of signals that it found
        await api.stop()
    answer = await front.caller.post("/x", json={})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert (told["status"], told["code"], told["detail"]) == (
        503,
        Unavailable.code,
        Unavailable.detail,
    )


async def test_a_caller_cannot_say_whom_they_speak_for(front: Front) -> None:
    request = await front.seen_from("203.0.113.9")
    assert request.headers["x-forwarded-for"] == "127.0.0.1"
    assert request.headers["host"] == front.caller.base_url.netloc.decode()


async def test_with_compose_the_hosts_own_proxy_says_whom_it_speaks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which comes from the bridge of Docker's network, a private address, as this test's own is; what its caller said
    before it stays worth nothing."""
    given = environment_of("proxy")["PROXIES_IN_FRONT"]
    monkeypatch.setenv("PROXIES_IN_FRONT", given)
    async with a_front(tmp_path) as behind_another:
        request = await behind_another.seen_from("198.51.100.7, 203.0.113.9")
        assert request.headers["x-forwarded-for"] == "198.51.100.7, 203.0.113.9, 127.0.0.1"
        assert request.client is not None
        assert request.client.host == "203.0.113.9"


async def test_events_are_passed_on_as_they_come(front: Front) -> None:
    async with asyncio.timeout(10), front.caller.stream("GET", "/stream") as answer:
        async for line in answer.aiter_lines():
            assert line == "data: first"
            break
