"""What every step flow is made of: phases, events, kinds of step, and the plan words of their targets.

A step's *kind* is a small chart of at most three phases. `edges_of` merges it with what is possible in every step;
`resolve_target` turns a target into the state it means under one plan. The same edges are written out for the browser
(`domain/charts.py`) and narrowed there by `chartFor`, its twin in `web/src/shared/flow`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum


class Phase(StrEnum):
    READY = "ready"
    BUSY = "busy"
    WAITING = "waiting"


class Event(StrEnum):
    """The events of a step flow. The first seven are a person's; the others come from results, signals and time."""

    SUBMIT = "SUBMIT"
    ACT = "ACT"
    SKIP = "SKIP"
    BACK = "BACK"
    RESET = "RESET"
    CHANGE_DEVICE = "CHANGE_DEVICE"
    ABANDON = "ABANDON"
    OK = "OK"
    WAIT = "WAIT"
    FAIL = "FAIL"
    AGAIN = "AGAIN"
    DONE = "DONE"
    TIMED_OUT = "TIMED_OUT"
    IDLE = "IDLE"


USER_EVENTS = (
    Event.SUBMIT,
    Event.ACT,
    Event.SKIP,
    Event.BACK,
    Event.RESET,
    Event.CHANGE_DEVICE,
    Event.ABANDON,
)

NEXT, PREVIOUS, FIRST, ENTRY = "NEXT", "PREVIOUS", "FIRST", "ENTRY"
"""Plan words: the step after, the step before, the plan's first, where a resumed run goes on."""

Target = Phase | str
Kind = Mapping[Phase, Mapping[Event, Target]]

R, B, W = Phase.READY, Phase.BUSY, Phase.WAITING

FORM: Kind = {R: {Event.SUBMIT: NEXT}}
"""A form that only the run itself has to know."""

CALL: Kind = {R: {Event.SUBMIT: B}, B: {Event.OK: NEXT, Event.FAIL: R}}
"""One call to an outside system."""

TABLES: Kind = {
    R: {Event.SUBMIT: B},
    B: {Event.OK: NEXT, Event.AGAIN: B, Event.FAIL: R},
}
"""A call that a certain refusal repeats in another manner, a few times."""

BENCH: Kind = {R: {Event.SUBMIT: NEXT, Event.ACT: B}, B: {Event.OK: R, Event.FAIL: R}}
"""Any number of calls, one at a time; leaving is a submit."""

LISTEN: Kind = {
    R: {Event.SUBMIT: B},
    B: {Event.OK: NEXT, Event.WAIT: W, Event.FAIL: R},
    W: {Event.DONE: NEXT, Event.FAIL: R, Event.TIMED_OUT: R},
}
"""Ask the device, then wait for its log."""

CHILD: Kind = {
    R: {Event.SUBMIT: B},
    B: {Event.OK: NEXT, Event.WAIT: W, Event.FAIL: R},
    W: {Event.DONE: NEXT, Event.FAIL: R},
}
"""Start another run, then wait for its end, however long that takes."""

BESIDE: Kind = {
    R: {Event.SUBMIT: B},
    B: {Event.OK: NEXT, Event.WAIT: NEXT, Event.FAIL: R},
}
"""Start another run and go on while it is under way. A later step waits for its end."""

PURCHASE: Kind = {
    R: {Event.ACT: B},
    B: {Event.OK: NEXT, Event.WAIT: W, Event.FAIL: R},
    W: {Event.DONE: NEXT, Event.FAIL: R, Event.SKIP: NEXT},
}
"""Join a run that somebody has begun beside, then wait for its end; or pass by, also while it is waited for."""

COMMANDS: Kind = {
    R: {Event.SUBMIT: NEXT, Event.ACT: B},
    B: {Event.OK: R, Event.WAIT: W, Event.FAIL: R},
    W: {Event.DONE: R, Event.TIMED_OUT: R},
}
"""Any number of commands, one at a time; leaving is a submit."""

TESTS: Kind = {**COMMANDS, R: {**COMMANDS[R], Event.SKIP: R}}
"""Commands that wait for the end of what an earlier step began beside; a skip goes on without that, and stays here."""


def held_back(kind: Kind) -> Kind:
    """A call that waits where the device takes nothing at the moment, and is then made again, unless it is taken back
    before."""
    return {
        **kind,
        B: {**kind[B], Event.WAIT: W},
        W: {Event.DONE: B, Event.TIMED_OUT: R, Event.BACK: R},
    }


ANYWHERE: Kind = {
    R: {
        Event.BACK: PREVIOUS,
        Event.RESET: FIRST,
        Event.CHANGE_DEVICE: "changing-device",
        Event.ABANDON: "abandoned",
        Event.IDLE: "abandoned",
    },
    W: {Event.ABANDON: "abandoned", Event.IDLE: "abandoned"},
}
"""What every step allows, whatever its kind."""

OPENING: Mapping[str, Mapping[Event, str]] = {
    "checking": {Event.OK: ENTRY, Event.FAIL: "refused"},
    "changing-device": {Event.OK: FIRST, Event.FAIL: ENTRY},
}
"""The states before and between the steps: the device is asked, and the plan follows from its answer."""

ENDS = ("completed", "abandoned", "refused", "choose-type")


def edges_of(kind: Kind, step: str, *, may_skip: bool = False) -> dict[str, dict[Event, str]]:
    """State → event → target of one step, targets being states of this step, plan words or top states."""
    edges: dict[str, dict[Event, str]] = {}
    for phase in kind:
        found: dict[Event, str] = {}
        for event, target in {**kind[phase], **ANYWHERE.get(phase, {})}.items():
            found[event] = state_of(step, target) if isinstance(target, Phase) else target
        if may_skip and phase is R:
            found[Event.SKIP] = NEXT
        edges[state_of(step, phase)] = found
    return edges


def state_of(step: str, phase: Phase) -> str:
    """`step` when ready, else `step/phase`: one string on the wire, in the projection and in the chart."""
    return step if phase is R else f"{step}/{phase}"


def resolve_target(target: str, step: str, plan: Sequence[str], entry: str | None = None) -> str:
    """The state that a target means for one plan. After the last step comes `completed`, before the first `choose-type`."""
    if target == NEXT:
        after = plan.index(step) + 1
        return plan[after] if after < len(plan) else "completed"
    if target == PREVIOUS:
        before = plan.index(step) - 1
        return plan[before] if before >= 0 else "choose-type"
    if target == FIRST:
        return plan[0]
    if target == ENTRY:
        return entry if entry is not None and entry in plan else plan[0]
    return target
