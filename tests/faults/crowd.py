"""Many people at once (promises 17, 18 and 20): some look around, some order, some activate, and then a thousand devices are
begun within a minute.

`python -m tests.faults.crowd` has 300 people look around, 20 orders a minute and 200 live activations for five minutes, then
begins 1,000 activations in 60 s; `--times 5` does five times as much of it. Whatever comes is answered rightly, or by a 429
or a 503 that says when to come back, and the ledgers judge what came of it. How long answers took is printed everywhere, and
judged where the goals were set: with 4 cores and more.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import httpx
import psycopg

from bench import orders as past
from bench import partners
from bench.measuring import percentile
from db.base import Sessions, make_engine, make_sessions
from dev import ports
from dev.console import say, step
from dev.servers import own_folder
from dev.stack import Stack
from tests.drivers.factories import a_dealer, an_owner
from tests.faults.judges.judge import Verdict
from tests.faults.people.driver import Browser, Progress, Stuck
from tests.faults.people.load import SHORT, Amount, Load, judged, listed
from workflows.client import connect

ENVIRONMENT = {**SHORT, "TRUSTED_PROXIES": '["127.0.0.1"]'}
"""Everybody comes from an address of their own, as a proxy says."""
OPENED_EACH = 40
"""Devices that one installer begins at most: more in an hour are not let."""
THINK_SECONDS = (8.0, 20.0)
"""How long a page is looked at."""
SEARCHED = ("remote", "starter", "alarm", "harness", "antenna", "module", "camera", "t-harness")
NAMED = ("aurora", "beacon audio", "north", "falcon remote", "bay", "granite")
REP = "owen.clarke@turnkey.example"
REPS = 10
"""Who sees all businesses, where there are many."""
CAMRY = {"makeId": 448, "modelId": 2469}
FIRST_YEAR, LAST_YEAR = 2019, 2022
JUDGED_CORES = 4
GOALS = (("read", 0.95, 0.3), ("write", 0.95, 0.8), ("read", 0.99, 2.0), ("write", 0.99, 2.0))
"""Kind, share of the answers, seconds."""
LONGEST_SECONDS = 4.0
"""Shop spec: a screen waits no longer."""


@dataclass(frozen=True)
class Size:
    people: int = 300
    minutes: float = 5
    orders_a_minute: int = 20
    live: int = 200
    """Activations that are under way all the time."""
    burst: int = 1_000
    """Activations that are begun one after another within `burst_seconds`."""
    burst_seconds: float = 60
    products: int = 0
    partners: int = 0
    """Of the catalogue and of the businesses; 0: those of the demo data."""
    past_orders: int = 0
    """Of years ago, of all businesses."""

    def times(self, factor: int) -> "Size":
        return Size(
            people=self.people * factor,
            minutes=self.minutes,
            orders_a_minute=self.orders_a_minute * factor,
            live=self.live * factor,
            burst=self.burst * factor,
            burst_seconds=self.burst_seconds,
            products=self.products,
            partners=self.partners,
            past_orders=self.past_orders,
        )

    def line(self) -> str:
        return (
            f"{self.people} people looking around, {self.orders_a_minute} orders a minute and {self.live} live activations"
            f" for {self.minutes:g} minutes, then {self.burst} activations begun in {self.burst_seconds:g} s"
        )


class Visitor:
    """Somebody who looks at one page after another, with live events open."""

    def __init__(self, browser: Browser, progress: Progress, chance: random.Random) -> None:
        self.browser = browser
        self._progress = progress
        self._chance = chance

    async def look_around(self) -> None:
        """For ever. What is not found is noted as broken."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self.browser.follow("session:me"))
                tasks.create_task(self._turn_pages())
        except* Stuck as stuck:
            self._progress.broken += [str(one) for one in stuck.exceptions]

    async def _turn_pages(self) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(*THINK_SECONDS))
            answer = await self._page()
            if answer.status_code != 200:
                self._progress.broken.append(f"{answer.request.url.path}: {answer.status_code}")

    async def _page(self) -> httpx.Response:
        match self._chance.randrange(6):
            case 0:
                return await self.browser.get("/v1/activations")
            case 1:
                return await self.browser.get("/v1/start-page")
            case 2:
                year = self._chance.randint(FIRST_YEAR, LAST_YEAR)
                return await self.browser.ask(
                    "/api/internal-vehicle-wiring", {"year": year, **CAMRY}
                )
            case 3:
                return await self.browser.ask("/api/order-transactions", {"page": 1, "limit": 20})
            case _:
                typed = self._chance.choice(SEARCHED)
                body = {"limit": 24, "searchTerm": typed, "page": self._chance.randint(1, 3)}
                return await self.browser.ask("/api/search-products", body)


class Rep(Visitor):
    """Looks for one business after another, among all."""

    async def _page(self) -> httpx.Response:
        body = {"limit": 100, "search": self._chance.choice(NAMED)}
        return await self.browser.ask("/api/business-partners", body)


@dataclass
class Report:
    """One run in numbers."""

    seed: int
    size: Size
    seconds: float
    loads: Sequence[Load]
    verdicts: Sequence[Verdict]
    progress: Progress
    """Of those who look around."""

    @property
    def faults(self) -> list[str]:
        broken = [*self.progress.broken, *chain(*(load.progress.broken for load in self.loads))]
        return [*broken, *chain(*(verdict.faults for verdict in self.verdicts))]

    def waits(self, kind: str) -> list[float]:
        return list(chain(*(one.waits[kind] for one in self._all)))

    def lines(self) -> list[str]:
        answers = [listed(one.answers) for one in self._all]
        return [
            f"seed {self.seed}: {self.size.line()}, in {self.seconds:.0f} s",
            *(f"answers: {one}" for one in answers),
            f"live events: {sum(one.events for one in self._all)}",
            *(f"judged: {listed(verdict.counts)}" for verdict in self.verdicts),
            *(self._waits_line(kind) for kind in ("read", "write")),
            *(f"{'FAULT' if self._is_judged else 'not judged here:'} {one}" for one in self.missed),
            *(f"FAULT {fault}" for fault in self.faults[:50]),
            f"{len(self.faults) + len(self.missed) * self._is_judged} faults",
        ]

    @property
    def is_bad(self) -> bool:
        return bool(self.faults or (self._is_judged and self.missed))

    @property
    def missed(self) -> list[str]:
        """Goals of how long answers may take."""
        found: list[str] = []
        for kind, share, goal in GOALS:
            took = percentile(self.waits(kind) or [0.0], share)
            if took > goal:
                found.append(f"p{share * 100:.0f} of {kind}s is {took * 1000:.0f} ms")
        late = sum(
            wait > LONGEST_SECONDS for kind in ("read", "write") for wait in self.waits(kind)
        )
        silent = sum(one.answers["no answer"] for one in self._all)
        found += [f"{late} answers took over {LONGEST_SECONDS:g} s"] if late else []
        return [*found, *([f"{silent} requests had no answer at all"] if silent else [])]

    @property
    def _all(self) -> list[Progress]:
        return [self.progress, *(load.progress for load in self.loads)]

    @property
    def _is_judged(self) -> bool:
        return (os.cpu_count() or 1) >= JUDGED_CORES

    def _waits_line(self, kind: str) -> str:
        waits = self.waits(kind) or [0.0]
        shares = ", ".join(
            f"p{s * 100:g} {percentile(waits, s) * 1000:.0f} ms" for s in (0.5, 0.95, 0.99)
        )
        return f"{len(waits)} {kind}s: {shares}, longest {max(waits):.1f} s"


async def run(size: Size, *, seed: int, state: Path) -> Report:
    """In a portal of its own."""
    begun = time.monotonic()
    running = Stack(state, ports.free(), environment=ENVIRONMENT)
    try:
        await asyncio.to_thread(running.start_servers)
        await asyncio.to_thread(running.start_processes)
        await _fill(running, size)
        return await _run_on(running, size, seed, begun)
    finally:
        await asyncio.to_thread(running.stop)


async def _fill(running: Stack, size: Size) -> None:
    if size.products:
        seeding = f"python -m db.seed --force --products {size.products}"
        with step(f"Adding products until there are {size.products}"):
            await asyncio.to_thread(running.run, seeding)
    if size.partners:
        owner_url = running.migrations_database_url
        async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database:
            await partners.fill(database, size.partners)
    if size.past_orders:
        owner_url = running.migrations_database_url
        with step(f"Adding {size.past_orders} orders of years ago"):
            async with await psycopg.AsyncConnection.connect(
                owner_url, autocommit=True
            ) as database:
                await past.fill(database, size.past_orders)


async def _run_on(running: Stack, size: Size, seed: int, begun: float) -> Report:
    progress, temporal = Progress(), await connect(running.temporal_address)
    seconds = size.minutes * 60
    needed = -(-max(size.live, size.burst) // OPENED_EACH)
    people = await some_people(running.database_url, max(size.people, 2 * needed))
    begin = partial(Load, seed, running, (running.portal_url,), at_once=1_000_000)
    live = begin(
        Amount(activations=size.live),
        over_seconds=seconds / 10,
        installers=people[:needed],
        think=seconds / 10,
    )
    orders = begin(
        Amount(orders=round(size.orders_a_minute * size.minutes)),
        buyers=max(20, size.orders_a_minute),
        over_seconds=seconds,
    )
    burst = begin(
        Amount(activations=size.burst),
        over_seconds=size.burst_seconds,
        installers=people[-needed:],
        first_device=size.live,
    )
    loads = (live, orders, burst)
    looked_at = [(Visitor, email) for email, _ in people[: size.people]]
    looked_at += [(Rep, REP)] * (REPS if size.partners else 0)
    visitors = [
        kind(
            Browser(running.portal_url, email, progress, address=f"11.0.{n // 250}.{n % 250}"),
            progress,
            random.Random(f"{seed} {n}"),
        )
        for n, (kind, email) in enumerate(looked_at)
    ]
    verdicts: list[Verdict] = []
    looking: list[asyncio.Task[None]] = []
    try:
        for visitor in visitors:
            await visitor.browser.sign_in()
            looking.append(asyncio.create_task(visitor.look_around()))
        for together in ((live, orders), (burst,)):
            for load in together:
                await load.prepare()
            await asyncio.gather(*(load.carry_out() for load in together))
            verdicts += [await judged(load, temporal) for load in together]
    finally:
        for task in looking:
            task.cancel()
        progress.broken += await failures_of(looking)
        for browser in (
            *(one.browser for one in visitors),
            *chain(*(load.browsers for load in loads)),
        ):
            await browser.close()
    return Report(seed, size, time.monotonic() - begun, loads, verdicts, progress)


async def failures_of(ended: Sequence[asyncio.Task[None]]) -> list[str]:
    """What tasks that were cancelled had failed of before."""
    ends = await asyncio.gather(*ended, return_exceptions=True)
    return [
        repr(end)
        for end in ends
        if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError)
    ]


async def some_people(database_url: str, count: int) -> list[tuple[str, str]]:
    """Owners, who see orders too, ten of each dealer. Address and dealer."""
    engine = make_engine(database_url)
    sessions: Sessions = make_sessions(engine)
    made: list[tuple[str, str]] = []
    for _ in range(-(-count // 10)):
        dealer = await a_dealer(sessions)
        made += [((await an_owner(sessions, dealer)).email, dealer.id) for _ in range(10)]
    await engine.dispose()
    return made[:count]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.crowd", description=__doc__)
    parser.add_argument("--people", type=int, default=Size.people)
    parser.add_argument("--minutes", type=float, default=Size.minutes)
    parser.add_argument("--orders", type=int, default=Size.orders_a_minute, help="a minute")
    parser.add_argument("--live", type=int, default=Size.live, help="activations at once")
    parser.add_argument("--burst", type=int, default=Size.burst, help="activations within a minute")
    parser.add_argument("--times", type=int, default=1, help="so much of everything")
    parser.add_argument("--products", type=int, default=0)
    parser.add_argument("--partners", type=int, default=0)
    parser.add_argument("--past-orders", type=int, default=0, help="of years ago")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    options = parser.parse_args()
    size = Size(
        people=options.people,
        minutes=options.minutes,
        orders_a_minute=options.orders,
        live=options.live,
        burst=options.burst,
        products=options.products,
        partners=options.partners,
        past_orders=options.past_orders,
    ).times(options.times)
    say(f"seed {options.seed}: {size.line()}")
    with own_folder() as folder:
        report = asyncio.run(run(size, seed=options.seed, state=folder))
    say("\n".join(report.lines()))
    sys.exit(report.is_bad)


if __name__ == "__main__":
    main()
