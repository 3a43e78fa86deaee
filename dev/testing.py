"""`make test`: every part in turn, each with its time, and one line with the sum at the end.

`python -m dev.testing check` does the quick ones only; names of parts (`python -m dev.testing replay areas`) do just
those. A part fails when its command fails, whatever it counted.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from dev.console import CannotStart, give_up, say
from dev.places import ROOT
from dev.servers import close_run, open_run
from dev.tools import tool_environment

WEB = ROOT / "web"
MOST_AGAIN = 5
"""More failed tests than these are no accident, and get no second try."""
APART = ("replay", "conformance", "contract", "faults")
"""Folders of tests that are parts of their own; every other folder is an area."""


@dataclass(frozen=True)
class Part:
    """`report` is how its command tells what it counted: a file of that kind, or nothing but its exit code."""

    name: str
    command: Sequence[str]
    report: str = "exit code"
    folder: Path = ROOT


@dataclass(frozen=True)
class Outcome:
    name: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    faults: tuple[str, ...] = ()
    """Names of what failed, as far as the report tells."""


def quick_parts() -> list[Part]:
    """Lint, types, import rules and the fast tests."""
    rules = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").glob("*/test_rules.py"))
    return [
        Part("format", ["ruff", "format", "--check", "-q", "."]),
        Part("lint", ["ruff", "check", "-q", "."]),
        Part("types", ["basedpyright", "--level", "error"]),
        Part("imports", ["lint-imports"]),
        Part("web-check", ["npm", "run", "--silent", "check"], folder=WEB),
        Part("generated", ["python", "-m", "dev.generated", "--check"]),
        Part("rules", _pytest(*rules, spread=False), "junit"),
        Part("web-unit", _vitest(), "vitest", WEB),
    ]


def slow_parts() -> list[Part]:
    """What needs servers, a browser or patience."""
    areas = sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and path.name not in APART and any(path.glob("test_*.py"))
    )
    rules = [f"--ignore={path}" for path in (ROOT / "tests").glob("*/test_rules.py")]
    return [
        Part("areas", _pytest(*areas, *rules), "junit"),
        Part("replay", _pytest("tests/replay", "-v", spread=False), "junit"),
        Part("conformance", _pytest("tests/conformance", "-s", spread=False), "junit"),
        Part("contract", _pytest("tests/contract"), "junit"),
        Part(
            "fuzz", ["python", "-m", "dev.fuzz", "--quick", "--report", "{report}"], "junit folder"
        ),
        Part(
            "journeys",
            ["python", "-m", "dev.journeys", "e2e", "--reporter=list,json"],
            "playwright",
        ),
        Part("faults", _pytest("tests/faults", "-s", spread=False), "junit"),
    ]


def main(chosen: Sequence[str]) -> int:
    """The exit code: 0 when every part passed."""
    parts = quick_parts() + slow_parts()
    if list(chosen) == ["check"]:
        parts = quick_parts()
    elif chosen:
        known = {part.name for part in parts}
        unknown = set(chosen) - known
        if unknown:
            raise CannotStart(
                f"No part {', '.join(sorted(unknown))}: the parts are {', '.join(sorted(known))}."
            )
        parts = [part for part in parts if part.name in chosen]
    opened = open_run()
    try:
        outcomes = [run(part) for part in parts]
    finally:
        if opened:
            close_run(opened)
    _show(outcomes)
    return 1 if any(outcome.failed for outcome in outcomes) else 0


def run(part: Part) -> Outcome:
    """Runs one part in the foreground and counts."""
    say(f"\n━━ {part.name}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        command = [argument.replace("{report}", str(report)) for argument in part.command]
        environment = {
            **tool_environment(),
            "PLAYWRIGHT_JSON_OUTPUT_FILE": str(report),
            "NO_COLOR": "1",
        }
        # Rich takes any value of it, even 0, for a wish to see progress bars.
        environment.pop("FORCE_COLOR", None)
        done = subprocess.run(command, cwd=part.folder, env=environment, check=False)
        passed, failed, skipped = count(part.report, report)
        faults = failed_names(part.report, report)
        if done.returncode == 1 and 0 < failed <= MOST_AGAIN and _may_try_again(part):
            say(f"   once more, as a busy machine may have been at fault: {', '.join(faults)}")
            again = [*command, "--last-failed", "--last-failed-no-failures=none"]
            done = subprocess.run(again, cwd=part.folder, env=environment, check=False)
            good, failed, _ = count(part.report, report)
            passed, faults = passed + good, failed_names(part.report, report)
    if done.returncode != 0 and failed == 0:
        failed = 1
    if done.returncode == 0 and passed == 0 and part.report == "exit code":
        passed = 1
    if done.returncode == 0 and passed == 0:
        failed = 1  # a part that tried nothing proves nothing
    seconds = time.monotonic() - begun
    outcome = Outcome(part.name, passed, failed, skipped, seconds, tuple(faults))
    say(f"   {_words(outcome)}")
    return outcome


def _may_try_again(part: Part) -> bool:
    """In CI a few failed tests get a second try, and are named; elsewhere a failure is a failure."""
    return bool(os.environ.get("CI")) and "pytest" in part.command


def count(kind: str, report: Path) -> tuple[int, int, int]:
    """Passed, failed, skipped, as the report tells; zeros when there is none."""
    if not report.exists():
        return 0, 0, 0
    if kind == "junit":
        return _count_junit(report)
    if kind == "junit folder":
        counts = [_count_junit(file) for file in sorted(report.glob("*.xml"))]
        return (
            sum(passed for passed, _, _ in counts),
            sum(failed for _, failed, _ in counts),
            sum(skipped for _, _, skipped in counts),
        )
    if kind == "vitest":
        told = json.loads(report.read_text())
        return told["numPassedTests"], told["numFailedTests"], told["numPendingTests"]
    if kind == "playwright":
        told = json.loads(report.read_text())["stats"]
        return told["expected"] + told["flaky"], told["unexpected"], told["skipped"]
    return 0, 0, 0


def failed_names(kind: str, report: Path) -> list[str]:
    """The tests that failed, each by its name; empty where the report tells none."""
    if not report.exists():
        return []
    if kind in ("junit", "junit folder"):
        files = sorted(report.glob("*.xml")) if report.is_dir() else [report]
        return [
            f"{case.get('classname', '')} {case.get('name', '')}".strip()
            for file in files
            for case in ElementTree.parse(file).getroot().iter("testcase")
            if case.find("failure") is not None or case.find("error") is not None
        ]
    if kind == "vitest":
        return [
            f"{Path(file['name']).name} {test['fullName']}"
            for file in json.loads(report.read_text())["testResults"]
            for test in file["assertionResults"]
            if test["status"] == "failed"
        ]
    if kind == "playwright":
        return list(_failed_journeys(json.loads(report.read_text())["suites"]))
    return []


def _failed_journeys(suites: Sequence[dict[str, Any]]) -> Iterator[str]:
    for suite in suites:
        yield from (f"{spec['file']} {spec['title']}" for spec in suite["specs"] if not spec["ok"])
        yield from _failed_journeys(suite.get("suites", []))


def _count_junit(file: Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def _pytest(*arguments: str, spread: bool = True) -> list[str]:
    workers = ["-n", os.environ.get("TEST_WORKERS", "2")] if spread else []
    return ["python", "-m", "pytest", "-q", *workers, "--junitxml", "{report}", *arguments]


def _vitest() -> list[str]:
    reporters = ["--reporter=default", "--reporter=json", "--outputFile.json={report}"]
    return ["npm", "run", "--silent", "test", "--", *reporters]


def _show(outcomes: Sequence[Outcome]) -> None:
    say("\n━━ together")
    for outcome in outcomes:
        say(f"   {outcome.name:<12} {_words(outcome)}")
    for outcome in outcomes:
        for name in outcome.faults:
            say(f"   ✗ {outcome.name}: {name}")
    total = sum(outcome.seconds for outcome in outcomes)
    skipped = sum(outcome.skipped for outcome in outcomes)
    say(f"   {'':<12} {total / 60:.1f} minutes" + (f", {skipped} skipped" if skipped else ""))
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes)
    say(f"\n{passed} passed, {failed} failed")


def _words(outcome: Outcome) -> str:
    skipped = f", {outcome.skipped} skipped" if outcome.skipped else ""
    mark = "✗" if outcome.failed else "✓"
    return f"{mark} {outcome.passed} passed, {outcome.failed} failed{skipped} in {outcome.seconds:.1f} s"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotStart as error:
        give_up(error)
