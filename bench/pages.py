"""The first pages on a phone: Lighthouse's scores and the answer to a press, measured by `web/tools/lighthouse`."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

from dev import browser
from dev.places import ROOT
from dev.tools import install_node_packages, tool_environment

TOOL = ROOT / "web" / "tools" / "lighthouse"
ROUNDS = 5
LEAST = {"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}
"""Of 100, the median of the rounds."""
MOST_SHIFT = 0.05
MOST_ANSWER_MS = 200


@dataclass(frozen=True)
class Page:
    """`scores` of 100; `shift` is the cumulative layout shift; `largest` in seconds, `answer` in ms on a CPU slowed 4 times.
    `index` is what Lighthouse makes of this machine: 1,000 and more is one that is not busy."""

    path: str
    scores: dict[str, int]
    shift: float
    largest: float
    answer: float
    index: float


def measure_pages(address: str) -> list[Page]:
    """Each page's medians. Takes some five minutes."""
    install_node_packages(TOOL)
    done = subprocess.run(
        ["node", "measure.mjs", address, browser.find(), str(ROUNDS)],
        cwd=TOOL,
        env=tool_environment(),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return [_page(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]


def _page(told: dict[str, Any]) -> Page:
    return Page(
        path=told["page"],
        scores={name: told[name] for name in LEAST},
        shift=told["shift"],
        largest=told["largest"],
        answer=told["answer"],
        index=told["index"],
    )
