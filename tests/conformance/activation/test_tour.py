"""The real half of the proof: tours over every edge of a plan, through a real workflow on a real server.

Without WHOLE=1: plans that together hold every kind of step. The first is taken with all its edges, each of the others
in one whole walk from its first step to its last, with further runs for each edge that leads, from the same state by the
same event, where no plan before it led. With it, every plan that exists: these with all their edges, all others as just
said. That is some 560 runs with 7,500 moves instead of 19,500 with 86,000: at ten moves a second, the pace of two busy
cores, a quarter of an hour instead of two and a half hours. That reducer and chart agree on every edge of every plan,
`test_reducer.py` proves without a server.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dev.testing import is_whole
from domain.activation.activation import Situation
from domain.activation.activation_v2 import installs
from domain.activation.reducer import plan_of
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, Product
from tests.activation.in_memory import CAMRY, a_device
from tests.conformance.activation.drive import Drive
from tests.conformance.activation.plans import (
    VERSIONS,
    WHOLE_BUT_THE_NEWEST,
    Plan,
    all_plans,
    chart_of,
)
from tests.conformance.activation.tours import Move, Tour, moves, tours, whole_walk
from tests.conformance.xstate import Table, tables_of, tables_of_all
from tests.drivers.stage import Stage

AT_ONCE = 8
"""Runs that do something."""

MOST_EVENTS, MOST_BYTES = 1000, 300 * 1024
"""Of the history of any run."""


def a_situation(kind: ActivationType, product: Product, **more: Any) -> Situation:
    """`more` are fields of the situation or traits of its device."""
    traits = {name: value for name, value in more.items() if name in Device.model_fields}
    others = {name: value for name, value in more.items() if name not in traits}
    device = a_device(f"{product.upper()}-00000042", **traits)
    return Situation(kind=kind, device=device, installer=True, **others)


WITH_ALL_STEPS: Mapping[str, Situation] = {
    "X1MAX with KeyLocker, replaced, advanced": a_situation(
        ActivationType.REPLACE_DEVICE,
        Product.FT_X1MAX,
        controller="CM900S",
        is_keylocker_present=True,
        advanced=True,
        consumer_email="owner@example.com",
    ),
    "new X1": a_situation(
        ActivationType.NEW_DEVICE, Product.FT_X1, controller="CM900S", plan="premium-1-year"
    ),
    "DR in service": a_situation(
        ActivationType.SERVICE_DEVICE, Product.DR5400, vehicle=CAMRY, plan="premium-1-year"
    ),
    "plan alone": a_situation(ActivationType.PURCHASE_SUBSCRIPTION, Product.FT_XC),
}

CHOSEN: Mapping[int, Mapping[str, Situation]] = {
    1: {"new device": a_situation(ActivationType.NEW_DEVICE, Product.FT_X1)},
    2: WITH_ALL_STEPS,
    3: WITH_ALL_STEPS,
}


@dataclass(frozen=True)
class Planned:
    """One plan with the runs that are to be taken through it; `refused` are the states of which every refusal is known."""

    name: str
    situation: Situation
    tables: Mapping[str, Table]
    every: tuple[Move, ...]
    tours: tuple[Tour, ...]
    refused: set[str]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_chosen_plans_hold_every_step_of_their_version(version: int):
    held = {step for plan in situations_of(version, every_plan=False) for step in plan}
    assert held == {step for plan in all_plans(version) for step in plan}


@pytest.mark.timeout(3600 if is_whole() else 900)
@pytest.mark.parametrize("version", WHOLE_BUT_THE_NEWEST)
async def test_real_runs_take_every_edge_of_their_chart_and_refuse_the_rest(
    version: int,
    every_plan: bool,
    stage: Stage,
    say: Callable[[str], None],
):
    situations = situations_of(version, every_plan=every_plan)
    in_full = CHOSEN[version] if every_plan else list(CHOSEN[version])[:1]
    plans = await asyncio.to_thread(lambda: list(planned(version, situations, in_full)))
    drives, begun = list[Drive](), time.monotonic()
    await stage.turn(lost_reply_seconds=3)
    at_once = asyncio.Semaphore(AT_ONCE)

    async def take(plan: Planned) -> None:
        drive = Drive(stage, version, plan.situation, plan.tables, at_once, plan.refused)
        drives.append(drive)
        async with asyncio.TaskGroup() as running:
            for tour in plan.tours:
                running.create_task(drive.take(tour))
        assert set(drive.taken) == {move for tour in plan.tours for move in tour}
        say(f"tour of version {version}, {plan.name}: {_counts(plan, drive)}")

    async with asyncio.TaskGroup() as taking:
        for plan in plans:
            taking.create_task(take(plan))
    taken = set[Move]().union(*(drive.taken for drive in drives))
    everything = set[Move]().union(*(plan.every for plan in plans))
    events, size = max(drive.events for drive in drives), max(drive.size for drive in drives)
    say(
        f"tours of version {version}: {len(drives)} of {len(all_plans(version))} plans, "
        f"{sum(len(plan.tours) for plan in plans)} runs, {len(taken)} of {len(everything)} "
        f"different moves, {sum(drive.refusals for drive in drives)} refusals, "
        f"histories up to {events} events and {size / 1024:.0f} KB, "
        f"{time.monotonic() - begun:.0f} s"
    )
    assert taken == everything
    assert events <= MOST_EVENTS
    assert size <= MOST_BYTES


# One real run is enough beside the pure half, which finds each of these (`test_reducer.py`).
@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        pytest.param(
            '"complete-activation/busy": {"on": {"OK": "NEXT"',
            '"OK": "PREVIOUS"',
            id="another target",
            marks=pytest.mark.whole,
        ),
        pytest.param(
            '"purchase-plan": {"on": {"ACT"', '"SUBMIT": "NEXT", "ACT"', id="a submit too many"
        ),
        pytest.param(
            '"complete-activation": {"on": {"SUBMIT"',
            '"SKIP": "NEXT", "SUBMIT"',
            id="a skip too many",
            marks=pytest.mark.whole,
        ),
    ],
)
async def test_a_chart_that_says_something_else_is_found_out_by_a_real_run(
    stage: Stage, tmp_path: Path, was: str, is_now: str
):
    text, edge = chart_of(2).read_text(), was.rpartition("{")[2]
    assert text.count(was) == 1
    changed = tmp_path / "changed.chart.ts"
    changed.write_text(text.replace(was, was.removesuffix(edge) + is_now))
    situation = CHOSEN[2]["plan alone"]
    tables = tables_of(plan_of(situation, 2), changed)
    drive = Drive(stage, 2, situation, tables, asyncio.Semaphore(1))

    async def one_after_the_other() -> None:
        for tour in tours(possible(2, situation, moves(tables))):
            await drive.take(tour)

    with pytest.raises(AssertionError, match=r"Move\("):
        await one_after_the_other()


def situations_of(version: int, *, every_plan: bool) -> dict[Plan, tuple[str, Situation]]:
    """Plan → a name and what leads to it, the chosen ones first."""
    found = {
        plan_of(situation, version): (name, situation)
        for name, situation in CHOSEN[version].items()
    }
    if every_plan:
        for number, (plan, situation) in enumerate(all_plans(version).items(), start=1):
            name = f"plan {number}, {situation.kind} {situation.device.product_name}"
            found.setdefault(plan, (name, situation))
    return found


def possible(version: int, situation: Situation, every: tuple[Move, ...]) -> tuple[Move, ...]:
    """Without what cannot fail: the end of an activation that installs nothing asks nothing of the network."""
    if version < 2 or installs(situation.kind):
        return every
    end = "complete-activation"
    return tuple(move for move in every if move.source != end or "FAIL" not in move.results)


def planned(
    version: int, plans: Mapping[Plan, tuple[str, Situation]], in_full: Collection[str]
) -> Iterator[Planned]:
    """All edges of the plans `in_full`; of each other one a whole walk, and what no plan before it had. Refusals are tried once
    in each state; with WHOLE=1 once in each state of a chosen plan."""
    known, refused = frozenset[Move](), set[str]()
    charts = tables_of_all(list(plans), chart_of(version))
    for (name, situation), tables in zip(plans.values(), charts, strict=True):
        every = possible(version, situation, moves(tables))
        runs = tuple(tours(every))
        if name not in in_full:
            walk = whole_walk(every)
            runs = (walk, *tours(every, known.union(walk)))
        tried = set[str]() if is_whole() and name in CHOSEN[version] else refused
        known |= frozenset(every)
        yield Planned(name, situation, tables, every, runs, tried)


def _counts(plan: Planned, drive: Drive) -> str:
    taken = len(set(drive.taken) & set(plan.every))
    return (
        f"{len(plan.tours)} runs, {sum(drive.taken.values())} moves, "
        f"{taken} of {len(plan.every)} taken, {drive.refusals} refusals, "
        f"histories up to {drive.events} events and {drive.size / 1024:.0f} KB"
    )
