"""Schemathesis against a whole portal of its own, as nobody and as each kind of person.

`python -m dev.fuzz` tries 500 examples per operation; `--quick` a few with a fixed seed, as `make test` does. Every
check and phase is on; an answer may take 4 s at most.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from db.demo_people import PASSWORD
from dev.console import CannotStart, give_up, say
from dev.places import ROOT, make_state_dir, state_dir
from dev.stack import Stack, stack

PEOPLE = {
    "owner": "olivia.marchand@turnkey.example",
    "installer": "ivan.petrov@turnkey.example",
    "inside-rep": "ines.delgado@turnkey.example",
    "administrator": "ada.nwosu@turnkey.example",
    "nobody": None,
}
QUICK_PEOPLE = ("owner", "nobody")
OF_NOBODY = "^/v1/auth/(sign-in|sign-out|refresh|mfa)"
"""Calls that would end, or lock out, the very session that the others are tried with."""
LONGEST_ANSWER = 4
OPEN_FORMS = {"BOT_CHECK_KEY": ""}
"""No generated request solves a puzzle: with the check on, nothing behind it would be tried."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the whole API.")
    parser.add_argument("--quick", action="store_true", help="a few examples, a fixed seed")
    parser.add_argument("--report", type=Path, help="a folder for JUnit files")
    options = parser.parse_args()
    report: Path = options.report or state_dir() / "fuzz"
    report.mkdir(parents=True, exist_ok=True)
    failed: list[str] = []
    folder = make_state_dir(state_dir()) / "fuzz-stack"
    with stack(folder, environment=OPEN_FORMS, fresh=True) as running:
        schema = running.state / "openapi.json"
        schema.write_text(running.run("python -m api.openapi"))
        for name in QUICK_PEOPLE if options.quick else PEOPLE:
            say(f"• Fuzzing as {name}")
            path = report / f"{name}.xml"
            if not _fuzz(running, schema, PEOPLE[name], quick=bool(options.quick), report=path):
                failed.append(name)
    if failed:
        say(f"Failures as {', '.join(failed)}; the reports are in {report}")
    return 1 if failed else 0


def _fuzz(running: Stack, schema: Path, email: str | None, *, quick: bool, report: Path) -> bool:
    """Whether every check held."""
    command = [
        "st",
        "--config-file",
        "dev/fuzz.toml",
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
        "6" if quick else "500",
        "--report",
        "junit",
        "--report-junit-path",
        str(report),
    ]
    # Deterministic runs keep no database; the others shall not repeat what an earlier one found.
    command += (
        ["--generation-deterministic", "--no-shrink"]
        if quick
        else ["--generation-database", "none"]
    )
    environment = {**running.environment, "PYTHONWARNINGS": "ignore"}
    if email:
        command += ["--exclude-path-regex", OF_NOBODY]
        environment |= {
            "SCHEMATHESIS_HOOKS": "dev.fuzz_sign_in",
            "FUZZ_PORTAL": running.portal_url,
            "FUZZ_EMAIL": email,
            "FUZZ_PASSWORD": PASSWORD,
        }
    report.unlink(missing_ok=True)
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    return done.returncode == 0 and _cases(report) > 0


def _cases(report: Path) -> int:
    """How many operations were tried: a run that tried none proves nothing."""
    return len(ElementTree.parse(report).getroot().findall(".//testcase")) if report.exists() else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotStart as error:
        give_up(error)
