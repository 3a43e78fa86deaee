"""The pure half of the proof: reducer and chart say the same in every state, for every input."""

from collections.abc import Callable
from pathlib import Path

import pytest

from domain.flows import activation as flow
from domain.flows.charts import FILES
from domain.flows.engine import Event
from tests.conformance.breadth_first import Walked, walk
from tests.conformance.plans import Plan, all_plans, covering_plans, neighbours
from tests.conformance.xstate import tables_of

CHART = FILES["activation_v1"]
LONGEST = max(all_plans(), key=len)


def walk_of(plan: Plan, chart: Path = CHART, *, to_the_first_difference: bool = True) -> Walked:
    return walk(
        all_plans()[plan],
        tables_of(plan, chart),
        to_the_first_difference=to_the_first_difference,
    )


def test_the_covering_plans_hold_every_pair_of_neighbouring_steps():
    everything = set[tuple[str, str]]().union(*map(neighbours, all_plans()))
    assert set[tuple[str, str]]().union(*map(neighbours, covering_plans())) == everything


def test_the_reducer_takes_the_edges_of_the_chart_and_no_others(
    every_plan: bool, say: Callable[[str], None]
):
    plans = all_plans() if every_plan else covering_plans()
    total = Walked()
    for plan in plans:
        found = walk_of(plan, to_the_first_difference=False)
        assert found.differences == [], plan
        assert found.never_taken == [], plan
        total.states += found.states
        total.inputs += found.inputs
        total.refusals += found.refusals
        total.taken |= {(" ".join(plan), *edge[1:]) for edge in found.taken}
    say(
        f"reducer against chart: {len(plans)} of {len(all_plans())} plans, {total.states} states, "
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
    ],
    ids=["another target", "an edge too many", "an edge too few"],
)
def test_a_chart_that_says_something_else_is_found_out(tmp_path: Path, was: str, is_now: str):
    text = CHART.read_text()
    assert text.count(was) == 1
    changed = tmp_path / "changed.chart.ts"
    changed.write_text(text.replace(was, is_now))
    found = walk_of(LONGEST, changed)
    assert found.differences or found.never_taken


@pytest.mark.parametrize(
    ("state", "event", "target"),
    [
        ("check-firmware", Event.SKIP, "PREVIOUS"),
        ("send-welcome/busy", Event.FAIL, "abandoned"),
        ("verify-connection", Event.SKIP, "NEXT"),
    ],
)
def test_a_table_that_says_something_else_is_found_out(
    monkeypatch: pytest.MonkeyPatch, state: str, event: Event, target: str
):
    edges = {name: dict(to) for name, to in flow.edges(1).items()}
    edges[state][event] = target
    monkeypatch.setitem(flow._EDGES, 1, edges)
    assert walk_of(LONGEST).differences
