"""What XState makes of a chart: node loads it, narrows it to each plan and writes every transition."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from dev.tools import tool_environment
from domain.base import Frozen

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
SECONDS = 120
AT_ONCE = 40
"""Plans that node narrows in one go."""


class Narrowing(Frozen):
    """A plan, and the step at which a run enters it."""

    plan: tuple[str, ...]
    entry: str | None = None


class Meta(Frozen):
    """What a state says of itself; an end is nobody's turn."""

    step: str
    label: str
    turn: str | None = None


class Table(Frozen):
    """Every state that XState reaches from the first one, with where each event leads, its tags and its meta."""

    initial: str
    states: dict[str, dict[str, str]]
    ends: tuple[str, ...]
    tags: dict[str, tuple[str, ...]] = {}
    meta: dict[str, Meta] = {}


def tables(chart: Path, walks: Sequence[Narrowing]) -> tuple[Table, ...]:
    """A table for each narrowing. Raises AssertionError with node's words when a chart does not load."""
    assert (WEB / "node_modules" / "xstate").is_dir(), (
        "XState is not installed: run `make tools`, which installs web/node_modules."
    )
    asked = {
        "chart": str(chart),
        "walks": [walk.model_dump(exclude_none=True) for walk in walks],
    }
    node = subprocess.run(
        ["node", str(WEB / "conformance" / "tables.ts")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        env=tool_environment(),
        timeout=SECONDS,
        check=False,
    )
    assert node.returncode == 0, node.stderr
    return tuple(Table.model_validate(found) for found in json.loads(node.stdout))


@cache
def tables_of(plan: tuple[str, ...], chart: Path) -> dict[str, Table]:
    """One plan's table for each step at which a run may enter it."""
    return next(tables_of_all([plan], chart))


def tables_of_all(plans: Sequence[tuple[str, ...]], chart: Path) -> Iterator[dict[str, Table]]:
    """The same of many plans, in their order."""
    for at in range(0, len(plans), AT_ONCE):
        some = plans[at : at + AT_ONCE]
        walks = [Narrowing(plan=plan, entry=entry) for plan in some for entry in plan]
        found = iter(tables(chart, walks))
        for plan in some:
            yield {entry: next(found) for entry in plan}
