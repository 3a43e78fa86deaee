"""Runs that together take every edge of one plan's chart, planned from the chart alone.

A run rests where it waits for a person, a device or time; `busy` is passed through. So a move is one edge, or an edge
into `busy` with the results that lead out again. A run goes on while something new is near, and ends at an end that is
still missing: so histories stay as long as those of people who hesitate, and no longer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from domain.devices.option_tables import REQUERY_LIMIT
from domain.runs.engine import ENDS, OPENING
from tests.conformance.xstate import Table

BEFORE = "checking"
AGAIN = "AGAIN"

NEAR = 3
"""What the way to a new move may cost before a new run is the shorter one."""
LONGEST = 30
"""Moves of one run, after which it goes to its end."""

LISTENING = ("verify-connection", "device-configuration", "device-testing")
"""Steps that wait for the log of a command."""


@dataclass(frozen=True)
class Move:
    """From one resting state to the next: `events` is what happens, the first of them and then results."""

    source: str
    events: tuple[str, ...]
    target: str

    @property
    def ends(self) -> bool:
        return self.target in ENDS

    @property
    def cost(self) -> int:
        """A device's log that overtakes the answer to its command needs an answer that is lost first."""
        return 5 if self.overtaken or self.times_out else 2 if self.events == ("SKIP",) else 1

    @property
    def by_time(self) -> bool:
        return self.events[0] in ("TIMED_OUT", "IDLE")

    @property
    def times_out(self) -> bool:
        return self.events == ("TIMED_OUT",)

    @property
    def overtaken(self) -> bool:
        asks = self.source in LISTENING and self.events[0] in ("SUBMIT", "ACT")
        return asks and self.results == ("OK",)

    @property
    def takes_back(self) -> bool:
        """A form that the device was awaited for."""
        return self.events == ("BACK",) and self.source.endswith("/waiting")

    @property
    def results(self) -> tuple[str, ...]:
        return self.events[1:]

    @property
    def goes_on(self) -> bool:
        """What a person does for whom all goes well."""
        well = not ({AGAIN, "FAIL"} & set(self.events) or self.overtaken)
        return well and self.events[0] in ("SUBMIT", "ACT", "DONE")

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
                Move(state, (event, *results), end)
                for results, end in _ways_out(through.states[target])
            ]
    return tuple(found)


def _ways_out(results: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each result with its target. One that repeats the call is followed by a success, and up to the last repetition by
    a failure."""
    for result, end in results.items():
        if result == AGAIN:
            yield (AGAIN, "OK"), results["OK"]
            yield (*[AGAIN] * REQUERY_LIMIT, "FAIL"), results["FAIL"]
        else:
            yield (result,), end


def _passes(state: str) -> bool:
    return state.endswith("/busy") or state in OPENING


def _passing(source: str, event: str) -> str:
    return "changing-device" if event == "CHANGE_DEVICE" else f"{source.partition('/')[0]}/busy"


def tours(every: tuple[Move, ...], known: frozenset[Move] = frozenset()) -> Iterator[Tour]:
    """Runs that take all moves but those that are `known`: the plain ones, then a run for each deadline and each end."""
    wanted = set(every) - known
    ends = {move for move in wanted if move.ends}
    deadlines = {move for move in wanted if move.times_out}
    plain = wanted - ends - deadlines
    while plain:
        yield _a_tour(every, plain, ends)
    while deadlines:
        yield _a_tour(every, {deadlines.pop()}, ends)
    while ends:
        yield _a_tour(every, set(), ends)


def whole_walk(every: tuple[Move, ...]) -> Tour:
    """One run from the first step to the last, with something done at each; what can only be skipped is skipped."""
    left_by_submit = {move.source for move in every if move.events[0] == "SUBMIT"}
    skipped = {
        move for move in every if move.events == ("SKIP",) and move.source not in left_by_submit
    }
    doing = tuple(
        sorted(
            (move for move in every if move.goes_on or move in skipped),
            key=lambda move: move.events[0] != "ACT",
        )
    )
    way, ends = [every[0]], {move for move in doing if move.ends}
    wanted = set(doing) - ends
    while path := _nearest(doing, way[-1].target, wanted):
        wanted -= set(path)
        way += path
    last = _nearest(doing, way[-1].target, ends)
    assert last is not None
    return (*way, *last)


def _a_tour(every: tuple[Move, ...], goals: set[Move], ends: set[Move]) -> Tour:
    """One run that reaches some goals and an end, one that is still missing if there is one near. Takes both out."""
    tour: list[Move] = []
    # Who waits to be abandoned for idleness has no time for anything else.
    fitting = {move for move in ends if not (goals and move.by_time)}
    while goals and len(tour) < LONGEST:
        path = _nearest(every, tour[-1].target if tour else BEFORE, goals)
        if path is None or (tour and sum(move.cost for move in path) > NEAR):
            break
        goals -= set(path)
        tour += path
    at = tour[-1].target if tour else BEFORE
    path = _nearest(every, at, fitting)
    if path is None or (tour and sum(move.cost for move in path) > NEAR):
        path = _nearest(every, at, {move for move in every if move.ends and not move.by_time})
    assert path is not None
    goals -= set(path)
    ends -= set(path)
    return (*tour, *path)


def _nearest(every: tuple[Move, ...], at: str, wanted: set[Move]) -> list[Move] | None:
    """The cheapest way to a wanted move, that move included; only the last may end the run."""
    known: set[str] = set()
    order = count()
    queue: list[tuple[int, int, str, list[Move]]] = [(0, next(order), at, [])]
    while queue:
        cost, _, state, way = heappop(queue)
        if way and way[-1] in wanted:
            return way
        if state in known:
            continue
        known.add(state)
        for move in every:
            if move.source == state and (move in wanted or not move.ends):
                heappush(queue, (cost + move.cost, next(order), move.target, [*way, move]))
    return None
