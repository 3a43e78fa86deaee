"""The reducer, walked breadth first with every input in every state, against XState's own transition table.

What people send must agree exactly: accepted where the chart has an edge and then to its target, refused elsewhere.
Results, signals and ticks must move along an edge or not at all, and every edge must be taken by something. Two states
of a run count as one when they differ only in counters, times, texts and older commands; in a `coarse` walk also when
they differ in what a late log might still settle.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from domain.activation import reducer as flow
from domain.activation.activation import (
    Abandon,
    Act,
    AnyAct,
    Back,
    BuyPlan,
    ChangeDevice,
    CheckDevice,
    Checked,
    CommandRow,
    CommandState,
    Fail,
    Fault,
    FeatureAct,
    FirmwareProgress,
    HandOver,
    LogArrived,
    Ok,
    Opened,
    Person,
    PinAct,
    PinRemoval,
    PurchaseProgress,
    Rejection,
    Reset,
    Resume,
    Situation,
    Skip,
    State,
    StepName,
    Stopped,
    Submit,
    Tick,
    UserEvent,
    Wait,
)
from domain.activation.beside import DEVICE_UPDATING, SINCE, kept_back, standing
from domain.activation.configuring import SPECIAL_ROW_NEEDS_QUERY, SwapDevice
from domain.activation.reducer import AnyEvent
from domain.charts import ALIASES
from domain.devices.devices import DeviceLog
from domain.devices.keylocker import PinSlot
from domain.devices.toggles import Toggle
from domain.firmware.firmware import FirmwareView
from domain.runs.engine import OPENING, USER_EVENTS
from tests.activation.in_memory import COLLEAGUE, FAULT, FOREIGNER, OWNER, a_start
from tests.conformance.xstate import Table
from tests.drivers.stage import form_for
from tests.drivers.times import NOON

FIRMWARE_STATES = ("download_sent", "done", "failed", "cancelled")
PURCHASE = "purchase-1"
RESULTS = {
    "OK": ("OK", "FAIL"),
    "WAIT": ("WAIT", "OK", "FAIL"),
    "FAIL": ("FAIL", "OK", "AGAIN", "WAIT"),
}
"""What a result may amount to: a log that came first decides, and one that does not fit is a failure."""
SIGNALS = ("DONE", "FAIL")
NEEDS_QUERY = Fault(code=SPECIAL_ROW_NEEDS_QUERY, detail="Ask the device first.")
UPDATING = Fault(code=DEVICE_UPDATING, detail="The device is installing its firmware.")

Devices = tuple[str, ...]
Edge = tuple[str, str, str]
"""Where a run enters (only where that matters), state, event."""


@dataclass
class Walked:
    """What a walk found."""

    states: int = 0
    inputs: int = 0
    refusals: int = 0
    taken: set[Edge] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)

    @property
    def never_taken(self) -> list[Edge]:
        return sorted(self.edges - self.taken)


@dataclass(frozen=True)
class Input:
    """One event at one time, and what the chart may say of it: `moves` empty means refused or without effect."""

    event: AnyEvent
    now: datetime
    moves: tuple[str, ...]
    person: bool = False


def walk(
    situation: Situation,
    tables: Mapping[str, Table],
    *,
    version: int,
    coarse: bool = False,
    to_the_first_difference: bool = False,
) -> Walked:
    """Every state that a run of this situation can reach, entered at each of its steps."""
    found = Walked()
    queue = deque(_begun(situation, entry, version) for entry in tables)
    seen = {_key(state, coarse=coarse) for state in queue}
    for entry, table in tables.items():
        found.edges |= {
            (entry if name in OPENING else "", name, event)
            for name, to in table.states.items()
            for event in to
        }
    while queue and not (to_the_first_difference and found.differences):
        state = queue.popleft()
        found.states += 1
        edges = _edges(state, tables)
        not_now = kept_back(state, flow._step_or_none(state))
        shown = tuple(
            str(event) for event in USER_EVENTS if event in edges and event not in not_now
        )
        if flow.allowed(state) != shown:
            found.differences.append(f"{state.state} allows {flow.allowed(state)}, chart {shown}")
        for tried in _inputs(state, situation):
            after = flow.reduce(state, tried.event, tried.now)
            found.inputs += 1
            _compare(state, tried, after, edges, found)
            if isinstance(after, Rejection):
                found.refusals += 1
            elif (key := _key(after, coarse=coarse)) not in seen:
                seen.add(key)
                queue.append(after)
    return found


def _begun(situation: Situation, entry: str, version: int) -> State:
    resume = Resume.model_validate({"entry": entry})
    start = a_start(
        situation.device,
        flow_version=version,
        kind=situation.kind,
        resume=resume,
        advanced=situation.advanced,
        consumer_email=situation.consumer_email,
        actor=_actor(situation),
    )
    return flow.begin(start, NOON)


def _actor(situation: Situation) -> Person:
    if situation.guest:
        return Person(name="Guest", guest_of="run-1")
    return OWNER.model_copy(update={"installer": situation.installer})


def _key(state: State, *, coarse: bool) -> tuple[object, ...]:
    """Elsewhere than at its own step, only whether a log may still settle it tells two rows apart."""
    facts, step = state.facts, state.step
    rows = {
        "verify-connection": facts.connection,
        "device-configuration": facts.configuration[-1] if facts.configuration else None,
        "device-testing": facts.commands[-1] if facts.commands else None,
    }
    return (
        state.state,
        state.entry,
        facts.requeries if state.phase == "busy" else 0,
        *(_command_shape(row, here=step == its, coarse=coarse) for its, row in rows.items()),
        (facts.purchase.state, facts.purchase.provisioned, facts.purchase.given_up)
        if facts.purchase and step == "purchase-plan"
        else None,
        _firmware_shape(state, coarse=coarse),
    )


def _firmware_shape(state: State, *, coarse: bool) -> object:
    """Beside an activation it matters where its end is waited for; awaited, at its own step."""
    firmware = state.facts.firmware
    if state.flow_version >= SINCE:
        return standing(state) if state.step == "device-testing" or not coarse else None
    if firmware is None:
        return None
    return firmware.state if state.step == "check-firmware" else None if coarse else True


def _command_shape(row: CommandRow | None, *, here: bool, coarse: bool) -> object:
    if row is None or (coarse and not here):
        return None
    return row.state if here else _late(row)


def _late(row: CommandRow) -> bool:
    return row.state in (CommandState.TIMED_OUT, CommandState.UNKNOWN)


def _edges(state: State, tables: Mapping[str, Table]) -> Mapping[str, str]:
    entry = state.entry or next(iter(tables))
    return tables[entry].states.get(state.state, {})


def _compare(
    before: State, tried: Input, after: State | Rejection, edges: Mapping[str, str], found: Walked
) -> None:
    at, name = before.state, f"{before.state} on {tried.event.kind}"
    entry = (before.entry or "") if at in OPENING else ""
    if not isinstance(after, Rejection) and after.state != at:
        _compare_record(tried.event.kind, at, after.state, edges, found)
    if tried.person:
        not_now = kept_back(before, flow._step_or_none(before))
        expected = next(
            (edges[event] for event in tried.moves if event in edges and event not in not_now), None
        )
        arrived = None if isinstance(after, Rejection) else after.state
        if arrived != expected:
            found.differences.append(f"{name}: run {arrived}, chart {expected}")
        elif expected is not None:
            found.taken.add((entry, at, tried.moves[0]))
        return
    if isinstance(after, Rejection):
        found.differences.append(f"{name}: refused, {after.code}")
    elif after.state != at:
        edge = next((event for event in tried.moves if edges.get(event) == after.state), None)
        if edge is None:
            found.differences.append(f"{name}: run {after.state}, chart has no such edge")
        else:
            found.taken.add((entry, at, edge))
    elif "AGAIN" in tried.moves and edges.get("AGAIN") == at and after.pending != before.pending:
        found.taken.add((entry, at, "AGAIN"))
    elif after.rev != before.rev and before.phase == "busy" and after.pending != before.pending:
        found.differences.append(f"{name}: the effect under way was lost")


def _compare_record(kind: str, at: str, to: str, edges: Mapping[str, str], found: Walked) -> None:
    """What the run's record calls the event leads the browser's chart to the same state."""
    names = ALIASES.get(kind, (kind,))
    if names and not any(edges.get(str(name)) == to for name in names):
        found.differences.append(f"{at} on {kind}: run {to}, and no edge goes by that name")


_numbers = count(1)


def _inputs(state: State, situation: Situation) -> Iterator[Input]:
    yield from _what_people_send(state)
    yield from _what_changes_no_step(state)
    yield from _what_effects_answer(state, situation)
    yield from _what_devices_report(state)
    yield from _what_time_brings(state)


def _what_people_send(state: State) -> Iterator[Input]:
    steps: tuple[StepName, ...] = tuple(step.name for step in flow.table(state.flow_version))
    here: dict[str, Any] = {"actor": state.owner, "seq": state.seq}
    acts: list[tuple[str, UserEvent]] = [
        ("device-testing", Act(**here, command="location")),
        ("device-configuration", Act(**here, command="ignition_on")),
        ("keylocker-pin-codes", PinAct(**here, slot=PinSlot.MASTER, secret="s", duration=1)),
        ("keylocker-pin-codes", PinRemoval(**here, secret="s")),
        ("system-settings", FeatureAct(**here, feature=Toggle.SIREN, enabled=True)),
        ("purchase-plan", BuyPlan(**here, purchase_id=PURCHASE)),
    ]
    right: list[UserEvent] = [
        *(act for step, act in acts if step == state.step),
        Reset(**here),
        ChangeDevice(**here, device_key=_other_key(state)),
        Abandon(**here),
    ]
    wrong: list[UserEvent] = [
        *(act for step, act in acts if step != state.step),
        Act(**here, command="levitate"),
        ChangeDevice(**here, device_key=state.device_key),
    ]
    for step in steps:
        named: list[UserEvent] = [
            Submit(**here, form=form_for(step)),
            Back(**here, step=step),
        ]
        (right if step == state.step else wrong).extend(named)
        passes = Skip(**here, step=step, reason="no time")
        (right if step == passed_over_at(state) else wrong).append(passes)
    for event in right:
        kind = "ACT" if isinstance(event, AnyAct) else event.kind
        yield Input(event, NOON, (kind,), person=True)
        for spoiled in ({"seq": state.seq + 1}, {"seq": state.seq - 1}, {"actor": FOREIGNER}):
            yield Input(event.model_copy(update=spoiled), NOON, (), person=True)
    for event in wrong:
        yield Input(event, NOON, (), person=True)


def passed_over_at(state: State) -> str:
    """The step that a skip names where the run stands."""
    step = flow._step_or_none(state)
    return (step and step.after) or state.step


def _other_key(state: State) -> str:
    product = state.device_key.rpartition("-")[0]
    first, second = f"{product}-00000042", f"{product}-00000043"
    return second if state.device_key == first else first


def _what_changes_no_step(state: State) -> Iterator[Input]:
    """A hand over and another person's look at the run: never an edge, whatever runs."""
    if not flow.has_ended(state) and state.owner.dealer_id is not None:
        yield Input(HandOver(actor=state.owner, seq=state.seq, to=COLLEAGUE), NOON, ())
        yield Input(Opened(actor=COLLEAGUE, device_key=state.device_key), NOON, ())


def _what_effects_answer(state: State, situation: Situation) -> Iterator[Input]:
    good: Ok | Checked = Ok()
    pending = state.pending
    if isinstance(pending, CheckDevice | SwapDevice):
        key = pending.new_device_key if isinstance(pending, SwapDevice) else pending.device_key
        good = Checked(device=situation.device.model_copy(update={"device_key": key}))
    for result in (
        good,
        Wait(),
        Wait(unknown=True),
        Fail(fault=FAULT),
        Fail(fault=NEEDS_QUERY),
        Fail(fault=UPDATING),
    ):
        yield Input(result, NOON, RESULTS[result.kind])


def _what_devices_report(state: State) -> Iterator[Input]:
    facts = state.facts
    rows = (facts.connection, *facts.commands[-1:], *facts.configuration[-1:])
    ids = [row.id for row in rows if row]
    for command_id in [*ids, "of-another-run"]:
        for ok in (True, False):
            log = DeviceLog(
                id=f"log-{next(_numbers)}",
                device_key=state.device_key,
                type="command",
                timestamp=NOON,
                command_id=command_id,
                ok=ok,
            )
            yield Input(LogArrived(log=log), NOON, SIGNALS)
    yield from _purchase_reports(state)
    for name in FIRMWARE_STATES:
        view = FirmwareView(
            run_id="firmware-1", device_key=state.device_key, state=name, since=NOON
        )
        yield Input(FirmwareProgress(id=f"firmware-{next(_numbers)}", firmware=view), NOON, SIGNALS)


def _purchase_reports(state: State) -> Iterator[Input]:
    """Of an end, or that some devices failed: this one has its plan then, will never have it, or is tried again."""
    this, others = (state.device_key,), ("FT-X1-00000099",)
    told: list[tuple[str, Devices, Devices, tuple[str, ...]]] = [
        ("confirmed", this, (), ("DONE",)),
        ("confirmed", others, this, ("FAIL",)),
        ("expired", (), (), ("FAIL",)),
        (flow.STILL_TRIED, this, (), ("DONE",)),
        (flow.STILL_TRIED, (), this, ("FAIL",)),
        (flow.STILL_TRIED, others, (), ()),
        (flow.STILL_TRIED, (), others, ()),
    ]
    for purchase_id in (PURCHASE, "of-another-run"):
        for name, provisioned, given_up, moves in told:
            moved = PurchaseProgress(
                id=f"purchase-{next(_numbers)}",
                purchase_id=purchase_id,
                state=name,
                provisioned=provisioned,
                given_up=given_up,
            )
            yield Input(moved, NOON, moves if purchase_id == PURCHASE else ())


def _what_time_brings(state: State) -> Iterator[Input]:
    moment = timedelta(seconds=1)
    due = state.deadline or NOON
    yield Input(Tick(kind="TIMED_OUT"), due - moment, ())
    yield Input(Tick(kind="TIMED_OUT"), due, ("TIMED_OUT",))
    yield Input(Tick(kind="IDLE"), state.idle_at - moment, ())
    yield Input(Tick(kind="IDLE"), state.idle_at, ("IDLE",))
    yield Input(Stopped(), NOON, ("ABANDON",))
