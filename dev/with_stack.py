"""Runs one command with the environment of the running portal: `python -m dev.with_stack python -m db.seed --force`."""

import os
import subprocess
import sys

from dev import ports as port_choice
from dev.console import CannotStart, give_up
from dev.places import ROOT, state_dir
from dev.stack import Stack


def main() -> int:
    state = state_dir()
    database_url = os.environ.get("DATABASE_URL")
    running = Stack(
        state,
        port_choice.remembered(state),
        database_url=database_url,
        temporal_address=os.environ.get("TEMPORAL_ADDRESS"),
    )
    if not database_url and "postgres" not in running.ledger.alive():
        raise CannotStart("The database is not running: `make dev` starts it.")
    return subprocess.run(sys.argv[1:], cwd=ROOT, env=running.environment, check=False).returncode


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except CannotStart as error:
        give_up(error)
