"""Everybody at work while what the portal stands on fails (promises 1, 2, 14, 15): processes are paused, connections are slow,
held and cut, clocks are wrong, disks are full.

`python -m tests.faults.surroundings paused lines clocks disk` tries each in a portal of its own, prints its counts and its
seed, and ends with 1 when a promise was broken. The ledgers of the third parties judge, as they do of the kills.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import psycopg

from dev import ports
from dev.console import CannotStart, say
from dev.postgres import Cluster
from dev.processes import Ledger
from dev.servers import own_folder
from dev.stack import Stack
from tests.drivers.outside.lines import Line, a_line
from tests.faults.judges.judge import Verdict
from tests.faults.people.driver import Progress
from tests.faults.people.load import SHORT, Amount, Load, judged, listed
from tests.faults.troubles.expiries import expiries_hold
from tests.faults.troubles.ground import Ground, cannot_move, pause, resume
from tests.faults.troubles.killer import VICTIMS
from workflows.client import connect

AMOUNT = Amount(activations=8, orders=8, purchases=4, invoice_payments=4, firmware_runs=2)
"""Of the small run, which the test beside it does."""
REST_SECONDS = 3.0
"""Between two troubles: what waited goes on."""

OURS: tuple[str, ...] = ("worker", "api")
MOVED = (*OURS, "postgres")
THIRD_PARTIES = {
    "device network": ("DEVICE_CLOUD_URL", "device-cloud"),
    "ERP": ("ERP_URL", "erp"),
    "card provider": ("CARD_URL", "cards"),
    "gateway": ("GATEWAY_URL", "gateway"),
    "SMS": ("SMS_URL", "sms"),
}
"""Name → its setting, and the path of its stand-in."""
WEBHOOKS = {
    "PORTAL_WEBHOOK_URL": "device",
    "PORTAL_ERP_WEBHOOK_URL": "erp",
    "PORTAL_CARD_WEBHOOK_URL": "card",
    "PORTAL_BANK_WEBHOOK_URL": "bank",
}
SLOW_SECONDS = 1.5
"""For each piece on its way, there and back: within what a call is given by its client, beyond what a screen likes."""

MINUTES, DAY = timedelta(minutes=10), timedelta(hours=25)
OFF = (-DAY, -MINUTES, timedelta(), MINUTES, DAY)


@dataclass(frozen=True)
class Trouble:
    """`begin` brings it about, `end` takes it away; `look` notes meanwhile what is broken."""

    name: str
    begin: Callable[[], Awaitable[None]]
    end: Callable[[], Awaitable[None]]
    look: Callable[[Stack, Progress], Awaitable[None]] | None = None


_T = TypeVar("_T")
Troubles = tuple[Stack, Sequence[Trouble]]


@dataclass
class Report:
    """One run in numbers."""

    kind: str
    seed: int
    amount: Amount
    seconds: float
    progress: Progress
    verdict: Verdict
    troubles: Counter[str] = field(default_factory=Counter[str])
    restarted: Counter[str] = field(default_factory=Counter[str])
    """Who ended by itself and was started again, as whoever runs them in earnest does."""

    @property
    def faults(self) -> list[str]:
        return [*self.progress.broken, *self.verdict.faults]

    def lines(self) -> list[str]:
        return [
            f"{self.kind}, seed {self.seed}: {self.amount.line()},"
            f" {self.troubles.total()} troubles, {self.progress.steps} steps in {self.seconds:.0f} s",
            f"troubles: {listed(self.troubles)}",
            f"ended by itself and was started again: {listed(self.restarted)}",
            f"answers: {listed(self.progress.answers)}",
            f"judged: {listed(self.verdict.counts)}",
            *(f"FAULT {fault}" for fault in self.faults[:50]),
            f"{len(self.faults)} faults",
        ]


async def run(kind: str, amount: Amount, *, seconds: float, seed: int, state: Path) -> Report:
    """Each trouble of that kind for so many seconds, in random order, in a portal of its own."""
    begun, rng = time.monotonic(), random.Random(seed)
    restarted = Counter[str]()
    async with KINDS[kind](state, rng) as (running, troubles):
        await asyncio.to_thread(running.start_servers)
        await asyncio.to_thread(running.start_processes)
        load = Load(
            seed,
            running,
            (running.portal_url,),
            amount,
            over_seconds=len(troubles) * (seconds + REST_SECONDS),
            at_once=1_000,
        )
        keeping = asyncio.create_task(_keep_alive(running, restarted))
        try:
            await load.prepare()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(load.carry_out())
                await go_through(troubles, seconds, running, load.progress)
            await asyncio.to_thread(running.wait_ready)
            verdict = await judged(load, await connect(running.temporal_address))
        finally:
            keeping.cancel()
            await load.close()
    return Report(
        kind=kind,
        seed=seed,
        amount=amount,
        seconds=time.monotonic() - begun,
        progress=load.progress,
        verdict=verdict,
        troubles=Counter(trouble.name for trouble in troubles),
        restarted=restarted,
    )


async def go_through(
    troubles: Sequence[Trouble], seconds: float, running: Stack, progress: Progress
) -> None:
    for number, trouble in enumerate(troubles, start=1):
        await asyncio.sleep(REST_SECONDS)
        say(f"  {number} of {len(troubles)}: {trouble.name}")
        try:
            await trouble.begin()
            until = time.monotonic() + seconds
            if trouble.look is not None:
                await trouble.look(running, progress)
            await asyncio.sleep(max(0, until - time.monotonic()))
        finally:  # a stopped process is stopped by nobody else
            await trouble.end()


async def _keep_alive(running: Stack, restarted: Counter[str]) -> None:
    """Starts again who has ended by itself."""
    while True:
        for name, process in list(running.processes.items()):
            if not process.alive:
                restarted[name] += 1
                with suppress(CannotStart):  # tried again, for as long as it takes
                    await asyncio.to_thread(running.restart, name)
        await asyncio.sleep(0.5)


@asynccontextmanager
async def _a_portal(
    state: Path,
    chosen: ports.Ports,
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, Mapping[str, str]] | None = None,
) -> AsyncGenerator[Stack]:
    running = Stack(state, chosen, environment={**SHORT, **(environment or {})}, given=given)
    try:
        yield running
    finally:
        await asyncio.to_thread(running.stop)


@asynccontextmanager
async def paused(state: Path, rng: random.Random) -> AsyncGenerator[Troubles]:
    """Each process in turn sleeps, and goes on as if nothing had been."""
    async with _a_portal(state, ports.free()) as running:

        def of(name: str) -> Trouble:
            asleep = list[int]()

            async def begin() -> None:
                pid = running.processes[name].pid
                assert pid is not None
                asleep.extend(pause(pid))

            async def end() -> None:
                resume(asleep)

            return Trouble(f"{name} paused", begin, end)

        yield running, _mixed(rng, [of(name) for name in VICTIMS])


@asynccontextmanager
async def lines(state: Path, rng: random.Random) -> AsyncGenerator[Troubles]:
    """Every line of the portal is slow, is held, and is cut: to each third party, PostgreSQL and Temporal; and theirs to it."""
    chosen = ports.free()
    async with AsyncExitStack() as ends:
        drawn = dict[str, Line]()
        environment = dict[str, str]()
        for name, (setting, path) in THIRD_PARTIES.items():
            drawn[name] = await ends.enter_async_context(a_line(chosen.simulators))
            environment[setting] = f"http://127.0.0.1:{drawn[name].port}/{path}"
        drawn["mail"] = mail = await ends.enter_async_context(a_line(chosen.mail))
        environment |= {"MAIL_URL": f"smtp://127.0.0.1:{mail.port}", "MAIL_ENCRYPTION": "none"}
        drawn["temporal"] = server = await ends.enter_async_context(a_line(chosen.temporal))
        drawn["postgres"] = store = await ends.enter_async_context(a_line(chosen.postgres))
        drawn["webhooks"] = ours = await ends.enter_async_context(a_line(chosen.portal))
        environment |= {
            setting: f"http://127.0.0.1:{ours.port}/v1/webhooks/{path}"
            for setting, path in WEBHOOKS.items()
        }
        near = {
            "DATABASE_URL": Cluster(state, store.port, Ledger(state / "processes.json")).app_url,
            "TEMPORAL_ADDRESS": f"127.0.0.1:{server.port}",
        }
        given = dict.fromkeys(OURS, near)
        running = await ends.enter_async_context(_a_portal(state, chosen, environment, given))
        yield (
            running,
            _mixed(
                rng,
                [
                    trouble
                    for name, line in drawn.items()
                    for trouble in (_slow(name, line), _held(name, line), _cut(name, line))
                ],
            ),
        )


def _slow(name: str, line: Line) -> Trouble:
    async def begin() -> None:
        line.delay = SLOW_SECONDS

    return Trouble(f"{name} slow", begin, _mending(line))


def _held(name: str, line: Line) -> Trouble:
    async def begin() -> None:
        line.open.clear()

    return Trouble(f"{name} held", begin, _mending(line))


def _cut(name: str, line: Line) -> Trouble:
    async def begin() -> None:
        line.cut()

    return Trouble(f"{name} cut", begin, _mending(line))


def _mending(line: Line) -> Callable[[], Awaitable[None]]:
    async def end() -> None:
        line.mend()

    return end


@asynccontextmanager
async def clocks(state: Path, rng: random.Random) -> AsyncGenerator[Troubles]:
    """Worker, API and PostgreSQL each have another time, ten minutes and 25 hours off, behind and ahead.

    Those of worker and API leap either way, and are true when they start and at the end: an API whose clock is ahead calls
    itself not ready. PostgreSQL's only ever leaps ahead: what it dated a day ahead it would take a day to come to.
    """
    ground = Ground(state)
    given = ground.under(*MOVED)
    by_process = {name: _mixed(rng, OFF) for name in OURS} | {"postgres": OFF}
    stages = [{name: by_process[name][n] for name in MOVED} for n in range(len(OFF))]
    ground.set_clock("postgres", OFF[0].total_seconds())
    async with _a_portal(state, ports.free(), given=given) as running:

        def of(stage: dict[str, timedelta]) -> Trouble:
            async def begin() -> None:
                for name, off in stage.items():
                    ground.set_clock(name, off.total_seconds())

            async def end() -> None:
                for name in OURS:
                    ground.set_clock(name, 0)

            told = (f"{name} {off.total_seconds() / 3600:+.1f} h" for name, off in stage.items())
            return Trouble(", ".join(told), begin, end, expiries_hold)

        yield running, [of(stage) for stage in stages]


@asynccontextmanager
async def disk(state: Path, rng: random.Random) -> AsyncGenerator[Troubles]:
    """Nothing can be written any more by PostgreSQL, nor by it into new WAL, by worker and API, by all of them."""
    ground = Ground(state)
    async with _a_portal(state, ports.free(), given=ground.under(*MOVED)) as running:

        def of(names: Sequence[str], *, new_wal: bool = False) -> Trouble:
            async def begin() -> None:
                for name in names:
                    ground.fill_disk(name, True)
                if new_wal:
                    await asyncio.to_thread(_use_up_wal, running)

            async def end() -> None:
                for name in names:
                    ground.fill_disk(name, False)

            what = " and ".join(names) + (" down to the last WAL" if new_wal else "")
            return Trouble(f"no room for {what}", begin, end)

        tried = [of(("postgres",)), of(("postgres",), new_wal=True), of(OURS), of(MOVED)]
        yield running, _mixed(rng, tried)


def _use_up_wal(running: Stack) -> None:
    """Segments that were made ahead are begun one after another, until there is none."""
    assert running.cluster is not None
    with (
        suppress(psycopg.Error),
        psycopg.connect(running.cluster.admin_url, autocommit=True, connect_timeout=5) as admin,
    ):
        for _ in range(64):
            admin.execute("select pg_switch_wal(), pg_logical_emit_message(false, 'room', 'none')")


def _mixed(rng: random.Random, of: Sequence[_T]) -> list[_T]:
    return rng.sample(of, len(of))


KINDS = {"paused": paused, "lines": lines, "clocks": clocks, "disk": disk}
SECONDS = {"paused": 60.0, "lines": 8.0, "clocks": 30.0, "disk": 20.0}
"""How long each trouble lasts at full size."""
PRELOADED = ("clocks", "disk")
"""Those that need a library in front of our processes."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.surroundings", description=__doc__
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all")
    parser.add_argument("--times", type=float, default=10, help="the small run")
    parser.add_argument("--seconds", type=float, help="each trouble; else as long as its kind has")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    options = parser.parse_args()
    faults = 0
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"there is no {', '.join(sorted(unknown))}: the kinds are {', '.join(KINDS)}")
    for kind in options.kinds or KINDS:
        why = cannot_move() if kind in PRELOADED else ""
        if why:
            say(f"{kind}: skipped, {why}")
            continue
        amount = AMOUNT.times(options.times)
        say(f"{kind}, seed {options.seed}: {amount.line()}")
        with own_folder() as folder:
            report = asyncio.run(
                run(
                    kind,
                    amount,
                    seconds=options.seconds or SECONDS[kind],
                    seed=options.seed,
                    state=folder,
                )
            )
        say("\n".join(report.lines()))
        faults += len(report.faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
