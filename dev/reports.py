"""What the reports of a test part tell: how many tests passed, failed and were skipped, and why each failed."""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from dev.places import state_dir

LONGEST_REASON = 200
LOGS_KEPT_SECONDS = 3 * 24 * 3_600
_SAYS_NOTHING = re.compile(r"^(\w+\.)*\w*(Error|Timeout|Exception)$|ExceptionGroup: ")
"""A bare class, as a failed `assert` of a helper gives, or a group that counts what it holds."""
_STEP = re.compile(r'File "([^"]+)", line (\d+), in [^\n]*\n([^\n]*)')
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Failure:
    """`cause` is equal for failures that one broken fixture or module brought about; `reason` is the first line of what was
    said, or the line of code where that says nothing; `said` is all of it, and `log` the file that tells more."""

    name: str
    reason: str = ""
    cause: str = ""
    said: str = ""
    log: str = ""


@dataclass(frozen=True)
class Report:
    passed: int = 0
    skipped: int = 0
    failures: tuple[Failure, ...] = field(default_factory=tuple)

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def causes(self) -> int:
        """Failures; what fails for many tests of a module in one way is counted once."""
        return len({failure.cause or failure.name for failure in self.failures})


def read(kind: str, path: Path) -> Report:
    """`kind` is junit, junit folder, vitest or playwright; anything else, or no such file, tells nothing."""
    if not path.exists():
        return Report()
    if kind == "junit":
        return _junit([path])
    if kind == "junit folder":
        return _junit(sorted(path.glob("*.xml")))
    if kind == "vitest":
        return _vitest(json.loads(path.read_text()))
    if kind == "playwright":
        return _playwright(json.loads(path.read_text()))
    return Report()


def logs_of_this_run() -> Path:
    """The folder for what is told of its failures. Those of days ago are deleted."""
    every = state_dir() / "failed"
    for folder in every.glob("tests-*"):
        if time.time() - folder.stat().st_mtime > LOGS_KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    return every / f"tests-{os.getpid()}"


def logged(failures: Sequence[Failure], folder: Path, aside: Path | None) -> tuple[Failure, ...]:
    """The same, each with a file in this folder that tells more of it: a copy of its command's own, which the next run of the
    command empties, or what was said of it, else all that the part said (`aside`)."""
    kept: list[Failure] = []
    for number, failure in enumerate(failures, start=1):
        said = failure.said or (aside.read_text(errors="replace") if aside else "")
        own = Path(failure.log)
        log = ""
        if own.is_file():
            log = str(_ready(folder) / f"{number}{own.suffix}")
            shutil.copyfile(own, log)
        elif said:
            log = str(_ready(folder) / f"{number}.txt")
            Path(log).write_text(f"{failure.name}\n{said}")
        kept.append(replace(failure, log=log))
    return tuple(kept)


def _ready(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _junit(files: Sequence[Path]) -> Report:
    passed = skipped = 0
    failures: list[Failure] = []
    for case in (case for file in files for case in ElementTree.parse(file).iter("testcase")):
        problem = [found for kind in ("failure", "error") if (found := case.find(kind)) is not None]
        if problem:
            failures.append(_junit_failure(case, problem[0]))
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return Report(passed, skipped, tuple(failures))


def _junit_failure(case: ElementTree.Element, problem: ElementTree.Element) -> Failure:
    module = case.get("classname", "")
    reason = _first_line(problem.get("message") or problem.text or "")
    said = "\n".join(one.text or "" for one in (problem, *case.iter("system-out")))
    if _SAYS_NOTHING.search(reason):
        reason = f"{reason} · {_last_line_of_code(problem.text or '')}"[:LONGEST_REASON]
    return Failure(f"{module} {case.get('name', '')}".strip(), reason, f"{module} {reason}", said)


def _last_line_of_code(trace: str) -> str:
    """Of a trace of Python: where it ended, and what stood there."""
    steps = _STEP.findall(trace)
    if not steps:
        return ""
    path, line, code = steps[-1]
    return f"{Path(path).name}:{line} {code.strip(' |')}"


def _vitest(report: dict[str, Any]) -> Report:
    failures = [
        Failure(
            f"{Path(file['name']).name} {test['fullName']}",
            _first_line("\n".join(test.get("failureMessages", ()))),
            said="\n".join(test.get("failureMessages", ())),
        )
        for file in report["testResults"]
        for test in file["assertionResults"]
        if test["status"] == "failed"
    ]
    # A file that does not load has no tests to count.
    failures += [
        Failure(Path(file["name"]).name, _first_line(file.get("message", "")))
        for file in report["testResults"]
        if file["status"] == "failed" and not file["assertionResults"]
    ]
    return Report(report["numPassedTests"], report["numPendingTests"], tuple(failures))


def _playwright(report: dict[str, Any]) -> Report:
    stats = report["stats"]
    failures = [*_lost_journeys(report["suites"])]
    failures += [
        Failure("before any journey", _first_line(error.get("message", "")))
        for error in report.get("errors", ())
    ]
    return Report(stats["expected"] + stats["flaky"], stats["skipped"], tuple(failures))


def _lost_journeys(suites: Sequence[dict[str, Any]]) -> Iterator[Failure]:
    for suite in suites:
        for spec in suite["specs"]:
            # `ok` is of the first project alone where several did the journey.
            lost = [test for test in spec.get("tests", ()) if test["status"] == "unexpected"]
            if lost or not spec["ok"]:
                name = f"{spec['file']} {spec['title']}"
                yield from (_lost_journey(name, test) for test in lost or [{}])
        yield from _lost_journeys(suite.get("suites", ()))


def _lost_journey(name: str, test: dict[str, Any]) -> Failure:
    results = test.get("results", ())
    said = [error.get("message", "") for result in results for error in result.get("errors", ())]
    logs = [one for result in results for one in result.get("attachments", ()) if one.get("path")]
    logs.sort(key=lambda one: one["name"] != "trace")
    where = f" [{test['projectName']}]" if test.get("projectName") else ""
    return Failure(
        name + where,
        _first_line(said[0] if said else ""),
        said="\n".join(said),
        log=logs[0]["path"] if logs else "",
    )


def _first_line(text: str) -> str:
    lines = [line.strip() for line in _COLOURS.sub("", text).splitlines() if line.strip()]
    return lines[0][:LONGEST_REASON] if lines else ""
