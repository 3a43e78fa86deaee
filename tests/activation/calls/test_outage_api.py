"""Parts that are away: reads go on, writes say so honestly, and nothing accepted is lost (promises 7 and 14)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from temporalio.client import Client

from db.base import Sessions
from tests.drivers.factories import a_name, an_installer
from tests.drivers.portal import a_browser, running_portal, sign_in
from tests.drivers.stage import a_device_key, a_stage
from tests.drivers.whole_portal import Caller, ToStandIns, Whole, problem, submission


@asynccontextmanager
async def without_temporal(whole: Whole, database_url: str) -> AsyncGenerator[Whole]:
    """The same portal, as another process of it that does not reach Temporal."""
    async with running_portal(database_url) as app:
        yield Whole(app, whole.stage, whole.sessions)


def away(answer: httpx.Response) -> bool:
    return problem(answer)[0] == 503 and int(answer.headers["retry-after"]) > 0


async def test_without_temporal_reads_work_and_writes_ask_to_come_back(
    whole: Whole, database_url: str
) -> None:
    async with whole.signed_in() as installer, without_temporal(whole, database_url) as cut_off:
        begun = await installer.started(a_device_key())
        async with cut_off.signed_in(installer.user) as caller:
            for path in ("", f"/{begun['id']}", f"/{begun['id']}/transitions"):
                answer = await caller.browser.get(f"/v1/activations{path}")
                assert answer.status_code == 200, answer.text
            key = a_name()
            body = submission(begun)
            assert away(await caller.send(begun["id"], "submit", key=key, **body))
            assert away(await caller.send(begun["id"], "abandon", seq=begun["seq"]))
            assert away(await caller.start(a_device_key()))
        assert (await installer.look(begun["id"]))["rev"] == begun["rev"]
        again = await installer.send(begun["id"], "submit", key=key, **body)
        assert again.json()["state"] == "set-vehicle-details"


async def test_without_a_worker_nothing_is_accepted_and_nothing_is_lost(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
) -> None:
    device_key, starting, submitting = a_device_key(), a_name(), a_name()
    outside = ToStandIns()

    @asynccontextmanager
    async def a_worker() -> AsyncGenerator[None]:
        async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
            outside.inner = httpx.ASGITransport(stage.app)
            yield

    async with (
        running_portal(
            database_url, temporal_address=temporal_address, task_queue=task_queue, outside=outside
        ) as app,
        a_browser(app) as browser,
    ):
        installer = Caller(browser, await an_installer(sessions))
        assert installer.user is not None
        assert (await sign_in(browser, installer.user)).is_success
        assert away(await installer.start(device_key, key=starting))
        async with a_worker():
            begun = await installer.started(device_key, key=starting)
        body = submission(begun)
        assert away(await installer.send(begun["id"], "submit", key=submitting, **body))
        async with a_worker():
            again = await installer.send(begun["id"], "submit", key=submitting, **body)
            assert again.status_code in (200, 202), again.text
            moved = await installer.until(
                begun["id"], lambda flow: flow["state"] == "set-vehicle-details"
            )
    assert moved["seq"] == begun["seq"] + 1
