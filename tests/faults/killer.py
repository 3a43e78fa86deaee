"""Kills the processes of a stack as crashes would, at random moments of the work, and starts them again."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field

from dev.stack import Stack
from tests.faults.driver import Progress

VICTIMS = ("worker", "api", "temporal", "postgres")
SHORTEST_OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS = 0.1, 3.0


@dataclass(frozen=True)
class Strike:
    """After so many steps of all installers together the victim dies, and lies for so many seconds."""

    after_steps: int
    victim: str
    seconds: float


def strikes(seed: int, each: int, steps: int) -> list[Strike]:
    """Every victim `each` times, in random order, spread over the first nine tenths of the expected steps."""
    rng = random.Random(seed)
    victims = [victim for victim in VICTIMS for _ in range(each)]
    rng.shuffle(victims)
    marks = sorted(rng.randint(steps // 50, steps * 9 // 10) for _ in victims)
    return [
        Strike(mark, victim, rng.uniform(SHORTEST_OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS))
        for mark, victim in zip(marks, victims, strict=True)
    ]


@dataclass
class Killer:
    """Strikes overlap when their marks are near each other, but a victim is dead only once at a time."""

    running: Stack
    progress: Progress
    kills: Counter[str] = field(default_factory=Counter[str])
    died_alone: list[str] = field(default_factory=list[str])
    _locks: dict[str, asyncio.Lock] = field(
        default_factory=lambda: {victim: asyncio.Lock() for victim in VICTIMS}
    )

    async def carry_out(self, planned: list[Strike]) -> None:
        """Returns when the last victim is alive again. Raises CannotStart when one does not start."""
        async with asyncio.TaskGroup() as tasks:
            for strike in planned:
                if await self.progress.reached(strike.after_steps):
                    tasks.create_task(self._strike(strike))

    async def _strike(self, strike: Strike) -> None:
        async with self._locks[strike.victim]:
            process = self.running.processes[strike.victim]
            if not process.alive:
                self.died_alone.append(f"{strike.victim} (exit {process.exit_code})")
            await asyncio.to_thread(self.running.kill, strike.victim)
            self.kills[strike.victim] += 1
            await asyncio.sleep(strike.seconds)
            await asyncio.to_thread(self.running.restart, strike.victim)

    def note_the_dead(self) -> None:
        """At the end everybody must be alive: who is not stopped by itself."""
        for name, process in self.running.processes.items():
            if not process.alive:
                self.died_alone.append(f"{name} (exit {process.exit_code})")
