"""Runs one command with the environment of the portal that runs, of `make dev` or `make cluster`.

`python -m dev.with_stack python -m db.seed --force`
"""

import os
import subprocess
import sys

from dev import ports as port_choice
from dev.console import CannotStart, give_up
from dev.places import ROOT, state_dir
from dev.processes import state_at_work
from dev.stack import Stack


def main() -> int:
    database_url = os.environ.get("DATABASE_URL")
    state = state_dir() if database_url else state_at_work(state_dir())
    running = Stack(
        state,
        port_choice.remembered(state),
        database_url=database_url,
        temporal_address=os.environ.get("TEMPORAL_ADDRESS"),
    )
    return subprocess.run(sys.argv[1:], cwd=ROOT, env=running.environment, check=False).returncode


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
