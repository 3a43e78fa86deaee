"""The real half of the proof: tours over every edge of a plan, through a real workflow on a real server."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from temporalio.client import Client

from db.base import Sessions
from domain.activation import ActivationType
from domain.devices import Product
from tests.conformance.drive import Drive
from tests.conformance.plans import chart_of
from tests.conformance.tours import Tour, moves, tours
from tests.conformance.xstate import tables_of
from tests.stage import Stage, a_stage

CHOSEN = {
    "new device": (
        ActivationType.NEW_DEVICE,
        Product.FT_X1,
        "000",
        "power-on-device set-vehicle-details verify-connection check-firmware device-testing "
        "send-welcome complete-activation",
    ),
    "service, vehicle known": (
        ActivationType.SERVICE_DEVICE,
        Product.DR5400,
        "270",
        "power-on-device verify-connection check-firmware device-testing complete-activation",
    ),
    "service, vehicle unknown": (
        ActivationType.SERVICE_DEVICE,
        Product.FT_X1MAX,
        "200",
        "power-on-device set-vehicle-details verify-connection check-firmware device-testing "
        "complete-activation",
    ),
}
"""Name → type, product, traits of its devices, plan."""
ALWAYS = ("new device",)
AT_ONCE = 6


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    every = metafunc.config.getoption("all", default=False)
    metafunc.parametrize("name", list(CHOSEN) if every else ALWAYS)


@pytest.mark.timeout(300)
async def test_a_real_run_takes_every_edge_of_its_chart_and_refuses_the_rest(
    name: str,
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
    say: Callable[[str], None],
):
    kind, product, traits, plan = CHOSEN[name]
    tables = tables_of(tuple(plan.split()), chart_of(1))
    every = moves(tables)
    planned = list(tours(every))
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        drive = Drive(stage, kind, product, traits, tables)
        await _take_all(drive, stage, planned)
    assert set(drive.taken) == {move for tour in planned for move in tour}
    say(
        f"tour, {name}: {len(planned)} runs, {sum(drive.taken.values())} moves, "
        f"{len(drive.taken)} of {len(every)} taken, {drive.refusals} refusals"
    )


async def _take_all(drive: Drive, stage: Stage, planned: list[Tour]) -> None:
    await stage.turn(lost_reply_seconds=1.5)
    at_once = asyncio.Semaphore(AT_ONCE)

    async def take(tour: Tour) -> None:
        async with at_once:
            await drive.take(tour)

    async with asyncio.TaskGroup() as running:
        for tour in planned:
            running.create_task(take(tour))
