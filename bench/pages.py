"""The pages on a phone: Lighthouse's scores, the answer to a press, the dashboard on a slow line; by `web/tools/lighthouse`."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

from bench.figures import Figure, at_most
from db.demo.people import PASSWORD
from dev import browser
from dev.places import ROOT
from dev.tools import install_node_packages, tool_environment

TOOL = ROOT / "web" / "tools" / "lighthouse"
ROUNDS = 5
LEAST = {"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}
"""Of 100: of the first pages the median of the rounds, of the other public ones, without their speed, what one round says."""
MOST_SHIFT = 0.05
MOST_CLICK_MS = 100
MOST_INP_MS = 200
MOST_HEADING_S = 5
OWNER = "olivia.marchand@turnkey.example"


@dataclass(frozen=True)
class Page:
    """`scores` of 100; `shift` is the cumulative layout shift; `largest` in seconds; `click` and `inp`, the slowest answers
    to a press and to anything, in ms on a CPU slowed 4 times. `index` is what Lighthouse makes of this machine: 1,000 and
    more is one that is not busy."""

    path: str
    scores: dict[str, int]
    shift: float
    largest: float
    click: float
    inp: float
    index: float


@dataclass(frozen=True)
class Measured:
    """`others` are the scores of the other public pages by their paths; `heading` is when that of the dashboard stands on a
    line of 400 kbit/s and 400 ms, in seconds."""

    first: list[Page]
    others: dict[str, dict[str, int]]
    heading: float


def measure_pages(address: str, *, rounds: int = ROUNDS) -> Measured:
    """Each first page's medians, the others once, an owner's dashboard. Takes some ten minutes."""
    install_node_packages(TOOL)
    done = subprocess.run(
        ["node", "measure.mjs", address, browser.find(), str(rounds), OWNER, PASSWORD],
        cwd=TOOL,
        env=tool_environment(),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return Measured(
        first=[_page(one) for one in lines if one["kind"] == "first"],
        others={
            one["page"]: {name: one[name] for name in LEAST if name in one}
            for one in lines
            if one["kind"] == "other"
        },
        heading=next(one["heading"] for one in lines if one["kind"] == "dashboard"),
    )


def page_figures(measured: Measured) -> list[Figure]:
    """Each with its goal."""
    figures: list[Figure] = []
    scored = {**{page.path: page.scores for page in measured.first}, **measured.others}
    for path, scores in scored.items():
        figures += [
            Figure(f"{_name(path)}.{of}", score, "of 100", f">= {LEAST[of]}", score >= LEAST[of])
            for of, score in scores.items()
        ]
    for page in measured.first:
        name, shift = _name(page.path), round(page.shift, 3)
        figures += [
            Figure(f"{name}.shift", shift, "", f"< {MOST_SHIFT}", shift < MOST_SHIFT),
            at_most(f"{name}.click", page.click, MOST_CLICK_MS, "ms"),
            at_most(f"{name}.inp", page.inp, MOST_INP_MS, "ms"),
            Figure(f"{name}.largest", round(page.largest, 2), "s"),
            Figure(f"{name}.machine", round(page.index), "Lighthouse's index"),
        ]
    return [*figures, at_most("pages.dashboard.heading", measured.heading, MOST_HEADING_S, "s")]


def _name(path: str) -> str:
    return f"pages{path.replace('/', '.')}" if path != "/" else "pages.start"


def _page(row: dict[str, Any]) -> Page:
    return Page(
        path=row["page"],
        scores={name: row[name] for name in LEAST},
        shift=row["shift"],
        largest=row["largest"],
        click=row["click"],
        inp=row["inp"],
        index=row["index"],
    )
