"""What was measured: a line for people and a row of the results for each figure, as it comes."""

import json
import os
import platform
import subprocess
import traceback
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from dev.places import ROOT


@dataclass(frozen=True)
class Figure:
    """`goal` is text for people; without one, `ok` is None and the figure is there to be read. `value` is None where it was to be
    measured and was not: that misses the goal."""

    name: str
    value: float | None
    unit: str = ""
    goal: str | None = None
    ok: bool | None = None


def at_most(name: str, value: float, limit: float, unit: str = "", *, better: float = 0) -> Figure:
    """Judged before it is rounded; `better` is what is aimed at beyond the bar, told and not asked."""
    aim = f", better {better:g}" if better else ""
    return Figure(name, round(value, 2), unit, f"<= {limit:g}{aim}", value <= limit)


def not_measured(name: str, goal: str) -> Figure:
    return Figure(name, None, "", goal, ok=False)


def show(figure: Figure) -> str:
    """One line."""
    verdict = (
        "" if figure.ok is None else f"   goal {figure.goal}: {'ok' if figure.ok else 'MISSED'}"
    )
    value = "-" if figure.value is None else figure.value
    return f"{figure.name:<36} {value:>9} {figure.unit}{verdict}"


class Results:
    """One file of JSON lines: first what is known of the machine, then a row for each figure. Each is written at once, so that what
    was measured stays whatever comes later."""

    def __init__(self, path: Path, facts: Mapping[str, object]) -> None:
        self.path = path
        self.figures: list[Figure] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(facts) + "\n")

    def record(self, figures: Iterable[Figure]) -> None:
        for figure in figures:
            self.figures.append(figure)
            print(show(figure), flush=True)
            with self.path.open("a") as file:
                file.write(json.dumps(asdict(figure)) + "\n")

    @contextmanager
    def measuring(self, area: str) -> Generator[None]:
        """What breaks within is a missed goal of that area, and no more: the next one is measured all the same."""
        try:
            yield
        except Exception:
            traceback.print_exc()
            self.record([not_measured(f"{area}.measured", "to its end")])

    @property
    def missed(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.ok is False]

    def summary(self) -> str:
        judged = [figure for figure in self.figures if figure.ok is not None]
        lines = [f"{len(judged) - len(self.missed)} of {len(judged)} goals met; {self.path}"]
        return "\n".join([*lines, *map(show, self.missed)])


def facts(areas: Sequence[str], sizes: Mapping[str, object]) -> dict[str, object]:
    """What the figures depend on: the moment (UTC), the state of the tree, the machine, and how much of each was measured.
    `load` is that of the last minute before, of all cores: 0 on a machine that does nothing else."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "cores": os.cpu_count(),
        "processor": _first("/proc/cpuinfo", "model name") or platform.processor(),
        "memory": _first("/proc/meminfo", "MemTotal"),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        "areas": list(areas),
        "sizes": dict(sizes),
    }


def _commit() -> str:
    """Empty outside a clone."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()


def _first(path: str, name: str) -> str:
    """The value of the first line of that name."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")
