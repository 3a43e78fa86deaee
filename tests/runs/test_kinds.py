"""The records of the kinds of runs say what the tables, the workflows and the rows say."""

from pathlib import Path
from typing import Any, get_args

import pytest

import domain
from domain import run_pages
from domain.activation import reducer
from domain.billing.payments import PayingFlow
from domain.checkout.placements import placement_v1
from domain.kinds import ACTIVATION, BY_NAME, KINDS, PLACEMENT, PURCHASE, Kind
from domain.operations.operations import RunName
from domain.runs.kind import LOST_NOTE
from domain.runs.projection import FlowKind
from workers.release.schedules import SCHEDULES
from workers.worker import WORKFLOWS
from workflows import ids
from workflows.run import Run

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def test_rows_and_operators_know_the_kinds_that_are_shown() -> None:
    assert set(get_args(FlowKind)) == {kind.name for kind in KINDS if kind.row == "flow"}
    assert set(get_args(RunName)) == {kind.name for kind in KINDS if kind.row != "own"}


def test_each_table_is_a_version_of_its_kind() -> None:
    tables = {path.stem for path in Path(domain.__file__).parent.rglob("*_v[0-9]*.py")}
    assert tables == {f"{kind.name}_v{version}" for kind in KINDS for version in kind.versions}


def test_each_kind_has_its_workflow() -> None:
    runs: dict[str, type[Run]] = {
        workflow.kind.name: workflow for workflow in WORKFLOWS if issubclass(workflow, Run)
    }
    assert runs.keys() == BY_NAME.keys()
    for name, workflow in runs.items():
        definition: Any = getattr(workflow, "__temporal_workflow_definition")
        assert definition.name == BY_NAME[name].workflow
        assert BY_NAME[name].commands.keys() <= set(definition.updates)


def test_whatever_is_no_kind_of_run_is_begun_by_a_schedule() -> None:
    """A run with a shell of its own would be neither found by the reconciler nor shown to operators."""
    others = {workflow for workflow in WORKFLOWS if not issubclass(workflow, Run)}
    assert {workflow.run for workflow in others} == {one.workflow for one in SCHEDULES}


@every_kind
def test_a_record_names_states_and_events_of_its_tables(kind: Kind) -> None:
    states = {state for table in kind.versions.values() for state in table}
    events = {event for table in kind.versions.values() for to in table.values() for event in to}
    assert kind.begins in states
    assert all(to in states for late in kind.too_late.values() for to in late.states)
    assert {*kind.asks, *kind.commands.values(), *kind.too_late} <= events
    assert kind.lost is None or kind.lost in states
    if kind is not ACTIVATION:
        assert states <= kind.labels.keys()
        assert {state for named in kind.turns.values() for state in named} <= states


@every_kind
def test_what_is_said_of_a_lost_run_fits_its_view(kind: Kind) -> None:
    if kind.view is not None:
        assert kind.lost_view.keys() <= kind.view.model_fields.keys()


@pytest.mark.parametrize("flow", PayingFlow)
def test_nobody_is_told_to_begin_anew_what_may_have_taken_money(flow: PayingFlow) -> None:
    """A second charge would be the answer."""
    kind = BY_NAME[flow.value]
    assert "anew" in LOST_NOTE
    assert "anew" not in f"{kind.lost_note} {kind.lost_view}"


def test_an_end_is_an_end_in_every_version() -> None:
    for version in reducer.VERSIONS:
        for state, to in reducer.edges(version).items():
            assert ACTIVATION.has_ended(state) == (not to)


def test_search_attributes_are_those_that_are_registered() -> None:
    registered = {key.name for key in ids.SEARCH_ATTRIBUTES}
    named = {"FlowKind", "FlowStep", "Site", "DealerId", "InstallerId", "BpCode", "DeviceKey"}
    assert named <= registered


def test_a_late_cancel_of_an_order_is_told_so_whether_its_run_is_there_or_not() -> None:
    for state in ("capturing", "confirmed"):
        assert PLACEMENT.refusal(placement_v1.CANCEL, state).code == "order_not_cancellable"
        assert PLACEMENT.closed(placement_v1.CANCEL, state).code == "order_not_cancellable"
    assert PLACEMENT.closed(placement_v1.CANCEL, "expired").detail == "This order has ended."
    assert PLACEMENT.refusal(placement_v1.CANCEL, "recording").code == "order_moved"


@every_kind
def test_no_kind_speaks_of_an_activation_but_that(kind: Kind) -> None:
    if kind is not ACTIVATION:
        assert not [one.detail for one in kind.refusals() if "activation" in one.detail]
    assert "purchase" in PURCHASE.refusal("RETRY", "quoted").detail


def test_what_is_told_of_runs_is_up_to_date() -> None:
    stale = [path.name for path, text in run_pages.sources().items() if path.read_text() != text]
    assert not stale, "run `make api-client`"
