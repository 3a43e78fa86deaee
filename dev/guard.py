"""Ends what a test run started when the process that opened the run is gone, also by kill -9.

`python -m dev.guard <folder of the run>`. Every process of a run carries the folder in its environment: servers,
browsers, test workers. Where the system does not show environments, the servers of the run's ledger are ended.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from dev.processes import of_environment
from dev.servers import VARIABLE, abandoned, close_run

LOOK_EVERY = 0.25
"""Seconds: whoever closes a run waits for its guard."""
PATIENCE = 8.0
"""Seconds that a process has to end by itself."""


def main(folder: Path) -> None:
    while folder.exists() and not abandoned(folder):
        time.sleep(LOOK_EVERY)
    _end(str(folder))
    close_run(str(folder))
    _end(str(folder))  # what was started meanwhile


def _end(folder: str) -> None:
    for wanted, patience in ((signal.SIGTERM, PATIENCE), (signal.SIGKILL, 1.0)):
        give_up_at = time.monotonic() + patience
        left = of_environment(VARIABLE, folder)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, wanted)
        while left and time.monotonic() < give_up_at:
            time.sleep(0.1)
            left = of_environment(VARIABLE, folder)
        if not left:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
