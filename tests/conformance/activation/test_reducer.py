"""The pure half of the proof: reducer and chart say the same in every state, for every input."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from domain.activation import reducer as flow
from domain.activation.reducer import CURRENT_VERSION
from domain.charts import ALIASES
from domain.runs.engine import Event
from tests.conformance.activation.breadth_first import Walked, walk
from tests.conformance.activation.plans import (
    VERSIONS,
    WHOLE_BUT_THE_NEWEST,
    Plan,
    all_plans,
    chart_of,
    covering_plans,
    neighbours,
    plans_of,
    tables_by_plan,
)
from tests.conformance.xstate import tables_of

CHART = chart_of(CURRENT_VERSION)


def longest(version: int) -> Plan:
    return max(all_plans(version), key=len)


def walk_of_longest(chart: Path = CHART) -> Walked:
    """The longest plan of the version that new runs begin on, up to the first difference."""
    plan = longest(CURRENT_VERSION)
    return walk(
        all_plans(CURRENT_VERSION)[plan],
        tables_of(plan, chart),
        version=CURRENT_VERSION,
        coarse=True,
        to_the_first_difference=True,
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_the_covering_plans_hold_every_pair_of_neighbouring_steps(version: int):
    everything = set[tuple[str, str]]().union(*map(neighbours, all_plans(version)))
    covered = set[tuple[str, str]]().union(*map(neighbours, covering_plans(version)))
    assert covered == everything


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", WHOLE_BUT_THE_NEWEST)
def test_the_reducer_takes_the_edges_of_the_chart_and_no_others(
    version: int, every_plan: bool, say: Callable[[str], None]
):
    plans = plans_of(version, every_plan=every_plan)
    all_finely = every_plan and version == 1
    total, finely = Walked(), None if all_finely else min(plans, key=len)
    for plan, situation, tables in tables_by_plan(version, every_plan=every_plan):
        coarse = finely not in (None, plan)
        found = walk(situation, tables, version=version, coarse=coarse)
        assert found.differences == [], plan
        assert found.never_taken == [], plan
        total.states += found.states
        total.inputs += found.inputs
        total.refusals += found.refusals
        total.taken |= {(" ".join(plan), *edge[1:]) for edge in found.taken}
    say(
        f"reducer against chart, version {version}: {len(plans)} of {len(all_plans(version))} plans, "
        f"{total.states} states, "
        f"{len(total.taken)} edges, {total.inputs} inputs, {total.refusals} refusals"
    )


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        (
            '"send-welcome/busy": {"on": {"OK": "NEXT"',
            '"send-welcome/busy": {"on": {"OK": "PREVIOUS"',
        ),
        (
            '"verify-connection": {"on": {"SUBMIT"',
            '"verify-connection": {"on": {"SKIP": "NEXT", "SUBMIT"',
        ),
        ('"TIMED_OUT": "device-testing", ', ""),
        ('"AGAIN": "keylocker-poc-pic/busy", ', ""),
    ],
    ids=["another target", "an edge too many", "an edge too few", "one repetition too few"],
)
def test_a_chart_that_says_something_else_is_found_out(tmp_path: Path, was: str, is_now: str):
    text = CHART.read_text()
    assert text.count(was) == 1
    changed = tmp_path / "changed.chart.ts"
    changed.write_text(text.replace(was, is_now))
    found = walk_of_longest(changed)
    assert found.differences or found.never_taken


@pytest.mark.parametrize(
    ("state", "event", "target"),
    [
        ("check-firmware", Event.SKIP, "PREVIOUS"),
        ("send-welcome/busy", Event.FAIL, "abandoned"),
        ("verify-connection", Event.SKIP, "NEXT"),
        ("keylocker-pin-codes/busy", Event.OK, "NEXT"),
        ("purchase-plan", Event.SUBMIT, "NEXT"),
    ],
)
def test_a_table_that_says_something_else_is_found_out(
    monkeypatch: pytest.MonkeyPatch, state: str, event: Event, target: str
):
    edges = {name: dict(to) for name, to in flow.edges(CURRENT_VERSION).items()}
    edges[state][event] = target
    monkeypatch.setitem(flow._EDGES, CURRENT_VERSION, edges)
    assert walk_of_longest().differences


def test_a_record_that_goes_by_another_name_is_found_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(cast(dict[str, tuple[Event, ...]], ALIASES), "LOG", (Event.DONE,))
    assert walk_of_longest().differences
