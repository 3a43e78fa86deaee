"""Browser journeys and screenshots against a whole portal of their own: `python -m dev.journeys e2e` or `screens`.

With `WHOLE=1` every journey, else one through each flow and each door. They find the portal by E2E_BASE_URL,
E2E_SIMULATORS_URL, E2E_STACK_CONTROL (see dev/control.py), E2E_NUMBERS (a folder, see web/e2e/numbers.ts) and
E2E_BROWSER, the path of a Chromium. What follows the first word is handed on to Playwright; `--last-failed` does again
what failed the last time, on a portal that is new.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dev import browser
from dev.console import CannotStart, give_up, say
from dev.control import control
from dev.places import ROOT
from dev.ports import LOOPBACK
from dev.servers import save_logs
from dev.stack import portal_of_its_own
from dev.testing import is_whole
from dev.tools import tool_environment

SETTINGS = {
    "MFA_SUPPORT": "true",
    # Long for a busy machine, short for the journey that waits for a command to time out.
    "POLICY_ACTIVATION": '{"command": "PT15S"}',
    # A few installers work there for everybody.
    "POLICY_OPENING": '{"per_hour": 100000, "wrong_per_hour": 100000, "open_of_person": 100000}',
    # A call may take as long as a busy machine makes it.
    "REQUEST_SECONDS": "20",
    # What the feed has not brought yet is waited for in a round.
    "RECONCILIATION_BOUNDS": '{"late": "PT2S"}',
    # Newcomers register from a place of their own each: more of them come than one place may send.
    "TRUSTED_PROXIES": f'["{LOOPBACK}"]',
}
"""Second factors are off by configuration; the journeys walk through them."""
QUICK = {"SIMULATORS_LATENCY": "0.1-0.4"}
"""No journey of `make test` looks at what a device is asked before it answers; some of the whole do."""

PARTS = ("together", "alone")
"""What runs two at a time, then what changes things that the others need (see web/playwright.config.ts)."""
RESULTS = ROOT / "web" / "test-results"
LAST_RUN = "PLAYWRIGHT_LAST_RUN_OUTPUT_FILE"
"""What failed, for `--last-failed`."""
REPORT = "PLAYWRIGHT_JSON_OUTPUT_FILE"
"""Where Playwright's JSON reporter writes, and where the caller finds the report of both parts."""


def main() -> int:
    script, *rest = sys.argv[1:] or ["e2e"]
    chromium = browser.find()
    with (
        portal_of_its_own("journeys", SETTINGS if is_whole() else SETTINGS | QUICK) as running,
        control(running) as address,
    ):
        say(f"• The portal of the journeys runs at {running.portal_url}")
        environment = {
            **tool_environment(),
            "E2E_BASE_URL": running.portal_url,
            "E2E_SIMULATORS_URL": running.simulators_url,
            "E2E_STACK_CONTROL": address,
            "E2E_NUMBERS": str(running.state / "numbers"),
            "E2E_BROWSER": chromium,
        }
        code = walk(rest, environment) if script == "e2e" else _npm(script, rest, environment)
        if code != 0:
            save_logs(running.state, f"journeys-{script}")
    return code


def walk(rest: Sequence[str], environment: Mapping[str, str]) -> int:
    """Both parts, whatever came of the first; the exit code is the greater one, or 1 when nothing was there to walk."""
    arguments = [*rest, "--pass-with-no-tests"]
    again = "--last-failed" in rest
    if not any(argument.startswith("--reporter") for argument in rest):
        arguments.append("--reporter=list,json")
    with tempfile.TemporaryDirectory() as folder:
        files = {part: Path(folder) / f"{part}.json" for part in PARTS}
        codes = [
            _npm(
                "e2e",
                # What the first try left of a failure is kept beside the second's.
                [*arguments, f"--output={RESULTS / 'again' / part}"] if again else arguments,
                {
                    **environment,
                    "E2E_PART": part,
                    LAST_RUN: str(RESULTS / f"{part}.last-run.json"),
                    REPORT: str(file),
                },
            )
            for part, file in files.items()
        ]
        reports = [json.loads(file.read_text()) for file in files.values() if file.exists()]
    if not reports:
        return max(codes)
    report = merged(reports)
    if REPORT in os.environ:
        Path(os.environ[REPORT]).write_text(json.dumps(report))
    if not any(report["stats"][kind] for kind in ("expected", "unexpected", "flaky", "skipped")):
        say("No journey was chosen.")
        return max(*codes, 0 if again else 1)
    return max(codes)


def merged(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One report of Playwright's made of several: suites and errors one after the other, counts and times summed."""
    first = reports[0]
    return {
        **first,
        "suites": [suite for report in reports for suite in report["suites"]],
        "errors": [error for report in reports for error in report["errors"]],
        "stats": {
            name: value
            if isinstance(value, str)
            else sum(report["stats"][name] for report in reports)
            for name, value in first["stats"].items()
        },
    }


def _npm(script: str, rest: Sequence[str], environment: Mapping[str, str]) -> int:
    command = ["npm", "run", "--silent", script, "--", *rest]
    return subprocess.run(command, cwd=ROOT / "web", env=environment, check=False).returncode


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
