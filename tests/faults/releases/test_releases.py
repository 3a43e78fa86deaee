"""A release beside another one under load, put in its place, and taken back: nothing lost, failed or doubled (decision 73)."""

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from temporalio.client import Client

from dev import ports
from dev.commands import run_set_up
from dev.servers import own_folder
from dev.stack import Stack
from tests.drivers.until import until
from tests.faults.judges.judge import rows_of
from tests.faults.people.load import SHORT, Amount, Load, judged
from tests.faults.releases.two_releases import beside, environment_of, make_tree
from workers.release.deployment import Deployment
from workflows.client import connect

FIRST, SECOND = "first", "second"
AMOUNT = Amount(activations=16, orders=24, purchases=8)
BUYERS, AT_ONCE = 8, 14
RELEASED_AT, TAKEN_BACK_AT = 0.25, 0.55
"""Of all steps: when the second release is made the current, and when the first is again."""
TAKES_ITS_PLACE = "python -m workers.release current 3"


async def release_and_take_back(load: Load, tree: Path, temporal: Client) -> list[str]:
    """What was said of it."""
    running, progress = load.running, load.progress
    first, second = running.environment, environment_of(running, tree, SECOND)
    said = list[str]()
    assert await progress.reached(round(load.steps * RELEASED_AT))
    said.append(await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, second, tree))
    assert await progress.reached(round(load.steps * TAKEN_BACK_AT))
    said.append(await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, first))
    load.go_to(running.portal_url)
    await until_drained(running, temporal)
    return said


async def until_drained(running: Stack, temporal: Client) -> None:
    """Nothing is under way that only the second release can carry on. A case of what nobody pays waits for days: it is taken over
    once its effects are done, as an operator would have it who looks again."""
    runs = Deployment(temporal, "portal").runs_of(SECOND)

    async def under_way() -> list[str]:
        return [f"{one.workflow_type} {one.id}" async for one in temporal.list_workflows(runs)]

    async def left() -> list[str]:
        found = await under_way()
        if found and all(one.startswith("Case ") for one in found):
            await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, running.environment)
            return await under_way()
        return found

    await until(left, lambda found: not found, within=240)


async def until_it_goes_round(temporal: Client, release: str) -> None:
    """The reconciler and the feed are this release's again, well before their runs would have ended."""

    async def goes_round() -> bool:
        running = await temporal.count_workflows(
            "WorkflowType IN ('Reconciler', 'ErpFeed') AND ExecutionStatus = 'Running'"
            f" AND TemporalWorkerDeploymentVersion = 'portal:{release}'"
        )
        return running.count == 2

    await until(goes_round, within=120)


def test_the_second_release_can_be_made_of_this_one(tmp_path: Path):
    begun = subprocess.run(
        [sys.executable, "-c", "import api.main, workers.main, workers.release"],
        cwd=make_tree(tmp_path),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert begun.returncode == 0, begun.stderr


@pytest.mark.whole
@pytest.mark.timeout(900)
async def test_a_release_that_is_taken_back_under_load_loses_doubles_and_fails_nothing():
    """`FAULT_SEED` repeats who does what."""
    seed = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"\nseed {seed}", flush=True)
    with own_folder() as folder:
        other = ports.free()
        running = Stack(folder, ports.free(), environment={**SHORT, "RELEASE": FIRST})
        tree = make_tree(folder / SECOND)
        try:
            await asyncio.to_thread(running.start_servers)
            await asyncio.to_thread(running.start_processes)
            await asyncio.to_thread(run_set_up, TAKES_ITS_PLACE, running.environment)
            temporal = await connect(running.temporal_address)
            other_url = f"http://localhost:{other.portal}"
            load = Load(
                seed,
                running,
                (running.portal_url, other_url),
                AMOUNT,
                buyers=BUYERS,
                at_once=AT_ONCE,
            )
            address = {"API_PORT": str(other.portal), "PORTAL_URL": other_url}
            with beside(running, tree, "worker", SECOND):
                with beside(running, tree, "api", SECOND, **address):
                    await load.prepare()
                    work = asyncio.create_task(load.carry_out())
                    said = await release_and_take_back(load, tree, temporal)
                # What its API began last of all.
                await until_drained(running, temporal)
            await work
            await until_it_goes_round(temporal, FIRST)
            verdict = await judged(load, temporal)
            (weighed,) = await rows_of(
                running.database_url,
                "select count(*) as n from transition where event = 'WEIGHED'",
            )
        finally:
            await asyncio.to_thread(running.stop)
    print("\n".join(said), dict(load.progress.answers), dict(verdict.counts), flush=True)
    assert load.progress.broken == []
    assert verdict.faults == []
    assert verdict.counts["activation completed"] == AMOUNT.activations
    assert verdict.counts["orders confirmed"] > 0
    assert verdict.counts["purchases confirmed"] > 0
    assert weighed["n"] > 0
    assert all("runs were taken over" in told for told in said)
