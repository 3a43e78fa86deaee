"""Schemathesis against a whole portal of its own, as nobody and as each kind of person.

`python -m dev.fuzz` tries 500 examples per operation; `--quick` a few with a fixed seed, as `make test` does: each
operation as one of those who may call it, in turn (`turn_of`), in two shares beside one another, each on a portal of its
own: what generates requests and what answers them would else wait for one another. Every check and phase is on; an answer may take 4 s at most, and a refusal of what fits the schema must be expected of its operation
(`dev/fuzz_refusals.py`).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree
from zlib import crc32

from db.demo.people import PASSWORD
from dev import web
from dev.console import CannotStart, give_up, say
from dev.fuzz_refusals import ROLES, expectations, operations_of
from dev.places import ROOT, state_dir
from dev.servers import keep_logs, own_folder
from dev.stack import Stack, stack
from domain.identity.policy import POLICY

PEOPLE = {
    "owner": {"FUZZ_EMAIL": "olivia.marchand@turnkey.example"},
    "installer": {"FUZZ_EMAIL": "ivan.petrov@turnkey.example"},
    "purchaser": {"FUZZ_EMAIL": "paula.stone@turnkey.example"},
    "accountant": {"FUZZ_EMAIL": "gus.lindqvist@turnkey.example"},
    "consumer": {"FUZZ_EMAIL": "bea.whitfield@turnkey.example"},
    "retired": {"FUZZ_EMAIL": "rene.caron@turnkey.example"},
    "inside-rep": {"FUZZ_EMAIL": "ines.delgado@turnkey.example"},
    "outside-rep": {"FUZZ_EMAIL": "owen.clarke@turnkey.example"},
    "administrator": {"FUZZ_EMAIL": "ada.nwosu@turnkey.example"},
    "guest": {"FUZZ_DEVICE": "FT-X1-00077001", "FUZZ_SIM": "18835"},
    "nobody": {},
}
"""How `dev/fuzz_sign_in.py` gets the token of each role."""
BUSY = ("owner", "purchaser", "accountant", "administrator")
SHARES = (BUSY, tuple(person for person in PEOPLE if person not in BUSY))
"""Halves of a quick run by the time they take."""
QUICK_EXAMPLES = 6
OF_NOBODY = "^/v1/auth/(sign-in|sign-out|refresh|mfa)"
"""Calls that would end, or lock out, the very session that the others are tried with."""
LONGEST_ANSWER = 4
OPEN_FORMS = {
    "BOT_CHECK_KEY": "",
    "REQUEST_SECONDS": "20",
    "POLICY_OPENING": '{"per_hour": 1000000, "wrong_per_hour": 1000000, "open_of_person": 1000000}',
}
"""No generated request solves a puzzle, and one person sends them all: behind a check or a limit nothing would be tried.
A call may take as long as a busy machine makes it."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the whole API.")
    parser.add_argument("--quick", action="store_true", help="a few examples, a fixed seed")
    parser.add_argument("--report", type=Path, help="a folder for JUnit files")
    parser.add_argument("--examples", type=int, default=500, help="for each operation")
    parser.add_argument("--as", dest="people", nargs="+", choices=PEOPLE, help="only these")
    options = parser.parse_args()
    report: Path = options.report or state_dir() / "fuzz"
    report.mkdir(parents=True, exist_ok=True)
    if options.quick and not options.people:
        return _in_shares(report)
    examples = QUICK_EXAMPLES if options.quick else int(options.examples)
    people: list[str] = options.people or list(PEOPLE)
    began = time.monotonic()
    failed = _fuzz_all(people, report, examples, quick=bool(options.quick))
    say(f"Fuzzed for {_minutes_since(began)}")
    if failed:
        say(f"Failures as {', '.join(failed)}; the reports are in {report}")
    return 1 if failed else 0


def _in_shares(report: Path) -> int:
    """A quick run, each share a process; what it says is shown when all have ended."""
    web.build()
    command = [sys.executable, "-m", "dev.fuzz", "--quick", "--report", str(report), "--as"]
    with tempfile.TemporaryDirectory() as folder:
        said = [Path(folder) / str(place) for place in range(len(SHARES))]
        running: list[subprocess.Popen[bytes]] = []
        for path, share in zip(said, SHARES, strict=True):
            with path.open("wb") as out:
                running.append(
                    subprocess.Popen([*command, *share], cwd=ROOT, stdout=out, stderr=out)
                )
        codes = [one.wait() for one in running]
        for path in said:
            say(path.read_text(errors="replace"))
    return max(codes)


def _fuzz_all(people: Sequence[str], report: Path, examples: int, *, quick: bool) -> list[str]:
    """As whom some check did not hold."""
    failed: list[str] = []
    with (
        own_folder() as folder,
        stack(folder, environment=OPEN_FORMS) as running,
    ):
        schema = running.state / "openapi.json"
        schema.write_text(running.run("python -m api.openapi"))
        operations = operations_of(json.loads(schema.read_text()))
        for name in people:
            say(f"• Fuzzing as {name}")
            began = time.monotonic()
            rules = running.state / f"fuzz-{name}.toml"
            rules.write_text(expectations(name, operations))
            tried = turn_of(name, list(operations)) if quick else ()
            path = report / f"{name}.xml"
            if not _fuzz(running, schema, rules, PEOPLE[name], tried, path, examples, quick=quick):
                failed.append(name)
            say(f"  done in {_minutes_since(began)}")
        if failed:
            keep_logs(folder, "fuzz")
    return failed


def _fuzz(
    running: Stack,
    schema: Path,
    rules: Path,
    person: Mapping[str, str],
    tried: Sequence[str],
    report: Path,
    examples: int,
    *,
    quick: bool,
) -> bool:
    """Whether every check held. `tried` are the only operations to be asked; none: all."""
    command = [
        "st",
        "--config-file",
        str(rules),
        "run",
        str(schema),
        "--url",
        running.portal_url,
        "--checks",
        "all",
        "--max-response-time",
        str(LONGEST_ANSWER),
        "--continue-on-failure",
        "--no-color",
        "--max-examples",
        str(examples),
        "--report",
        "junit",
        "--report-junit-path",
        str(report),
    ]
    for operation in tried:
        command += ["--include-operation-id", operation]
    # Deterministic runs keep no database; the others shall not repeat what an earlier one found.
    command += (
        ["--generation-deterministic", "--no-shrink"]
        if quick
        else ["--generation-database", "none"]
    )
    environment = {**running.environment, "PYTHONWARNINGS": "ignore"}
    if person:
        command += ["--exclude-path-regex", OF_NOBODY]
        environment |= {
            "SCHEMATHESIS_HOOKS": "dev.fuzz_sign_in",
            "FUZZ_PORTAL": running.portal_url,
            "FUZZ_PASSWORD": PASSWORD,
            **person,
        }
    report.unlink(missing_ok=True)
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    return done.returncode == 0 and _cases(report) > 0


def turn_of(person: str, operations: Sequence[str]) -> Sequence[str]:
    """For a quick run: each operation as one of those who may call it, and as nobody what is open to nobody besides. All
    shares together are everything. Whose turn it is follows from the operation's name alone: another operation beside it
    moves no turn."""
    return [
        name
        for name in operations
        if (callers := callers_of(name))[crc32(name.encode()) % len(callers)] == person
        or (person == "nobody" and person in callers)
    ]


def callers_of(operation: str) -> Sequence[str]:
    """Who may call it, or nobody where nobody of these may."""
    wanted = POLICY[operation].roles
    return [person for person in PEOPLE if ROLES[person] & wanted] or ["nobody"]


def _minutes_since(began: float) -> str:
    return f"{(time.monotonic() - began) / 60:.1f} min"


def _cases(report: Path) -> int:
    """How many operations were tried: a run that tried none proves nothing."""
    return len(ElementTree.parse(report).getroot().findall(".//testcase")) if report.exists() else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotStart as error:
        give_up(error)
