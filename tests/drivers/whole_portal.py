"""The API in front of a whole stage: real Temporal, real PostgreSQL, stand-ins that call our webhook, and their callers."""

import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete
from temporalio.client import Client

from api.platform.deps import Portal
from db.base import Sessions
from db.demo.vehicles.models import add_vehicles
from db.platform.idempotency import IdempotencyRow
from domain.identity.people import User
from observing.tracing import UNTRACED, Tracing
from simulators.device_network.device import sim_digits
from tests.drivers.factories import an_installer
from tests.drivers.portal import a_browser, a_key, running_portal, sign_in, use_token
from tests.drivers.stage import (
    QUICK,
    SIMULATED,
    Stage,
    a_stage,
    form_for,
    goes_on,
    leave_nothing_open,
)
from tests.drivers.until import until

Flow = dict[str, Any]
"""A FlowAnswer as the browser reads it."""


class ToStandIns(httpx.AsyncBaseTransport):
    """The portal's way out. The stand-ins come up after it, because their webhook needs the portal; until then they are
    away."""

    inner: httpx.AsyncBaseTransport | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.inner is None:
            raise httpx.ConnectError("the stand-ins are not up", request=request)
        return await self.inner.handle_async_request(request)


@dataclass
class Whole:
    """`stage` is everything behind the API; `app` the API itself."""

    app: FastAPI
    stage: Stage
    sessions: Sessions

    @asynccontextmanager
    async def signed_in(self, user: User | None = None) -> AsyncGenerator["Caller"]:
        """A browser of this person, or of an installer of a new dealer."""
        person = user or await an_installer(self.sessions)
        async with a_browser(self.app) as browser:
            assert (await sign_in(browser, person)).status_code == 200
            yield Caller(browser, person)

    @asynccontextmanager
    async def anonymous(self, token: str | None = None) -> AsyncGenerator["Caller"]:
        """A browser of nobody, or of the guest who holds a resume token."""
        async with a_browser(self.app) as browser:
            if token is not None:
                use_token(browser, token)
            yield Caller(browser, None)

    async def forget(self, headers: dict[str, str]) -> None:
        """As if the API had died between the effect of the request with this key and its answer."""
        async with self.sessions.begin() as session:
            mine = IdempotencyRow.key == headers["Idempotency-Key"]
            await session.execute(delete(IdempotencyRow).where(mine))


@dataclass
class Caller:
    """A browser and what its screens do."""

    browser: httpx.AsyncClient
    user: User | None

    async def start(
        self, device_key: str, *, type: str = "new-device", key: str | None = None, **body: Any
    ) -> httpx.Response:
        sent = {"device_key": device_key, "type": type, **body}
        return await self.browser.post("/v1/activations", json=sent, headers=keyed(key))

    async def start_until_answered(self, device_key: str, **body: Any) -> httpx.Response:
        """As a browser does it: what a busy machine puts off with a 503 is sent again under the same key."""
        begin = partial(self.start, device_key, **{"key": uuid.uuid4().hex, **body})
        return await until(begin, lambda one: one.status_code != 503, within=60)

    async def started(self, device_key: str, **body: Any) -> Flow:
        """Begun, and the device checked; a busy machine may put it off, or answer `accepted` first."""
        answer = await self.start_until_answered(device_key, **body)
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 200:
            return answer.json()
        begun = answer.json()["id"]
        return await self.until(
            begun, lambda f: "BACK" in f["allowed"], within=60, may_be_absent=True
        )

    async def look(self, flow_id: str, *, may_be_absent: bool = False) -> Flow:
        """The run; empty when it is not there yet, where that is allowed."""
        answer = await self.browser.get(f"/v1/activations/{flow_id}")
        if may_be_absent and answer.status_code == 404:
            return {}
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def send(
        self, flow_id: str, call: str, *, key: str | None = None, **body: Any
    ) -> httpx.Response:
        """`call` is the last part of the path: `submit`, `skip`, `firmware/retry`…"""
        return await self.browser.post(
            f"/v1/activations/{flow_id}/{call}", json=body, headers=keyed(key)
        )

    async def send_until_answered(
        self, flow_id: str, call: str, *, key: str, **body: Any
    ) -> httpx.Response:
        """As a browser does it: what a busy machine puts off with a 503 is sent again under the same key."""

        async def told() -> httpx.Response:
            answer = await self.send(flow_id, call, key=key, **body)
            assert answer.status_code != 503 or answer.headers["retry-after"]
            return answer

        return await until(told, lambda answer: answer.status_code != 503, within=60)

    async def submit(self, flow: Flow, **given: Any) -> httpx.Response:
        """Submits the step that `flow` stands at, with a form that fits."""
        return await self.send(flow["id"], "submit", **{**submission(flow), **given})

    async def skip(self, flow: Flow, reason: str = "later") -> httpx.Response:
        """Skips the step that `flow` stands at."""
        return await self.send(
            flow["id"], "skip", step=flow["state"], seq=flow["seq"], reason=reason
        )

    async def until(
        self,
        flow_id: str,
        seen: Callable[[Flow], bool],
        *,
        within: float = 20.0,
        may_be_absent: bool = False,
    ) -> Flow:
        return await until(
            lambda: self.look(flow_id, may_be_absent=may_be_absent),
            lambda flow: flow and seen(flow),
            within=within,
        )

    async def walk_to(self, flow: Flow, state: str) -> Flow:
        """Submits step after step until `state` is reached; one that can only be skipped is skipped."""
        while flow["state"] != state:
            flow = await self.until(
                flow["id"], lambda f: goes_on(f["allowed"]) or f["ended"] or f["state"] == state
            )
            if flow["state"] == state:
                break
            assert not flow["ended"], flow["view"]["error"]
            send = self.submit if "SUBMIT" in flow["allowed"] else self.skip
            answer, seq = await send(flow), flow["seq"]
            assert answer.status_code in (200, 202), answer.text
            flow = await self.until(flow["id"], lambda f, seq=seq: f["seq"] > seq)
        return flow


def keyed(key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": key} if key else a_key()


def submission(flow: Flow) -> dict[str, Any]:
    """The body of a submit that fits the step."""
    form = form_for(flow["state"]).model_dump(mode="json")
    return {"step": form.pop("step"), "seq": flow["seq"], "data": form}


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of an error."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    assert answer.json()["status"] == answer.status_code
    return answer.status_code, answer.json()["code"]


def iccid_of(device_key: str) -> str:
    """What stands inside a simulated device."""
    return sim_digits(device_key)


@asynccontextmanager
async def a_whole_portal(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    folder: Path,
    *,
    starts_cases: bool = False,
    tracing: Tracing = UNTRACED,
    **settings: Any,
) -> AsyncGenerator[Whole]:
    async with sessions.begin() as session:
        await add_vehicles(session)
    outside = ToStandIns()
    made: dict[str, Any] = {"policy_firmware": QUICK.model_dump(mode="json"), **settings}
    task_queue = f"test-{uuid.uuid4().hex[:12]}"
    async with (
        running_portal(
            database_url,
            temporal_address=temporal_address,
            outside=outside,
            tracing=tracing,
            task_queue=task_queue,
            simulators_url=SIMULATED,
            **made,
        ) as app,
        a_stage(
            temporal,
            sessions,
            database_url,
            task_queue,
            folder,
            portal=app,
            starts_cases=starts_cases,
            tracing=tracing,
        ) as stage,
    ):
        outside.inner = httpx.ASGITransport(stage.app)
        yield Whole(app, stage, sessions)
    await leave_nothing_open(temporal, sessions, task_queue)


@asynccontextmanager
async def another_portal(whole: Whole, **settings: Any) -> AsyncGenerator[Whole]:
    """Another replica of the API over the same database, Temporal and stand-ins, with settings of its own."""
    first: Portal = whole.app.state.portal
    made: dict[str, Any] = {"task_queue": first.task_queue, **settings}
    async with running_portal(
        whole.sessions.kw["bind"]
        .url.set(drivername="postgresql")
        .render_as_string(hide_password=False),
        temporal_address=first.temporal.service_client.config.target_host,
        outside=httpx.ASGITransport(whole.stage.app),
        simulators_url=SIMULATED,
        **made,
    ) as app:
        yield replace(whole, app=app)


@pytest.fixture(scope="package")
async def whole(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    """One for the tests of a folder: they keep apart by devices and people of their own."""
    folder = tmp_path_factory.mktemp("whole")
    async with a_whole_portal(temporal, temporal_address, sessions, database_url, folder) as here:
        yield here
