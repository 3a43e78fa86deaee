"""Schemathesis against a whole portal of its own, as nobody and as each kind of person.

`python -m dev.fuzz` tries every operation as every kind of person, each with a dozen random examples besides those that
follow from its schema: some 20 minutes on two cores, for which it says its seed (`--seed` tries the same again,
`--examples 500` takes the hours of a night). `--quick` is what `make test` does: each operation as one of those who may
call it (`turn_of`), a fourth as many examples, the bounds of the schema for every fifth one, always the same ones, so that
it has no seed. The people are shared out among two portals beside one another: what generates requests and what answers
them would else wait for one another. Every check and phase is on; an answer may take 4 s at most, in a quick run 20, and a
refusal of what fits the schema must be expected of its operation (`dev/fuzz_refusals.py`).
"""

import argparse
import json
import secrets
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
from dev.servers import a_run, save_logs
from dev.stack import Stack, portal_of_its_own
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
"""Halves of a run by the time they take."""
EXAMPLES, QUICK_EXAMPLES = 12, 3
QUICK_BOUNDS = 5
"""A quick run tries the bounds of the schema for one operation of so many."""
OF_NOBODY = "^/v1/auth/(sign-in|sign-out|refresh|mfa)"
"""Calls that would end, or lock out, the very session that the others are tried with."""
OF_NOBODY_AT_LENGTH = f"{OF_NOBODY}|/lock$"
"""An administrator who tries many ids comes upon their own, and locks the account that they are."""
LONGEST_ANSWER, QUICK_LONGEST_ANSWER = 4, 20
"""Seconds. Nothing that must pass before a change is measured by the clock of a busy machine: a quick run allows what a request
may take at all."""
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
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="for each operation")
    parser.add_argument("--seed", type=int, help="as an earlier run said it")
    parser.add_argument("--as", dest="people", nargs="+", choices=PEOPLE, help="only these")
    options = parser.parse_args()
    report: Path = options.report or state_dir() / "fuzz"
    report.mkdir(parents=True, exist_ok=True)
    examples = QUICK_EXAMPLES if options.quick else int(options.examples)
    seed: int = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    if not options.people:
        how = ["--quick"] if options.quick else ["--examples", str(examples), "--seed", str(seed)]
        with a_run() as servers:
            servers.demo()
            return _in_shares(how, report)
    began = time.monotonic()
    failed = _fuzz_all(options.people, report, examples, None if options.quick else seed)
    say(f"Fuzzed for {_minutes_since(began)}")
    if failed:
        say(f"Failures as {', '.join(failed)}; the reports are in {report}")
    return 1 if failed else 0


def _in_shares(how: Sequence[str], report: Path) -> int:
    """Each share a process; what it says is shown when all have ended, how far a long run is meanwhile."""
    say(f"• Fuzzing {' '.join(how)}{', the same requests each time' if '--quick' in how else ''}")
    web.build()
    command = [sys.executable, "-m", "dev.fuzz", *how, "--report", str(report), "--as"]
    with tempfile.TemporaryDirectory() as folder:
        said = [Path(folder) / str(place) for place in range(len(SHARES))]
        running: list[subprocess.Popen[bytes]] = []
        for path, share in zip(said, SHARES, strict=True):
            with path.open("wb") as out:
                aside = out if "--quick" in how else None
                running.append(
                    subprocess.Popen([*command, *share], cwd=ROOT, stdout=out, stderr=aside)
                )
        codes = [one.wait() for one in running]
        for path in said:
            say(path.read_text(errors="replace"))
    return max(codes)


def _fuzz_all(people: Sequence[str], report: Path, examples: int, seed: int | None) -> list[str]:
    """As whom some check did not hold. Without a seed it is a quick run."""
    failed: list[str] = []
    with portal_of_its_own("fuzz", OPEN_FORMS) as running:
        schema = running.state / "openapi.json"
        schema.write_text(running.run("python -m api.openapi"))
        operations = operations_of(json.loads(schema.read_text()))
        for name in people:
            _say_how_far(f"• Fuzzing as {name}")
            began = time.monotonic()
            rules = running.state / f"fuzz-{name}.toml"
            tried = turn_of(name, list(operations)) if seed is None else ()
            rules.write_text(
                expectations(name, operations, [one for one in tried if not has_bounds(one)])
            )
            path = report / f"{name}.xml"
            if not _fuzz(running, schema, rules, PEOPLE[name], tried, path, examples, seed):
                failed.append(name)
            _say_how_far(f"  {name} done in {_minutes_since(began)}")
        if failed:
            save_logs(running.state, "fuzz")
    return failed


def _fuzz(
    running: Stack,
    schema: Path,
    rules: Path,
    person: Mapping[str, str],
    tried: Sequence[str],
    report: Path,
    examples: int,
    seed: int | None,
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
        str(QUICK_LONGEST_ANSWER if seed is None else LONGEST_ANSWER),
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
        if seed is None
        else ["--seed", str(seed), "--generation-database", "none"]
    )
    environment = {**running.environment, "PYTHONWARNINGS": "ignore"}
    if person:
        command += ["--exclude-path-regex", OF_NOBODY if seed is None else OF_NOBODY_AT_LENGTH]
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


def has_bounds(operation: str) -> bool:
    """Whether a quick run tries every bound of its schema: that takes ten times as many requests as its examples."""
    return crc32(operation[::-1].encode()) % QUICK_BOUNDS == 0


def callers_of(operation: str) -> Sequence[str]:
    """Who may call it, or nobody where nobody of these may."""
    wanted = POLICY[operation].roles
    return [person for person in PEOPLE if ROLES[person] & wanted] or ["nobody"]


def _say_how_far(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


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
