"""Browser journeys and screenshots against a whole portal of their own: `python -m dev.journeys e2e` or `screens`.

The journeys find it by E2E_BASE_URL, E2E_SIMULATORS_URL, E2E_STACK_CONTROL (see dev/control.py) and E2E_BROWSER, the
path of a Chromium. What follows the first word is handed on to Playwright.
"""

import shutil
import subprocess
import sys

from dev import browser
from dev.console import CannotStart, give_up, say
from dev.control import control
from dev.places import ROOT, make_state_dir, state_dir
from dev.stack import stack
from dev.tools import tool_environment

SETTINGS = {
    "MFA_SUPPORT": "true",
    # Long for a busy machine, short for the journey that waits for a command to time out.
    "POLICY_ACTIVATION": '{"command": "PT15S"}',
}
"""Second factors are off by configuration; the journeys walk through them."""


def main() -> int:
    script, *rest = sys.argv[1:] or ["e2e"]
    chromium = browser.find()
    state = make_state_dir(state_dir()) / f"journeys-{script}"
    with (
        stack(state, environment=SETTINGS, fresh=True) as running,
        control(running) as address,
    ):
        say(f"• The portal of the journeys runs at {running.portal_url}")
        done = subprocess.run(
            ["npm", "run", "--silent", script, "--", *rest],
            cwd=ROOT / "web",
            env={
                **tool_environment(),
                "E2E_BASE_URL": running.portal_url,
                "E2E_SIMULATORS_URL": running.simulators_url,
                "E2E_STACK_CONTROL": address,
                "E2E_BROWSER": chromium,
            },
            check=False,
        )
    if done.returncode == 0:
        shutil.rmtree(state, ignore_errors=True)
    else:
        say(f"The logs of its processes are in {state / 'logs'}")
    return done.returncode


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
