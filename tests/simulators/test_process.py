"""The simulators as a process of their own: over a real socket, killed and started again."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from dev.ports import some_free
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Unavailable
from simulators.main import API_KEY
from tests.drivers.until import until
from tests.simulators.harness import START, a_key

Ports = tuple[int, int]
"""Of the simulators, and of the mail they take."""


@pytest.fixture
def ports() -> Ports:
    simulators, mail = some_free(2)
    return simulators, mail


@asynccontextmanager
async def a_process(state: Path, ports: Ports, latency: str) -> AsyncGenerator[httpx.AsyncClient]:
    """`python -m simulators.main`, answering; killed with -9 at the end."""
    port, mail_port = ports
    environment = {
        **os.environ,
        "SIMULATORS_PORT": str(port),
        "SIMULATORS_MAIL_PORT": str(mail_port),
        "SIMULATORS_STATE": str(state),
        "SIMULATORS_LATENCY": latency,
        "PORTAL_WEBHOOK_URL": "http://127.0.0.1:1/nobody",
        "DEVICE_CLOUD_KEY": API_KEY,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simulators.main", env=environment
    )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:

            async def alive() -> bool:
                try:
                    return (await client.get("/healthz")).is_success
                except httpx.TransportError:
                    return False

            await until(alive, within=30)
            yield client
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()


def facing(client: httpx.AsyncClient, seconds: float = 5.0) -> DeviceCloud:
    return DeviceCloud(
        client,
        base_url=str(client.base_url.join("/device-cloud")),
        api_key=API_KEY,
        seconds=seconds,
    )


async def test_killed_simulator_still_answers_a_command_that_it_had_taken(
    tmp_path: Path, ports: Ports
):
    key = a_key()
    async with a_process(tmp_path / "s.sqlite", ports, "1.0-1.0") as client:
        await facing(client).send_command(key, "location", command_id="c1")
        assert await facing(client).logs(key, START) == ()
    async with a_process(tmp_path / "s.sqlite", ports, "1.0-1.0") as client:
        (log,) = await until(lambda: facing(client).logs(key, START), lambda logs: len(logs) > 0)
    assert (log.command, log.command_id, log.ok) == ("location", "c1", True)


async def test_reply_that_takes_too_long_is_unavailable_and_may_have_worked(
    tmp_path: Path, ports: Ports
):
    key = a_key("003")
    async with a_process(tmp_path / "s.sqlite", ports, "0.01-0.01") as client:
        await client.post("/device-cloud/_control", json={"lost_reply_seconds": 2})
        with pytest.raises(Unavailable) as slow:
            await facing(client, seconds=0.3).activate(key, key="a")
        assert slow.value.may_have_worked
        await facing(client).activate(key, key="a")
        ledger = await client.get("/device-cloud/_ledger", params={"device_key": key})
    assert ledger.json()["effects"] == {"activate": 1}
