"""One set-up command, such as the migrations: run to its end, with its own words when it fails."""

import shlex
import signal
import subprocess
from collections.abc import Mapping

from dev.console import CannotStart
from dev.places import ROOT

TRIES = 3


def run_set_up(command: str, environment: Mapping[str, str]) -> str:
    """What an idempotent command printed. Raises CannotStart when it fails.

    A process that leaves right after an answer of Temporal may be aborted by the SDK's threads while the interpreter
    ends (temporalio 1.35, seen about one time in ten on a busy machine), its work done: that one is tried again.
    """
    for tries_left in reversed(range(TRIES)):
        done = subprocess.run(
            shlex.split(command),
            cwd=ROOT,
            env=dict(environment),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout
        if done.returncode != -signal.SIGABRT or not tries_left:
            told = f"{done.stdout[-2000:]}{done.stderr[-4000:]}"
            raise CannotStart(f"`{command}` failed (exit {done.returncode}):\n{told}")
    raise AssertionError("the last try answers or raises")
