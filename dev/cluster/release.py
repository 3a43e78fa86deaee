"""A release takes the place of another one in a cluster, in the order of docs/going-live.md: `roll`, then `drain`."""

import asyncio
import time
from pathlib import Path

import httpx

from dev.cluster.stack import APIS, SLOWEST_START, WORKERS, ClusterStack
from dev.commands import run_set_up
from dev.console import CannotStart
from dev.places import ROOT
from dev.ports import LOOPBACK
from workers.release.deployment import Deployment
from workflows.client import connect

QUEUE = "portal"
LOOK_AGAIN_SECONDS = 3


def roll(running: ClusterStack, release: str, tree: Path = ROOT) -> str:
    """Migrates, starts the release's workers beside those that are there, replaces one API after another behind the proxy,
    and takes the place of what was current. Answers what was said of it. Raises CannotStart."""
    given = {"RELEASE": release, "PYTHONPATH": str(tree)}
    environment = {**running.environment, **given}
    run_set_up("python -m alembic upgrade head", environment, tree)
    run_set_up("python -m workers.setup", environment, tree)
    for name in WORKERS:
        running.start_worker(f"{name}-{release}", **given)
    asyncio.run(_until_at_work(running.temporal_address, release))
    for name in APIS:
        running.processes[name].stop()
        running.start_api(name, **given)
        _wait_ready(running, name)
    return run_set_up(f"python -m workers.release current {LOOK_AGAIN_SECONDS}", environment, tree)


def drain(running: ClusterStack, release: str, seconds: float = 240) -> None:
    """Stops the workers of a release that is not current any more, once no run is its own. Raises CannotStart."""
    give_up_at = time.monotonic() + seconds
    while left := asyncio.run(_runs_of(running.temporal_address, release)):
        if time.monotonic() > give_up_at:
            raise CannotStart(f"{left} runs are still with {release} after {seconds:.0f} s.")
        time.sleep(1)
    for name in WORKERS:
        running.stop_one(name)


async def _until_at_work(address: str, release: str) -> None:
    """The first call of its first API may be the start of a run."""
    deployment = Deployment(await connect(address), QUEUE)
    give_up_at = time.monotonic() + SLOWEST_START
    while not await _workers_of(deployment, release):
        if time.monotonic() > give_up_at:
            raise CannotStart(f"The workers of {release} are not at work.")
        await asyncio.sleep(0.5)


async def _workers_of(deployment: Deployment, release: str) -> int:
    return sum(one.workers for one in await deployment.releases() if one.name == release)


async def _runs_of(address: str, release: str) -> int:
    client = await connect(address)
    return (await client.count_workflows(Deployment(client, QUEUE).runs_of(release))).count


def _wait_ready(running: ClusterStack, api: str, seconds: float = SLOWEST_START) -> None:
    """Which it is when a worker of its own release asks for work."""
    give_up_at = time.monotonic() + seconds
    url = f"http://{LOOPBACK}:{running.port_of(api)}/readyz"
    while not (answer := httpx.get(url, timeout=5, trust_env=False)).is_success:
        if time.monotonic() > give_up_at:
            raise CannotStart(f"`{api}` is not ready after {seconds:.0f} s: {answer.text[:500]}")
        time.sleep(0.2)
