"""Runs that together take every edge of one plan's chart, planned from the chart alone.

A run rests where it waits for a person, a device or time; `busy` is passed through. So a move is one edge, or an edge
into `busy` with the result that leads out again. Moves that end a run are left for last, one run for each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from domain.flows.engine import ENDS, OPENING
from tests.conformance.xstate import Table

BEFORE = "checking"


@dataclass(frozen=True)
class Move:
    """From one resting state to the next: `events` is what happens, one or two of the chart's."""

    source: str
    events: tuple[str, ...]
    target: str

    @property
    def ends(self) -> bool:
        return self.target in ENDS

    @property
    def slow(self) -> bool:
        """A device's log that overtakes the answer to its command needs an answer that is lost first."""
        return self.overtaken or self.times_out

    @property
    def by_time(self) -> bool:
        return self.events[0] in ("TIMED_OUT", "IDLE")

    @property
    def times_out(self) -> bool:
        return self.events == ("TIMED_OUT",)

    @property
    def overtaken(self) -> bool:
        return self.source in ("verify-connection", "device-testing") and self.events[1:] == ("OK",)

    @property
    def states(self) -> tuple[str, ...]:
        """Where the run passes, its source left out."""
        if len(self.events) == 1:
            return (self.target,)
        return (_passing(self.source, self.events[0]), self.target)


Tour = tuple[Move, ...]


def moves(tables: Mapping[str, Table]) -> tuple[Move, ...]:
    """Every move of one plan; `tables` by the step at which a run enters."""
    first = next(iter(tables.values()))
    found = [Move(BEFORE, ("OK",), entry) for entry in tables]
    found.append(Move(BEFORE, ("FAIL",), first.states[BEFORE]["FAIL"]))
    for state, to in first.states.items():
        if _passes(state):
            continue
        for event, target in to.items():
            if not _passes(target):
                found.append(Move(state, (event,), target))
                continue
            through = tables[state] if target in OPENING else first
            found += [
                Move(state, (event, result), end) for result, end in through.states[target].items()
            ]
    return tuple(found)


def _passes(state: str) -> bool:
    return state.endswith("/busy") or state in OPENING


def _passing(source: str, event: str) -> str:
    return "changing-device" if event == "CHANGE_DEVICE" else f"{source.partition('/')[0]}/busy"


def tours(every: tuple[Move, ...]) -> Iterator[Tour]:
    """Greedy: one run on and on to the nearest move not yet taken; then a run for each deadline, and for each end."""
    ends = {move for move in every if move.ends}
    deadlines = {move for move in every if move.times_out}
    plain = set(every) - ends - deadlines
    yield from _with_goals(every, plain, ends)
    for deadline in sorted(deadlines, key=str):
        yield from _with_goals(every, {deadline}, ends)
    while ends:
        yield from _with_goals(every, set(), ends)


def _with_goals(every: tuple[Move, ...], goals: set[Move], ends: set[Move]) -> Iterator[Tour]:
    """Runs that reach every goal, each ended by an end that is still missing, if one is left. Empties both."""
    tour: list[Move] = []
    at = BEFORE
    # Who waits to be abandoned for idleness has no time for anything else.
    fitting = {move for move in ends if not (goals and move.by_time)}
    while at not in ENDS:
        path = _nearest(every, at, goals) or _nearest(every, at, fitting)
        assert path is not None
        goals -= set(path)
        ends -= set(path)
        tour += path
        at = tour[-1].target
    yield tuple(tour)
    if goals:
        yield from _with_goals(every, goals, ends)


def _nearest(every: tuple[Move, ...], at: str, wanted: set[Move]) -> list[Move] | None:
    """The cheapest way to a wanted move, that move included; only the last may end the run."""
    ways: dict[str, list[Move]] = {}
    order = count()
    queue: list[tuple[int, int, str, list[Move]]] = [(0, next(order), at, [])]
    while queue:
        cost, _, state, way = heappop(queue)
        if state in ways:
            continue
        ways[state] = way
        for move in every:
            if move.source != state:
                continue
            if move in wanted:
                return [*way, move]
            if not move.ends:
                dear = 5 if move.slow else 1
                heappush(queue, (cost + dear, next(order), move.target, [*way, move]))
    return None
