"""Parts fail apart (promise 14): without Temporal people still read, without the database everything is a plain 503."""

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from temporalio.client import Client

from db.base import Sessions
from dev.servers import Servers
from domain.identity.people import User
from settings import Settings
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.portal import (
    NOWHERE,
    a_browser,
    a_key,
    filled,
    running_portal,
    sign_in,
    use_token,
)
from tests.drivers.stage import a_device_key, a_person, a_stage

LEAKS = ("Traceback", "psycopg", "sqlalchemy", "temporalio", 'File "', "127.0.0.1", "nobody")

OPEN_WITHOUT_A_DATABASE = {"/healthz"}


@pytest.fixture
async def installer(sessions: Sessions) -> User:
    return await an_installer(sessions, await a_dealer(sessions))


@pytest.fixture
async def without_temporal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url, temporal_address=NOWHERE) as app:
        yield app


def is_away(answer: httpx.Response) -> bool:
    return (
        answer.status_code == 503
        and answer.json()["code"] == "unavailable"
        and int(answer.headers["retry-after"]) > 0
        and not any(leak in answer.text for leak in LEAKS)
    )


async def test_without_temporal_a_started_activation_can_be_read_and_is_not_changed(
    without_temporal: FastAPI,
    installer: User,
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
):
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        run = await stage.open(
            a_device_key(), person=a_person(installer.dealer_id, user_id=installer.id)
        )
    path = f"/v1/activations/{run.id}"
    async with a_browser(without_temporal) as browser:
        await sign_in(browser, installer)
        seen = (await browser.get(path)).json()
        assert seen["state"] == "power-on-device"
        assert (await browser.get("/v1/activations")).json()["count"] == 1
        body = {"step": "power-on-device", "seq": seen["seq"], "data": {}}
        assert is_away(await browser.post(f"{path}/submit", json=body, headers=a_key()))
        assert (await browser.get(path)).json() == seen


async def test_without_temporal_nothing_is_said_to_have_been_opened(
    without_temporal: FastAPI, installer: User
):
    body = {"device_key": a_device_key(), "type": "new-device"}
    async with a_browser(without_temporal) as browser:
        await sign_in(browser, installer)
        assert is_away(await browser.post("/v1/activations", json=body, headers=a_key()))
        assert (await browser.get("/v1/activations")).json()["count"] == 0


async def test_without_a_worker_a_start_is_not_promised_and_its_repeat_finds_the_run(
    database_url: str,
    temporal_address: str,
    temporal: Client,
    task_queue: str,
    installer: User,
    sessions: Sessions,
    tmp_path: Path,
):
    """Nobody has taken the message yet, so nobody says 202; the same request again is answered by the one run."""
    body, key = {"device_key": a_device_key(), "type": "new-device"}, a_key()
    async with (
        running_portal(
            database_url, temporal_address=temporal_address, task_queue=task_queue
        ) as app,
        a_browser(app) as browser,
    ):
        await sign_in(browser, installer)
        assert is_away(await browser.post("/v1/activations", json=body, headers=key))
        async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
            again = await browser.post("/v1/activations", json=body, headers=key)
            assert again.status_code == 200
            assert await stage.flow(again.json()["id"]) is not None
            assert (await browser.get("/v1/activations")).json()["count"] == 1


async def test_without_the_database_every_call_is_a_503_that_tells_nothing():
    settings = Settings(environment="test")
    nowhere = f"postgresql://nobody@{NOWHERE}/nothing"
    async with running_portal(nowhere) as app, a_browser(app) as browser:
        token = app.state.portal.tokens.access(person_id="somebody", sign_in_id="some-sign-in")
        use_token(browser, token.token)
        answers = [
            (f"{method} {path}", await _call(browser, method.upper(), path))
            for path, methods in app.openapi()["paths"].items()
            for method in methods
            if path not in OPEN_WITHOUT_A_DATABASE
        ]
    assert len(answers) > 20
    assert settings.token_secret.get_secret_value() not in "".join(a.text for _, a in answers)
    told = [name for name, answer in answers if any(leak in answer.text for leak in LEAKS)]
    assert told == []
    crashed = [name for name, answer in answers if answer.status_code in (500, 502, 504)]
    assert crashed == []
    asking = [name for name, answer in answers if answer.status_code != 503]
    assert [name for name in asking if " /v1/activations" in name or " /api/" in name] == []
    away = [answer for _, answer in answers if answer.status_code == 503]
    assert all("retry-after" in a.headers for a in away if a.json().get("code") == "unavailable")


async def test_a_database_that_comes_back_is_used_again(servers: Servers, postgres: str):
    """The connections of the pool die, as with a restart; nobody gets an error for it. Those of other tests live on: the
    database is one of its own."""
    with servers.database("outage") as (url, _):
        async with running_portal(url) as app, a_browser(app) as browser:
            assert (await browser.get("/readyz")).json()["database"]["state"] == "ok"
            pids = await _end_connections(postgres, url)
            assert pids > 0
            assert (await browser.get("/readyz")).json()["database"]["state"] == "ok"


async def _call(browser: httpx.AsyncClient, method: str, path: str) -> httpx.Response:
    body = None if method == "GET" else {}
    return await browser.request(method, filled(path), json=body, headers=a_key())


async def _end_connections(admin_url: str, database_url: str) -> int:
    async with await psycopg.AsyncConnection.connect(admin_url, autocommit=True) as admin:
        ended = await admin.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = %s and application_name = 'turnkey'",
            [database_url.rpartition("/")[2]],
        )
        return len(await ended.fetchall())
