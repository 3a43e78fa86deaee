"""Every chart loads; every event of a chart has one source in its workflow, and every source an event."""

import ast
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic.fields import FieldInfo
from temporalio.workflow import _Definition

from domain.activation import reducer as flow
from domain.activation.activation import Effect, HandOver, Opened, Stopped
from domain.charts import ALIASES, FILES, sources
from domain.firmware import firmware_v1, firmware_v2
from domain.kinds import BY_NAME
from domain.runs.engine import ENDS, OPENING, Event
from domain.runs.kind import WaitsFor
from tests.conformance.activation.devices import WRITING
from tests.conformance.activation.plans import (
    VERSIONS,
    WHOLE_BUT_THE_NEWEST,
    Plan,
    all_plans,
    chart_of,
    covering_plans,
    tables_by_plan,
)
from tests.conformance.xstate import Narrowing, tables
from workflows import activation, firmware
from workflows.activation import ActivationWorkflow
from workflows.firmware import FirmwareWorkflow

ACTS = {"SET_PIN": "ACT", "REMOVE_PIN": "ACT", "SET_FEATURE": "ACT", "BUY_PLAN": "ACT"}
"""Kind of message → the event of the chart that it is."""
PEOPLE = {"SUBMIT", "ACT", "SKIP", "BACK", "RESET", "CHANGE_DEVICE", "ABANDON"}
SIGNAL_OF = {
    "verify-connection": "device_log",
    "device-configuration": "device_log",
    "device-testing": "device_log",
    "check-firmware": "firmware_progress",
    "purchase-plan": "purchase_settled",
    **dict.fromkeys(WRITING, "device_log"),
}
"""Step → the signal that ends its wait."""
KIND_OF_SIGNAL = {
    "device_log": "LOG",
    "firmware_progress": "FIRMWARE",
    "purchase_settled": "PURCHASE",
}

OPERATORS = {"reproject", "standing"}
"""What only operators send: it changes nothing that the chart knows."""

FIRMWARE_UPDATES = {
    "RETRY_NOW": "retry_now",
    "CANCEL": "cancel",
    "DEFER": "defer",
    "OVERRULE": "overrule",
}


def source_of(state: str, event: str) -> tuple[str, str]:
    """Where an edge's event comes from: kind of message, and its name."""
    step, _, phase = state.partition("/")
    if event in PEOPLE:
        return "update", event
    if event in ("TIMED_OUT", "IDLE"):
        return "timer", event
    if phase == "waiting":
        return "signal", SIGNAL_OF[step]
    if event == "AGAIN":
        return "rule", "a refusal that is answered by a repetition"
    return "result", event


def members(union: Any) -> list[type]:
    """The models of a union, however it is nested or annotated."""
    if isinstance(union, type):
        return [union]
    parts = [part for part in get_args(union) if not isinstance(part, FieldInfo)]
    return [model for part in parts for model in members(part)]


def kinds(model: type) -> tuple[str, ...]:
    annotation = model.model_fields["kind"].annotation  # pyright: ignore[reportAttributeAccessIssue]
    return get_args(annotation)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_plans_chart_loads_in_xstate(
    version: int, every_plan: bool, say: Callable[[str], None]
):
    edges, every = 0, list[Plan]()
    for plan, _, ways_in in tables_by_plan(version, every_plan=every_plan):
        every.append(plan)
        for entry, table in ways_in.items():
            steps = {name.partition("/")[0] for name in table.states}
            assert steps == {*plan, *OPENING, *ENDS}, plan
            assert set(table.ends) == set(ENDS), plan
            assert table.states["checking"]["OK"] == entry
            edges += sum(len(to) for to in table.states.values())
    charts = sum(len(plan) for plan in every)
    say(
        f"charts, version {version}: {len(every)} of {len(all_plans(version))} plans, "
        f"{charts} with each way in, {edges} edges"
    )


@pytest.mark.parametrize("version", WHOLE_BUT_THE_NEWEST)
def test_every_plan_alone_loads_in_xstate(version: int):
    every = list(all_plans(version))
    found = tables(chart_of(version), [Narrowing(plan=plan) for plan in every])
    for plan, table in zip(every, found, strict=True):
        assert {name.partition("/")[0] for name in table.states} == {*plan, *OPENING, *ENDS}


@pytest.mark.parametrize(
    ("chart", "transitions"),
    [("firmware_v1", firmware_v1.FIRMWARE), ("firmware_v2", firmware_v2.FIRMWARE)],
)
def test_each_firmware_chart_loads_in_xstate(
    chart: str, transitions: Mapping[str, Mapping[str, str]]
):
    (table,) = tables(FILES[chart], [Narrowing(plan=())])
    assert table.states == {name: dict(to) for name, to in transitions.items()}
    assert set(table.ends) == {name for name, to in transitions.items() if not to}


def test_the_committed_charts_are_the_generated_ones():
    for path, text in sources().items():
        assert path.read_text() == text, f"{path.name} is stale: run `make charts`"


@pytest.mark.parametrize("name", FILES)
def test_every_state_says_what_it_is_and_whose_turn(name: str):
    kind, _, version = name.rpartition("_v")
    assert kind in BY_NAME
    plans = list(covering_plans(int(version))) if kind == "activation" else [()]
    for table in tables(FILES[name], [Narrowing(plan=plan) for plan in plans]):
        for state, to in table.states.items():
            meta = table.meta[state]
            turn = BY_NAME[kind].waits_for(state, tuple(to)) if to else None
            assert (meta.step, meta.turn) == (state.partition("/")[0], turn), state
            assert meta.label, state
            assert table.tags[state] == tags_of(state, turn), state


def tags_of(state: str, turn: WaitsFor | None) -> tuple[str, ...]:
    if turn is None:
        return ("ended",)
    if state == "needs_attention":
        return ("attention",)
    if state.endswith("/waiting"):
        return ("waiting",)
    tags = {WaitsFor.PORTAL: "busy", WaitsFor.DEVICE: "waiting", WaitsFor.CLOCK: "waiting"}
    return (tags[turn],) if turn in tags else ()


def test_whatever_an_activation_records_is_an_event_of_its_chart_or_stands_for_some():
    recorded = {kind for model in members(flow.AnyEvent) for kind in kinds(model)}
    assert recorded - {str(event) for event in Event} <= set(ALIASES) <= recorded
    meant = {event for events in ALIASES.values() for event in events}
    assert meant <= {
        event for version in VERSIONS for to in flow.edges(version).values() for event in to
    }


def test_every_edge_of_the_activation_has_one_source_and_every_source_an_edge():
    edges = [to for version in VERSIONS for to in flow.edges(version).items()]
    used = {source_of(state, str(event)) for state, to in edges for event in to}
    taken = {ACTS.get(kind, kind) for model in members(flow.AnyEvent) for kind in kinds(model)}
    outside = {kind for model in (Opened, HandOver, Stopped) for kind in kinds(model)}
    assert {name for how, name in used if how not in ("signal", "rule")} | {
        KIND_OF_SIGNAL[name] for how, name in used if how == "signal"
    } == taken - outside
    assert {str(event) for event in Event} == {str(event) for _, to in edges for event in to}


def test_the_activation_takes_the_messages_that_its_chart_needs_and_no_others():
    definition = _Definition.must_from_class(ActivationWorkflow)
    commands = set(ActivationWorkflow.kind.commands)
    assert set(definition.updates) == {"event", "open", "hand_over"} | commands
    assert set(definition.signals) - OPERATORS == set(SIGNAL_OF.values())
    assert set(definition.queries) - OPERATORS == {"view"}
    for name in commands | {"event"}:
        takes = inspect.signature(getattr(ActivationWorkflow, name)).parameters["event"].annotation
        sent = {kind for model in members(takes) for kind in kinds(model)}
        assert {ACTS.get(kind, kind) for kind in sent} == PEOPLE
    assert all(update.validator for update in definition.updates.values())


def test_every_effect_is_carried_out():
    tree = ast.parse(inspect.getsource(activation))
    performed = {
        pattern.cls.id
        for pattern in ast.walk(tree)
        if isinstance(pattern, ast.MatchClass) and isinstance(pattern.cls, ast.Name)
    }
    by_table = {effect.__name__ for effect in activation._CARRIED_OUT}
    assert performed | by_table == {model.__name__ for model in members(Effect)}


def test_every_event_of_the_firmware_walk_is_sent_by_its_workflow_and_the_reverse():
    tree = ast.parse(Path(firmware.__file__).read_text())
    named = {
        getattr(firmware_v2, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "transitions"
        and isinstance(getattr(firmware_v2, node.attr), str)
    }
    assert named == {event for to in firmware_v2.FIRMWARE.values() for event in to}


def test_the_firmware_run_takes_an_update_for_each_event_of_a_person():
    definition = _Definition.must_from_class(FirmwareWorkflow)
    assert set(FIRMWARE_UPDATES) == set(firmware_v2.USER_EVENTS)
    assert set(definition.updates) == set(FIRMWARE_UPDATES.values())
    assert set(definition.signals) - OPERATORS == {"device_log", "attach"}
    assert all(update.validator for update in definition.updates.values())
