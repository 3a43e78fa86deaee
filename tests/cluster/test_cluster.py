"""`make cluster` as people use it: the four flows through the proxy while machines of it die, and a release under load. Each
test begins where the one before it ended, as one cluster takes a minute to start.

`FAULT_SEED` repeats who does what.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack

import httpx
import psycopg
import pytest

from dev.backups import make, restore
from dev.cluster.release import drain, roll
from dev.cluster.stack import ClusterStack, cluster
from dev.commands import run_set_up
from dev.ports import LOOPBACK, is_free, remember
from dev.processes import of_environment
from dev.servers import VARIABLE, own_folder, save_logs
from tests.faults.people.load import SHORT, Amount, Load, judged
from workflows.client import connect

pytestmark = [pytest.mark.whole, pytest.mark.timeout(900)]

FIRST, SECOND = "first", "second"
WORKER_DIES_AT, API_DIES_AT = 0.2, 0.4
"""Of all steps."""
RELEASED_AT = 0.2
OUTAGE_SECONDS = 3
ENDED = "ExecutionStatus = 'Completed'"
TAKES_ITS_PLACE = "python -m workers.release current 3"


@pytest.fixture(scope="module")
def ending() -> Generator[ExitStack]:
    """What ends the cluster: the last test does, or whoever comes after one that failed."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def running(ending: ExitStack, request: pytest.FixtureRequest) -> ClusterStack:
    begun = time.monotonic()
    folder = ending.enter_context(own_folder())
    ending.callback(lambda: request.session.testsfailed and save_logs(folder, "cluster"))
    started = ending.enter_context(cluster(folder, environment={**SHORT, "RELEASE": FIRST}))
    started.run(TAKES_ITS_PLACE)
    print(f"\ncluster ready after {time.monotonic() - begun:.1f} s", flush=True)
    return started


def a_load(running: ClusterStack, *, activations: int, at_once: int, first_buyer: int) -> Load:
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    return Load(
        seed,
        running,
        (running.portal_url,),
        Amount(activations=activations, orders=8, purchases=4),
        buyers=4,
        at_once=at_once,
        first_buyer=first_buyer,
    )


async def test_all_flows_end_though_a_worker_and_an_api_die(running: ClusterStack) -> None:
    """Activations with their firmware, orders and purchases of plans, all through the proxy."""
    load = a_load(running, activations=8, at_once=8, first_buyer=0)
    begun = time.monotonic()
    await load.prepare()
    work = asyncio.create_task(load.carry_out())
    for mark, victim in ((WORKER_DIES_AT, "worker-2"), (API_DIES_AT, "api-1")):
        assert await load.progress.reached(round(load.steps * mark))
        await asyncio.to_thread(running.kill, victim)
        await asyncio.sleep(OUTAGE_SECONDS)
        await asyncio.to_thread(running.restart, victim)
    await work
    verdict = await judged(load, await connect(running.temporal_address))
    await load.close()
    print(f"{time.monotonic() - begun:.1f} s", load.progress.answers, load.progress.repeats)
    print(dict(verdict.counts), flush=True)
    assert load.progress.broken == []
    assert verdict.faults == []
    assert verdict.counts["activation completed"] == load.amount.activations
    assert verdict.counts["download_firmware"] >= load.amount.activations
    assert verdict.counts["orders confirmed"] > 0
    assert verdict.counts["purchases confirmed"] > 0
    assert all(process.alive for process in running.processes.values())


async def test_temporal_keeps_its_runs_in_postgresql(running: ClusterStack) -> None:
    """And each store belongs to a role of its own."""
    assert running.cluster is not None
    with psycopg.connect(running.cluster.admin_url) as admin:
        owners = dict(
            admin.execute(
                "select datname, rolname from pg_database d join pg_roles r on r.oid = d.datdba"
            ).fetchall()
        )
    assert {owners["temporal"], owners["temporal_visibility"]} == {"temporal"}
    assert owners["turnkey"] == "turnkey"
    client = await connect(running.temporal_address)
    assert (await client.count_workflows(ENDED)).count > 0


def test_status_lists_every_process_and_the_doctor_finds_everything(running: ClusterStack) -> None:
    remember(running.ports, running.state)
    environment = {**os.environ, "STATE_DIR": str(running.state)}
    status = run_set_up(f"{sys.executable} -m dev.status", environment)
    for name in running.processes:
        assert f"  {name} " in status, status
    assert "worker ok" in status
    doctor = "-m workers.operations.doctor"
    said = run_set_up(f"{sys.executable} -m dev.with_stack {sys.executable} {doctor}", environment)
    assert "Everything answers" in said


async def test_both_stores_come_back_as_they_were_at_one_moment(running: ClusterStack) -> None:
    """Backed up while everything runs; restored after everything has stopped, and at work again."""
    assert running.cluster is not None
    backup = running.state / "backups" / "night"
    client = await connect(running.temporal_address)
    before = (await client.count_workflows(ENDED)).count
    made = await asyncio.to_thread(make, running.state, running.cluster, backup)
    assert made.temporal_at is None
    running.stop()
    done = await asyncio.to_thread(restore, running.state, running.cluster, backup)
    running.cluster.stop()
    print(
        f"\nbackup {made.bytes / 1e6:.0f} MB in {made.seconds} s, restored in {done.seconds} s",
        flush=True,
    )
    await asyncio.to_thread(running.start_servers)
    await asyncio.to_thread(running.start_processes)
    client = await connect(running.temporal_address)
    assert (await client.count_workflows(ENDED)).count >= before
    async with httpx.AsyncClient(trust_env=False) as people:
        ready = await people.get(f"http://{LOOPBACK}:{running.ports.portal}/readyz")
    assert ready.json()["worker"]["state"] == "ok", ready.text


async def test_every_request_is_answered_while_a_release_takes_the_place_of_another(
    running: ClusterStack,
) -> None:
    """Promise 16: workers beside workers, one API after another, then drained; the first release's runs end. One retry hides
    every failure. What was repeated is printed."""
    load = a_load(running, activations=6, at_once=6, first_buyer=40)
    await load.prepare()
    work = asyncio.create_task(load.carry_out())
    assert await load.progress.reached(round(load.steps * RELEASED_AT))
    begun = time.monotonic()
    said = await asyncio.to_thread(roll, running, SECOND)
    rolled = time.monotonic()
    await asyncio.to_thread(drain, running, FIRST)
    drained = time.monotonic()
    await work
    verdict = await judged(load, await connect(running.temporal_address))
    await load.close()
    print(
        said, f"rolled in {rolled - begun:.1f} s, drained in {drained - rolled:.1f} s", flush=True
    )
    print(load.progress.answers, load.progress.repeats, dict(verdict.counts), flush=True)
    assert load.progress.broken == []
    assert load.progress.answers["no answer"] == load.progress.answers["502"] == 0
    assert [name for name, times in load.progress.repeats.items() if times > 1] == []
    assert verdict.faults == []
    assert verdict.counts["activation completed"] == load.amount.activations
    assert verdict.counts["orders confirmed"] > 0


def test_nothing_is_left_of_it(running: ClusterStack, ending: ExitStack) -> None:
    folder = os.environ[VARIABLE]
    assert of_environment(VARIABLE, folder)
    inner = running.inner
    taken = [running.ports.portal, running.ports.temporal, running.ports.postgres, *inner.apis]
    begun = time.monotonic()
    running.stop()
    print(f"\ndown after {time.monotonic() - begun:.1f} s", flush=True)
    assert of_environment(VARIABLE, folder) == []
    assert all(is_free(port) for port in [*taken, *inner.rpc, *inner.membership])
    ending.close()
