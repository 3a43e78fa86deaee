"""Strikes at random moments of the work: processes of a stack are killed as by crashes and started again, runs that hold money are
terminated, the database hangs, third parties are away."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import httpx
from temporalio.client import Client, WorkflowExecution
from temporalio.service import RPCError

from dev.stack import Stack
from domain.kinds import CASE, INVOICE_PAYMENT, PLACEMENT, PURCHASE
from tests.faults.people.driver import Progress
from tests.faults.troubles.ground import pause, resume
from workflows.client import connect

VICTIMS = ("worker", "api", "temporal", "postgres")
SHORTEST_OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS = 0.1, 3.0
HUNG = "postgres hangs"
HANG_SECONDS = 10.0
RUNS = {f"{kind.name} terminated": kind for kind in (PURCHASE, PLACEMENT, INVOICE_PAYMENT, CASE)}
LOOKS_FOR_A_RUN_SECONDS = 30.0
AWAY = {
    "cards away": "cards/_control",
    "gateway away": "gateway/_control",
    "ERP away": "erp/_knobs",
    "device network away": "device-cloud/_control",
}
"""Strike → where the stand-in is told."""
SHORTEST_AWAY_SECONDS, LONGEST_AWAY_SECONDS = 2.0, 8.0


@dataclass(frozen=True)
class Strike:
    """After so many steps of all installers together the victim dies, hangs or is away, for so many seconds."""

    after_steps: int
    victim: str
    seconds: float


def amounts(each: int) -> dict[str, int]:
    """Victim → how often, where every process is killed `each` times."""
    fewer = {
        **dict.fromkeys(RUNS, each // 2),
        **dict.fromkeys((HUNG, *AWAY), each // 3),
    }
    return {
        **dict.fromkeys(VICTIMS, each),
        **{victim: max(1, times) for victim, times in fewer.items()},
    }


def strikes(seed: int, each: int, steps: int) -> list[Strike]:
    """In random order, spread over the first nine tenths of the expected steps."""
    rng = random.Random(seed)
    victims = [victim for victim, times in amounts(each).items() for _ in range(times)]
    rng.shuffle(victims)
    marks = sorted(rng.randint(steps // 50, steps * 9 // 10) for _ in victims)
    return [
        Strike(mark, victim, _seconds(rng, victim))
        for mark, victim in zip(marks, victims, strict=True)
    ]


def _seconds(rng: random.Random, victim: str) -> float:
    if victim == HUNG:
        return HANG_SECONDS
    if victim in AWAY:
        return rng.uniform(SHORTEST_AWAY_SECONDS, LONGEST_AWAY_SECONDS)
    return rng.uniform(SHORTEST_OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS)


@dataclass
class Killer:
    """Strikes overlap when their marks are near each other, but a victim is dead only once at a time. `terminated` is filled with
    the ids of the executions that were ended; runs `before` are spared."""

    running: Stack
    progress: Progress
    terminated: set[str] = field(default_factory=set[str])
    before: frozenset[str] = frozenset()
    kills: Counter[str] = field(default_factory=Counter[str])
    found_none: Counter[str] = field(default_factory=Counter[str])
    """Of runs to terminate: there was no open one."""
    died_alone: list[str] = field(default_factory=list[str])
    _locks: dict[str, asyncio.Lock] = field(
        default_factory=lambda: {victim: asyncio.Lock() for victim in amounts(1)}
    )

    async def carry_out(self, planned: list[Strike]) -> None:
        """Returns when the last victim is alive again. Raises CannotStart when one does not start."""
        async with asyncio.TaskGroup() as tasks:
            for strike in planned:
                if await self.progress.reached(strike.after_steps):
                    tasks.create_task(self._strike(strike))

    async def _strike(self, strike: Strike) -> None:
        ways: dict[str, Callable[[Strike], Awaitable[None]]] = {
            HUNG: self._hang,
            **dict.fromkeys(RUNS, self._terminate),
            **dict.fromkeys(AWAY, self._send_away),
        }
        lock = "postgres" if strike.victim == HUNG else strike.victim
        async with self._locks[lock]:
            await ways.get(strike.victim, self._kill)(strike)

    async def _kill(self, strike: Strike) -> None:
        process = self.running.processes[strike.victim]
        if not process.alive:
            self.died_alone.append(f"{strike.victim} (exit {process.exit_code})")
        await asyncio.to_thread(self.running.kill, strike.victim)
        self.kills[strike.victim] += 1
        await asyncio.sleep(strike.seconds)
        await asyncio.to_thread(self.running.restart, strike.victim)

    async def _hang(self, strike: Strike) -> None:
        """The database takes connections and answers nobody."""
        pid = self.running.processes["postgres"].pid
        assert pid is not None
        asleep = pause(pid)
        try:
            self.kills[strike.victim] += 1
            await asyncio.sleep(strike.seconds)
        finally:
            resume(asleep)

    async def _send_away(self, strike: Strike) -> None:
        """Whatever it is asked it answers with 503, and does not do."""
        url = f"{self.running.simulators_url}/{AWAY[strike.victim]}"
        async with httpx.AsyncClient(timeout=30) as outside:
            (await outside.post(url, json={"outage": True})).raise_for_status()
            try:
                self.kills[strike.victim] += 1
                await asyncio.sleep(strike.seconds)
            finally:
                (await outside.post(url, json={"outage": False})).raise_for_status()

    async def _terminate(self, strike: Strike) -> None:
        """One open run, wherever it stands; the reconciler takes it up."""
        give_up_at = time.monotonic() + LOOKS_FOR_A_RUN_SECONDS
        while time.monotonic() < give_up_at and not self.progress.over:
            with suppress(RPCError, RuntimeError):  # Temporal may lie dead, or the run have ended
                temporal = await connect(self.running.temporal_address)
                if (run := await self._an_open_run(temporal, strike)) is not None:
                    self.terminated.add(run.run_id)
                    handle = temporal.get_workflow_handle(run.id, run_id=run.run_id)
                    await handle.terminate("a strike")
                    self.kills[strike.victim] += 1
                    return
            await asyncio.sleep(0.5)
        self.found_none[strike.victim] += 1

    async def _an_open_run(self, temporal: Client, strike: Strike) -> WorkflowExecution | None:
        kind = RUNS[strike.victim]
        query = f"WorkflowType = '{kind.workflow}' AND ExecutionStatus = 'Running'"
        found = [
            run
            async for run in temporal.list_workflows(query)
            if run.id.removeprefix(f"{kind.id_prefix}-").partition("~")[0] not in self.before
        ]
        return random.Random(strike.seconds).choice(found) if found else None

    def note_the_dead(self) -> None:
        """At the end everybody must be alive: who is not stopped by itself."""
        for name, process in self.running.processes.items():
            if not process.alive:
                self.died_alone.append(f"{name} (exit {process.exit_code})")
