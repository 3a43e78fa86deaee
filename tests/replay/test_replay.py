"""Every recorded history can be read by the workflows as they are now."""

import importlib
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from temporalio.client import WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.worker import Replayer
from temporalio.workflow import NondeterminismError

from domain.kinds import KINDS
from observing.spans import Spans
from tests.replay import histories
from tests.replay.ceilings import Ceilings
from tests.replay.configuring_stories import MASTER, SECONDARY
from tests.replay.stories import DECIDES_EARLY, STORIES
from workers.worker import WORKFLOWS, sandbox
from workflows import activation
from workflows.firmware import FirmwareWorkflow
from workflows.request_ids import CarriesRequests

ROOT = Path(__file__).resolve().parents[2]


TRACED = Spans("", "test", exporter=InMemorySpanExporter())
"""Replays are as they would be in a worker that is traced: what watches a run may change nothing of it."""


def a_replayer(*workflows: type) -> Replayer:
    return Replayer(
        workflows=list(workflows or WORKFLOWS),
        data_converter=pydantic_data_converter,
        workflow_runner=sandbox(),
        interceptors=[*TRACED.interceptors, CarriesRequests(), Ceilings()],
    )


def history(name: str) -> WorkflowHistory:
    kept = histories.load(name)
    started = kept["events"][0]["workflowExecutionStartedEventAttributes"]
    return WorkflowHistory.from_json(started["workflowId"], kept)


@pytest.mark.parametrize("name", histories.names())
async def test_a_recorded_history_is_replayed(name: str):
    await a_replayer().replay_workflow(history(name))


def test_every_story_has_its_history():
    told = {f"{workflow}/{name}" for workflow, stories in STORIES.items() for name in stories}
    assert set(histories.names()) == told


def test_every_kind_of_run_has_a_history_of_its_present_form():
    assert {name.replace("-", "_") for name in DECIDES_EARLY} == {kind.name for kind in KINDS}


def test_every_patch_that_a_run_decides_at_its_beginning_was_recorded():
    recorded = {command for commands in histories.reviewed().values() for command in commands}
    known = {patch for workflow in WORKFLOWS for patch in getattr(workflow, "patches", ())}
    assert known
    assert {patch for patch in known if f"patch {patch}" not in recorded} == set()


def test_the_commands_of_every_history_are_those_that_were_reviewed():
    assert histories.fingerprints() == histories.reviewed(), (
        "run `make record-history`, and read the diff"
    )


def test_a_whole_activation_asks_for_everything_in_its_order():
    asked = [
        command.removeprefix("activity ")
        for command in histories.commands(histories.load("activation/finished"))
        if command.startswith(("activity ", "child "))
    ]
    assert asked == [
        "check_device",
        "send_command",
        "check_firmware",
        "child Firmware",
        "send_command",
        "send_command",
        "send_welcome",
        "finish",
        "project",
    ]


@pytest.mark.parametrize("name", histories.names())
def test_a_history_tells_nothing_of_the_machine_that_recorded_it(name: str):
    text = histories.path_of(name).read_text()
    assert '"identity"' not in text
    assert "site-packages" not in text
    assert str(ROOT) not in text


def test_the_histories_of_activations_stay_small(say: Callable[[str], None]):
    sizes = {
        name: (len(kept.events), sum(event.ByteSize() for event in kept.events))
        for name in histories.names()
        if name.startswith("activation")
        for kept in [history(name)]
    }
    for name, (events, size) in sorted(sizes.items(), key=lambda found: found[1]):
        say(f"{name}: {events} events, {size / 1024:.0f} KB")
    assert max(events for events, _ in sizes.values()) <= 1000
    assert max(size for _, size in sizes.values()) <= 300 * 1024


@pytest.mark.parametrize("name", [n for n in histories.names() if n.startswith("activation-v2/")])
def test_no_history_holds_a_pin(name: str):
    written = [event.SerializeToString() for event in history(name).events]
    assert not [pin for pin in (MASTER, SECONDARY) for event in written if pin.encode() in event]


@pytest.fixture
def reordered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[type]:
    """The activation workflow, with an effect carried out before it is shown that it is under way."""
    source = Path(activation.__file__).read_text()
    shown = """                if self.state.flow_version == 1:
                    await self.publish()  # later versions show it in the activity of the effect
"""
    done = """                self.apply(await self.perform(self.state.pending))
"""
    assert source.count(shown + done) == 1
    (tmp_path / "reordered_activation.py").write_text(source.replace(shown + done, done + shown))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("reordered_activation").ActivationWorkflow
    del sys.modules["reordered_activation"]


async def test_activities_in_another_order_are_found_out(reordered: type):
    with pytest.raises(NondeterminismError):
        await a_replayer(reordered, FirmwareWorkflow).replay_workflow(
            history("activation/finished")
        )
