"""One set-up command, such as the migrations: run to its end, with its own words when it fails."""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from dev.console import CannotStart
from dev.places import ROOT


def run_set_up(command: str, environment: Mapping[str, str], folder: Path = ROOT) -> str:
    """What the command printed, run in the folder. Raises CannotStart when it fails."""
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        output = f"{done.stdout[-2000:]}{done.stderr[-4000:]}"
        raise CannotStart(f"`{command}` failed (exit {done.returncode}):\n{output}")
    return done.stdout
