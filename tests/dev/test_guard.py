"""A test run that is killed leaves nothing behind."""

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
        assert len(of_environment(VARIABLE, str(folder))) == 2
        owner.send_signal(signal.SIGKILL)
    until_now(
        lambda: (of_environment(VARIABLE, str(folder)), folder.exists()),
        lambda left: not any(left),
        within=30,
    )
    assert began_at(child) is None
