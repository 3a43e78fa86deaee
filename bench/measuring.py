"""CPU time of process groups and of the machine, from /proc (Linux only); percentiles."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(pid: int, *, with_ended_children: bool = False) -> float:
    """Seconds of one process so far, all its threads; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    last = 15 if with_ended_children else 13
    return sum(int(value) for value in fields[11:last]) / TICKS


def cpu_of_family(pid: int) -> float:
    """A process, its ended children and its living ones: PostgreSQL is one such family."""
    return cpu_of(pid, with_ended_children=True) + sum(map(cpu_of, _children(pid)))


def cpu_of_machine() -> float:
    """Busy seconds of all cores since the machine started."""
    values = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(values) - values[3] - values[4]) / TICKS


def percentile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass
class Meter:
    """CPU seconds by part since the meter was made; `families` are counted with their children."""

    processes: dict[str, int]
    families: dict[str, int] = field(default_factory=dict[str, int])
    _began: dict[str, float] = field(default_factory=dict[str, float])
    _machine: float = 0.0

    def __post_init__(self) -> None:
        self._began, self._machine = self._now(), cpu_of_machine()

    def spent(self) -> dict[str, float]:
        now = self._now()
        return {name: now[name] - self._began[name] for name in now}

    def spent_by_others(self) -> float:
        """CPU seconds of everything that this meter does not know."""
        return cpu_of_machine() - self._machine - sum(self.spent().values())

    def _now(self) -> dict[str, float]:
        alone = {name: cpu_of(pid) for name, pid in self.processes.items()}
        return alone | {name: cpu_of_family(pid) for name, pid in self.families.items()}


def _children(pid: int) -> Sequence[int]:
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return ()
    return [int(child) for child in listed.split()]
