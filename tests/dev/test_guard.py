"""A test run leaves nothing behind, however it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from dev.places import ROOT
from dev.processes import began_at, of_environment
from dev.servers import VARIABLE
from tests.drivers.until import until_now

OWNER = """
import subprocess, sys, time
from dev.servers import Servers, open_run
print(open_run(), flush=True)
Servers().temporal()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""


def test_what_a_killed_run_started_ends_with_it(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        cwd=ROOT,
        env={**environment, "STATE_DIR": str(tmp_path / "turnkey")},
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().strip())
        child = int(owner.stdout.readline())
        # A process that has only just begun has no environment to see yet.
        until_now(
            lambda: of_environment(VARIABLE, str(folder)),
            lambda found: len(found) == 2,
            within=10,
        )
        owner.send_signal(signal.SIGKILL)
    until_now(
        lambda: (of_environment(VARIABLE, str(folder)), folder.exists()),
        lambda left: not any(left),
        within=30,
    )
    assert began_at(child) is None


CLOSER = """
from dev.processes import of_environment
from dev.servers import close_run, open_run
folder = open_run()
print(len(of_environment("STATE_DIR", {state!r})), flush=True)
close_run(folder)
"""


def test_the_guard_of_a_run_has_ended_when_the_run_is_closed(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    state = str(tmp_path / "turnkey")
    closed = subprocess.run(
        [sys.executable, "-c", CLOSER.format(state=state)],
        cwd=ROOT,
        env={**environment, "STATE_DIR": state},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert closed.stdout == "1\n"
    assert of_environment("STATE_DIR", state) == []
