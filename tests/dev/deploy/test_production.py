"""The processes of docker-compose.yml, started in both environments without Docker."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select, text
from temporalio.client import Client

from db.base import make_engine, make_sessions
from db.first_administrator import NotFirst, add_administrator
from db.identity.people import PersonRow, find_account
from db.platform.durability import switched_off
from dev import ports
from dev.places import ROOT
from dev.servers import Servers
from dev.tools import tool_environment
from tests.dev.deploy.test_compose import PRODUCTION, SERVICES, environment_of
from tests.drivers.factories import a_name
from tests.drivers.until import until

READY_SECONDS = 60


def environment(
    service: str, given: Mapping[str, str], urls: tuple[str, str], **more: str
) -> dict[str, str]:
    """What Compose gives a service, with the servers of this run in the place of its containers."""
    return {
        **tool_environment(),
        **environment_of(service, given),
        "DATABASE_URL": urls[0],
        "MIGRATIONS_DATABASE_URL": urls[1],
        **more,
    }


def finished(service: str, command: list[str], **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{service}: {done.stdout}{done.stderr}"
    return f"{done.stdout}{done.stderr}"


@asynccontextmanager
async def running(service: str, folder: Path, **environment: str) -> AsyncGenerator[Path]:
    """The process of a service; its log."""
    log = folder / f"{service}.log"
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *SERVICES[service]["command"].split()[1:],
            cwd=ROOT, env=environment, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        yield log
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="development", marks=pytest.mark.whole),
        pytest.param(PRODUCTION, id="production"),
    ],
)
async def test_every_process_starts(
    given: dict[str, str], servers: Servers, temporal_address: str, temporal: Client, tmp_path: Path
) -> None:
    queue, chosen = f"compose-{a_name()}", ports.free()
    with servers.database("compose") as urls:
        common = {"TEMPORAL_ADDRESS": temporal_address, "TASK_QUEUE": queue}
        prepare = environment("prepare", given, urls, **common)
        said = finished("prepare", ["db.seed"], **prepare)
        engine = make_engine(urls[0])
        async with make_sessions(engine)() as session:
            people = await session.scalar(select(func.count()).select_from(PersonRow))
        await engine.dispose()
        assert bool(people) is not bool(given), said
        api = environment(
            "api", given, urls, **common, API_HOST="127.0.0.1", API_PORT=str(chosen.portal)
        )
        worker = environment("worker", given, urls, **common)
        codec = environment(
            "codec", given, urls, CODEC_HOST="127.0.0.1", CODEC_PORT=str(chosen.simulators)
        )
        async with (
            running("worker", tmp_path, **worker),
            running("api", tmp_path, **api) as log,
            running("codec", tmp_path, **codec) as codec_log,
            httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{chosen.portal}", trust_env=False
            ) as browser,
        ):
            await ready(browser, log)
            document = await browser.get("/openapi.json")
            assert document.status_code == (401 if given else 200)
            signed_in = await browser.get("/openapi.json", headers={"Authorization": "Bearer x"})
            assert signed_in.status_code == (401 if given else 200)
            if given:
                await opens_to_nobody(f"http://127.0.0.1:{chosen.simulators}", codec_log)


def said_in(log: Path) -> str:
    return log.read_text()


async def says(log: Path, words: str) -> None:
    async def said() -> str:
        return said_in(log)

    await until(said, lambda told: words in told, within=READY_SECONDS)


async def opens_to_nobody(url: str, log: Path) -> None:
    """The codec server answers, and whoever does not come by the operators' page is turned away."""

    async def answer() -> int:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as browser:
            try:
                return (await browser.post("/decode", json={"payloads": []})).status_code
            except httpx.ConnectError:
                return 0

    assert await until(answer, within=READY_SECONDS) == 403, said_in(log)


async def ready(browser: httpx.AsyncClient, log: Path) -> None:
    async def answer() -> tuple[bool, str]:
        try:
            found = await browser.get("/readyz")
        except httpx.HTTPError as error:
            return False, type(error).__name__
        return found.is_success, f"{found.text}\n{said_in(log)[-3000:]}"

    await until(answer, lambda found: found[0], within=READY_SECONDS)


def test_no_stand_in_runs_in_production() -> None:
    given = {**tool_environment(), **environment_of("simulators", PRODUCTION)}
    assert "do not run" in finished("simulators", ["simulators.main"], **given)


async def test_a_database_that_may_forget_is_left(servers: Servers, tmp_path: Path) -> None:
    with servers.database("unsafe") as urls:
        name = urls[1].rpartition("/")[2]
        engine = make_engine(servers.postgres().url("postgres", name))
        async with engine.begin() as connection:
            await connection.execute(text(f'alter database "{name}" set synchronous_commit = off'))
        await engine.dispose()
        engine = make_engine(urls[0])
        assert await switched_off(engine) == ["synchronous_commit"]
        await engine.dispose()
        more = {"API_HOST": "127.0.0.1", "API_PORT": str(ports.free().portal)}
        worker, api = (
            environment(service, PRODUCTION, urls, TEMPORAL_ADDRESS="127.0.0.1:9", **more)
            for service in ("worker", "api")
        )
        async with (
            running("worker", tmp_path, **worker) as log_of_worker,
            running("api", tmp_path, **api) as log_of_api,
        ):
            for log in (log_of_worker, log_of_api):
                await says(log, "synchronous_commit switched off")


@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
async def test_whatever_of_it_may_forget_is_found(servers: Servers, name: str) -> None:
    """Settings of a whole server, which others use: its table of settings is told otherwise in a database of its own."""
    with servers.database("forgetful") as urls:
        database = urls[1].rpartition("/")[2]
        engine = make_engine(servers.postgres().url("postgres", database))
        async with engine.begin() as connection:
            for statement in (
                "create schema told",
                f"""create view told.pg_settings as
                select name, case name when '{name}' then 'off' else setting end as setting
                from pg_catalog.pg_settings""",
                "grant usage on schema told to public",
                "grant select on told.pg_settings to public",
                f'alter database "{database}" set search_path = told, pg_catalog, public',
            ):
                await connection.execute(text(statement))
        await engine.dispose()
        engine = make_engine(urls[0])
        assert await switched_off(engine) == [name]
        await engine.dispose()


async def test_the_first_administrator_is_added_once_and_others_by_an_operator(
    servers: Servers,
) -> None:
    with servers.database("first") as (url, _):
        engine = make_engine(url)
        sessions = make_sessions(engine)
        names = {"first_name": "Ada", "last_name": "First"}
        await add_administrator(sessions, email="Ada@Dealer.test", **names)
        async with sessions() as session:
            account = await find_account(session, "ada@dealer.test")
        assert account is not None
        assert account.user.is_admin
        assert account.password_hash is None
        with pytest.raises(NotFirst, match="administrator already"):
            await add_administrator(sessions, email="second@dealer.test", **names)
        given = {**tool_environment(), **environment_of("api", PRODUCTION), "DATABASE_URL": url}
        second = ["db.staff", "administrator", "second@dealer.test", "Ben", "Second"]
        assert "is an administrator now" in finished("api", second, **given)
        async with sessions() as session:
            account = await find_account(session, "second@dealer.test")
        assert account is not None
        assert account.user.is_admin
        await engine.dispose()


def test_nothing_of_this_machine_reaches_a_process() -> None:
    """Else what compose leaves out would be found here."""
    assert "TOKEN_SECRET" not in os.environ
