"""`make test`: every part in turn, each with its time, and at the end what failed and one line with the sum.

`python -m dev.testing check` does the quick parts only; names of parts (`python -m dev.testing replay areas`) do just
those. A red quick part ends the run: what follows takes minutes and would tell no more. A part fails when its command
fails, whatever it counted, and when it does not end.

`WHOLE=1` (as `make test-all` sets it) takes in what is left out otherwise: tests marked `whole`, journeys tagged
`@whole`, every plan of the flows, the long fuzz run. `NOISE=1` keeps every core busy meanwhile, to tell luck from fault.
In CI, and there alone, a few failed tests of a part are tried once more after it, alone, and named as `second try`.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dev.console import CannotStart, give_up, say
from dev.places import ROOT
from dev.processes import end_with_our_parent, interrupt_on_sigterm, others
from dev.reports import Failure, Report, logged, logs_of_this_run, read
from dev.servers import Servers, close_run, open_run
from dev.tools import tool_environment

WEB = ROOT / "web"
MOST_AGAIN = 10
"""More causes than these are no accident, and get no second try."""
APART = ("faults", "cluster")
"""Folders of tests that are parts of their own where everything is tried, as they load and kill; all others are run together."""
AT_ONCE, WAITING = 2, 3
"""Quick parts beside one another, and processes of one of pytest: most of them keep one core busy. Those that talk to servers
wait a third of their time."""
_CHILDREN: set[subprocess.Popen[bytes]] = set()
"""What runs now, to be ended with us."""
LONGEST_PART, LONGEST_WHOLE_PART = 1_800, 4 * 3_600
"""Seconds after which a part is ended: one test that hangs shall not cost the others' results."""


@dataclass(frozen=True)
class Part:
    """`report` is how its command tells what it counted: a file of that kind, or nothing but its exit code.

    `again` is what the command takes besides for a second try of what failed, alone; empty where none makes sense.
    """

    name: str
    command: Sequence[str]
    report: str = "exit code"
    folder: Path = ROOT
    again: Sequence[str] = ()
    is_quick: bool = False
    has_servers: bool = False
    """Whether it uses those of the run, which are started before it."""
    within: str = ""
    """The part that holds its tests as well: it is run by its own name only. To start and to read all modules takes longer
    than its tests do."""


@dataclass(frozen=True)
class Outcome:
    name: str
    report: Report
    seconds: float
    is_quick: bool = False
    second_try: tuple[Failure, ...] = ()
    """What failed at first and passed alone."""


def is_whole() -> bool:
    return os.environ.get("WHOLE", "") not in ("", "0")


def quick_parts() -> list[Part]:
    """Lint, types, import rules and the fast tests; the longest first, so that two at a time end together. To read all modules
    takes as long as the rules themselves: one process of theirs does it once, while another part has the other core."""
    rules = sorted(str(path.relative_to(ROOT)) for path in _rule_files())
    quick = partial(Part, is_quick=True)
    return [
        quick("types", ["basedpyright", "--level", "error"]),
        quick("web-unit", _vitest(), "vitest", WEB),
        quick("rules", _pytest(*rules, "-n", "0"), "junit"),
        quick("web-check", ["npm", "run", "--silent", "check"], folder=WEB),
        quick("generated", ["python", "-m", "dev.generated", "--check"]),
        quick("format", ["ruff", "format", "--check", "-q", "."]),
        quick("lint", ["ruff", "check", "-q", "."]),
        quick("imports", ["lint-imports"]),
        quick("web-bytes", ["python", "-m", "dev.web"]),
    ]


def slow_parts() -> list[Part]:
    """What needs servers, a browser or patience."""
    apart = APART if is_whole() else ("cluster",)
    areas = sorted(
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").iterdir()
        if path.is_dir() and path.name not in apart and any(path.rglob("test_*.py"))
    )
    rules = [f"--ignore={path}" for path in _rule_files()]
    alone = ["--last-failed", "--last-failed-no-failures=none", "-n", "0"]
    fuzzed = [] if is_whole() else ["--quick"]
    served = partial(Part, report="junit", again=alone, has_servers=True)

    def journeys(name: str, *projects: str) -> Part:
        chosen = [f"--project={project}" for project in projects]
        command = ["python", "-m", "dev.journeys", "e2e", "--reporter=list,json", *chosen]
        return Part(name, command, "playwright", again=["--last-failed", "--workers=1"])

    widths = ("desktop", "phone")
    whole = [
        journeys("journeys again", *widths),
        journeys("journeys in French", "french"),
        Part("screens", ["python", "-m", "dev.journeys", "screens"]),
        Part("cluster", _pytest("tests/cluster", "-n", "0", "-s"), "junit"),
    ]
    return [
        served("areas", _pytest(*areas, *rules, at_once=WAITING)),
        served("replay", _pytest("tests/replay"), within="areas"),
        served("conformance", _pytest("tests/conformance", at_once=WAITING), within="areas"),
        served("contract", _pytest("tests/contract"), within="areas"),
        Part("fuzz", ["python", "-m", "dev.fuzz", *fuzzed, "--report", "{report}"], "junit folder"),
        journeys("journeys", *widths),
        *(whole if is_whole() else []),
        served("faults", _pytest("tests/faults", "-n", "0"), within="" if is_whole() else "areas"),
    ]


def _rule_files() -> list[Path]:
    """Tests of rules: no servers, no waiting."""
    return sorted((ROOT / "tests").rglob("test_*rules.py"))


def main(chosen: Sequence[str]) -> int:
    """The exit code: 0 when every part passed."""
    parts = _chosen(chosen)
    interrupt_on_sigterm()
    end_with_our_parent()
    for line in others():
        say(f"Note: this runs here too and slows the tests down: {line}")
    kept = logs_of_this_run()
    opened = open_run()
    outcomes: list[Outcome] = []
    ended = ""
    begun = time.monotonic()
    try:
        with _noise():
            outcomes += run_beside([part for part in parts if part.is_quick], kept)
            if any(one.report.failed for one in outcomes) and len(outcomes) < len(parts):
                ended = "A quick part is red: the others were not begun."
            for part in (one for one in parts if not one.is_quick and not ended):
                if part.has_servers:
                    Servers().start()
                outcomes.append(run(part, kept=kept))
    except KeyboardInterrupt:
        ended = "Ended before its time."
    finally:
        if opened:
            close_run(opened)
    _show(outcomes, ended, time.monotonic() - begun)
    return 1 if ended or any(outcome.report.failed for outcome in outcomes) else 0


def _chosen(names: Sequence[str]) -> list[Part]:
    parts = quick_parts() + slow_parts()
    if not names:
        return [part for part in parts if not part.within]
    if list(names) == ["check"]:
        return quick_parts()
    unknown = set(names) - {part.name for part in parts}
    if unknown:
        known = ", ".join(sorted(part.name for part in parts))
        raise CannotStart(f"No part {', '.join(sorted(unknown))}: the parts are {known}.")
    return [part for part in parts if part.name in names]


def run_beside(parts: Sequence[Part], kept: Path | None = None) -> list[Outcome]:
    """Runs parts two at a time; each shows what it had to say when it has ended."""
    with ThreadPoolExecutor(AT_ONCE) as pool, tempfile.TemporaryDirectory() as folder:
        running = [pool.submit(run, part, Path(folder) / part.name, kept) for part in parts]
        try:
            return [one.result() for one in running]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in tuple(_CHILDREN):
                _signal(child, signal.SIGINT)
            raise


def run(part: Part, aside: Path | None = None, kept: Path | None = None) -> Outcome:
    """Runs one part and counts; in CI a second time what failed, where that is little.

    What its command says is shown at once, or kept in the file `aside` and shown at the end. What is told of each failure
    goes into a folder of the part's own below `kept`.
    """
    if aside is None:
        say(f"\n━━ {part.name}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = _tried(part, part.command, Path(folder), aside)
        saved: tuple[Failure, ...] = ()
        if os.environ.get("CI") and part.again and 0 < report.causes <= MOST_AGAIN:
            say(f"   once more, alone: {', '.join(failure.name for failure in report.failures)}")
            second = _tried(part, [*part.command, *part.again], Path(folder), aside)
            lost = {failure.name for failure in second.failures}
            saved = tuple(one for one in report.failures if one.name not in lost)
            if second.passed < len(saved):  # what was not tried again has not passed
                saved = ()
                second = Report(failures=report.failures)
            report = Report(report.passed + len(saved), report.skipped, second.failures)
    seconds = time.monotonic() - begun
    if kept is not None:
        lost = logged(report.failures, kept / part.name, aside)
        report = Report(report.passed, report.skipped, lost)
        saved = logged(saved, kept / part.name / "second-try", None)
    outcome = Outcome(part.name, report, seconds, part.is_quick, saved)
    if aside is not None:
        say(f"\n━━ {part.name}\n{aside.read_text(errors='replace')}")
    say(f"   {_words(outcome)}")
    return outcome


def _tried(part: Part, command: Sequence[str], folder: Path, aside: Path | None) -> Report:
    """One run of the part's command; what keeps a failure from being counted is a failure."""
    path = folder / "report"
    if path.is_file():
        path.unlink()
    filled = [
        one.replace("{report}", str(path)).replace("{folder}", str(folder)) for one in command
    ]
    environment = {
        **tool_environment(),
        "PLAYWRIGHT_JSON_OUTPUT_FILE": str(path),
        "NO_COLOR": "1",
        "WHOLE": "1" if is_whole() else "",
    }
    # Rich takes any value of it, even 0, for a wish to see progress bars.
    environment.pop("FORCE_COLOR", None)
    # Every process of a run would compile all modules anew: a third of what it takes to collect the tests.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    limit = LONGEST_WHOLE_PART if is_whole() else LONGEST_PART
    code = _in_its_own_group(filled, part.folder, environment, limit, aside)
    report = read(part.report, path)
    if code is None:
        late = Failure(part.name, f"did not end within {limit} s")
        return Report(report.passed, report.skipped, (*report.failures, late))
    if code == 0 and part.report == "exit code":
        return Report(passed=1)
    if code != 0 and not report.failures:
        reason = f"`{' '.join(part.command[:4])} …` ended with exit code {code}"
        return Report(report.passed, report.skipped, (Failure(part.name, reason),))
    if report.passed == 0 and not report.failures:
        return Report(failures=(Failure(part.name, "tried nothing, so it proves nothing"),))
    return report


def _in_its_own_group(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    limit: float,
    aside: Path | None,
) -> int | None:
    """The exit code; none when it was ended because it took longer than `limit` seconds."""
    with aside.open("ab") if aside else nullcontext() as out:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            start_new_session=True,
            stdout=out,
            stderr=out,
        )
        _CHILDREN.add(child)
        try:
            return child.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            for wanted, patience in ((signal.SIGINT, 60), (signal.SIGKILL, 10)):
                if child.poll() is None:
                    _signal(child, wanted)
                    with suppress(subprocess.TimeoutExpired):
                        child.wait(patience)
            _CHILDREN.discard(child)


def _signal(child: subprocess.Popen[bytes], wanted: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, wanted)


@contextmanager
def _noise() -> Generator[None]:
    """With `NOISE=1` a busy loop on each core."""
    loud = os.environ.get("NOISE", "") not in ("", "0")
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
        if loud
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _pytest(*arguments: str, at_once: int = AT_ONCE) -> list[str]:
    """Its memory of what failed is this part's own: two runs of one checkout go side by side.

    Traces are Python's own: pytest's parse the source, which Python 3.11 cannot do in two threads at once, and then one
    failed test ends the whole part (cpython issue 106905).
    """
    workers = ["-n", os.environ.get("TEST_WORKERS", str(at_once))]
    own = ["-o", "cache_dir={folder}/cache", "--junitxml", "{report}"]
    return [
        "python",
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "--disable-warnings",
        "--tb=native",
        *workers,
        *own,
        *arguments,
    ]


def _vitest() -> list[str]:
    reporters = ["--reporter=default", "--reporter=json", "--outputFile.json={report}"]
    return ["npm", "run", "--silent", "test", "--", *reporters]


def _show(outcomes: Sequence[Outcome], ended: str, seconds: float) -> None:
    """What people read: the parts, what failed and why, the counts. `seconds` passed on the wall; quick parts go side by side."""
    say("\n━━ together")
    for outcome in outcomes:
        say(f"   {outcome.name:<12} {_words(outcome)}")
    skipped = sum(outcome.report.skipped for outcome in outcomes)
    say(f"   {'':<12} {seconds / 60:.1f} minutes" + (f", {skipped} skipped" if skipped else ""))
    for outcome in outcomes:
        for failure in outcome.second_try:
            say(f"   second try: {outcome.name}: {_failure_words(failure)}")
    for outcome in outcomes:
        for failure in outcome.report.failures:
            say(f"   ✗ {outcome.name}: {_failure_words(failure)}")
    if ended:
        say(f"\n{ended}")
    passed = sum(outcome.report.passed for outcome in outcomes)
    failed = sum(outcome.report.failed for outcome in outcomes)
    say(f"\n{passed} passed, {failed} failed")


def _failure_words(failure: Failure) -> str:
    log = f"\n       log: {failure.log}" if failure.log else ""
    return f"{failure.name}\n       {failure.reason}{log}"


def _words(outcome: Outcome) -> str:
    report = outcome.report
    skipped = f", {report.skipped} skipped" if report.skipped else ""
    again = f", {len(outcome.second_try)} by a second try" if outcome.second_try else ""
    mark = "✗" if report.failed else "✓"
    return (
        f"{mark} {report.passed} passed, {report.failed} failed{skipped}{again} "
        f"in {outcome.seconds:.1f} s"
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotStart as error:
        give_up(error)
