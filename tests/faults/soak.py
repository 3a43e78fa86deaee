"""Steady work for hours (promise 20): what API and worker hold afterwards is what they held once they were warm.

`python -m tests.faults.soak --minutes 120` warms the portal up, rests, measures memory, files and connections of both, works
on at a steady pace with people looking around, rests, and measures again. The ledgers judge what came of the work.
"""

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from dev import ports
from dev.console import say
from dev.servers import own_folder
from dev.stack import Stack
from dev.status import MEGABYTE, memory_of
from tests.faults.crowd import ENVIRONMENT, OPENED_EACH, Visitor, failures_of, some_people
from tests.faults.judges.judge import Verdict
from tests.faults.people.driver import Browser, Progress
from tests.faults.people.load import Amount, Load, judged, listed
from workflows.client import connect

WATCHED = ("api", "worker")
A_MINUTE = Amount(activations=4, orders=4, purchases=3, invoice_payments=2, firmware_runs=1)
WARM_MINUTES = 5
VISITORS = 20
REST_SECONDS = 30.0
LOOKS = 5
GROWTH, SLACK = 1.1, 12 * MEGABYTE
"""What memory may grow by: that factor, and as many bytes as one and the same process differs by from look to look."""
MORE_CONNECTIONS = 4
"""A pool that was not full at first may fill."""
TOLD_EVERY_SECONDS = 300.0


@dataclass(frozen=True)
class Held:
    """By one process at one moment: bytes, and what it has open."""

    memory: int
    open: Counter[str]

    def line(self) -> str:
        return f"{self.memory / MEGABYTE:.0f} MB, {listed(self.open)}"


@dataclass
class Report:
    """One soak in numbers. `early` and `late` are by process."""

    seed: int
    amount: Amount
    seconds: float
    early: dict[str, Held]
    late: dict[str, Held]
    loads: Sequence[Load]
    verdicts: Sequence[Verdict]
    visited: Progress

    @property
    def faults(self) -> list[str]:
        found = list(chain(*(load.progress.broken for load in self.loads), self.visited.broken))
        found += chain(*(verdict.faults for verdict in self.verdicts))
        for name, late in self.late.items():
            early = self.early[name]
            if late.memory > early.memory * GROWTH + SLACK:
                found.append(f"{name} grew: {early.line()} became {late.line()}")
            found += [
                f"{name} holds {count} {what}, and held {early.open[what]}"
                for what, count in late.open.items()
                if count > early.open[what] + MORE_CONNECTIONS
            ]
        return found

    def lines(self) -> list[str]:
        return [
            f"seed {self.seed}: {self.amount.line()} in {self.seconds:.0f} s",
            *(
                f"{name}: {self.early[name].line()}; later {late.line()}"
                for name, late in self.late.items()
            ),
            f"answers: {listed(self.loads[-1].progress.answers)}; visitors {listed(self.visited.answers)}",
            *(f"judged: {listed(verdict.counts)}" for verdict in self.verdicts),
            *(f"FAULT {fault}" for fault in self.faults[:50]),
            f"{len(self.faults)} faults",
        ]


async def run(
    warm: Amount, amount: Amount, *, over_seconds: float, visitors: int, seed: int, state: Path
) -> Report:
    """In a portal of its own. `over_seconds` 0: as fast as it goes."""
    begun = time.monotonic()
    running = Stack(state, ports.free(), environment=ENVIRONMENT)
    try:
        await asyncio.to_thread(running.start_servers)
        await asyncio.to_thread(running.start_processes)
        return await _run_on(running, warm, amount, over_seconds, visitors, seed, begun)
    finally:
        await asyncio.to_thread(running.stop)


async def _run_on(
    running: Stack,
    warm: Amount,
    amount: Amount,
    over_seconds: float,
    visitors: int,
    seed: int,
    begun: float,
) -> Report:
    visited, temporal = Progress(), await connect(running.temporal_address)
    opened = warm.activations + amount.activations
    hours = max(over_seconds / 3600, 1)
    people = await some_people(
        running.database_url, max(visitors, round(opened / OPENED_EACH / hours) + 1)
    )
    begin = partial(Load, seed, running, (running.portal_url,), installers=people, at_once=16)
    loads = (
        begin(warm, over_seconds=over_seconds and WARM_MINUTES * 60),
        begin(
            amount,
            over_seconds=over_seconds,
            first_device=warm.activations + warm.firmware_runs,
            first_buyer=40,
        ),
    )
    looking = [
        Visitor(
            Browser(running.portal_url, email, visited, address=f"11.0.0.{n}"),
            visited,
            random.Random(f"{seed} {n}"),
        )
        for n, (email, _) in enumerate(people[:visitors])
    ]
    tasks: list[asyncio.Task[None]] = [asyncio.create_task(_report(running))]
    held: list[dict[str, Held]] = []
    verdicts: list[Verdict] = []
    try:
        for visitor in looking:
            await visitor.browser.sign_in()
            tasks.append(asyncio.create_task(visitor.look_around()))
        for load in loads:
            await load.prepare()
            await load.carry_out()
            verdicts.append(await judged(load, temporal))
            held.append(await _at_rest(running))
    finally:
        for task in tasks:
            task.cancel()
        visited.broken += await failures_of(tasks)
        for browser in (
            *(one.browser for one in looking),
            *chain(*(one.browsers for one in loads)),
        ):
            await browser.close()
    early, late = held
    seconds = time.monotonic() - begun
    return Report(seed, amount, seconds, early, late, loads, verdicts, visited)


async def _at_rest(running: Stack) -> dict[str, Held]:
    """The median of a few looks, once nothing has been begun for a while."""
    looks: list[dict[str, Held]] = []
    for _ in range(LOOKS):
        await asyncio.sleep(REST_SECONDS / LOOKS)
        looks.append(held_by(running))
    return {
        name: Held(
            round(statistics.median(look[name].memory for look in looks)),
            Counter(
                {
                    what: round(statistics.median(look[name].open[what] for look in looks))
                    for what in looks[-1][name].open
                }
            ),
        )
        for name in WATCHED
    }


def held_by(running: Stack) -> dict[str, Held]:
    """Name → memory, connections to PostgreSQL and Temporal, and all open files, of a Linux process."""
    named = {running.ports.postgres: "to PostgreSQL", running.ports.temporal: "to Temporal"}
    pids = running.pids()
    return {name: Held(memory_of(pids[name]), _opened(pids[name], named)) for name in WATCHED}


def _opened(pid: int, named: dict[int, str]) -> Counter[str]:
    """Sockets by the port at their far end."""
    far = dict[str, int]()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            far[f"socket:[{fields[9]}]"] = int(fields[2].rpartition(":")[2], 16)
    opened = Counter[str]()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            opened["files"] += 1
            what = named.get(far.get(str(file.readlink()), 0))
            if what:
                opened[what] += 1
    return opened


async def _report(running: Stack) -> None:
    while True:
        for name, held in held_by(running).items():
            say(f"  {name}: {held.line()}")
        await asyncio.sleep(TOLD_EVERY_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--visitors", type=int, default=VISITORS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    options = parser.parse_args()
    amount = A_MINUTE.times(options.minutes)
    say(f"seed {options.seed}: {amount.line()} in {options.minutes:g} minutes")
    with own_folder() as folder:
        report = asyncio.run(
            run(
                A_MINUTE.times(WARM_MINUTES),
                amount,
                over_seconds=options.minutes * 60,
                visitors=options.visitors,
                seed=options.seed,
                state=folder,
            )
        )
    say("\n".join(report.lines()))
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
