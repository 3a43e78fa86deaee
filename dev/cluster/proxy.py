"""Caddy in front of the APIs, as docker-compose.yml has it: the one of the locked packages, with `deploy/caddy/Caddyfile`."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from dev.console import CannotStart
from dev.places import ROOT, VENV
from dev.ports import LOOPBACK
from dev.processes import Command, Ledger, Process
from dev.tools import tool_environment

CONFIGURATION = ROOT / "deploy" / "caddy" / "Caddyfile"


def proxy(state: Path, port: int, apis: Sequence[int], ledger: Ledger) -> Process:
    """On the loopback address, not started yet."""
    folder = state / "proxy"
    folder.mkdir(exist_ok=True)
    return Process(
        Command(
            name="proxy",
            arguments=[
                str(find_binary()),
                *("run", "--config", str(CONFIGURATION), "--adapter", "caddyfile"),
            ],
            log=state / "logs" / "proxy.log",
            environment={
                **tool_environment(),
                "XDG_CONFIG_HOME": str(folder),
                "XDG_DATA_HOME": str(folder),
                "PROXY_ADDRESS": f":{port}",
                "PROXY_HOST": LOOPBACK,
                "APIS": " ".join(f"{LOOPBACK}:{api}" for api in apis),
            },
            folder=folder,
            stop_seconds=15,
        ),
        ledger,
    )


def find_binary() -> Path:
    """Of the locked packages, or on PATH for machines that those are not made for. Raises CannotStart."""
    locked, on_path = VENV / "bin" / "caddy", shutil.which("caddy")
    if locked.exists():
        return locked
    if on_path is None:
        raise CannotStart(
            "The `caddy` command is missing, and no package of it is made for this machine: install it "
            "(https://caddyserver.com/docs/install)."
        )
    return Path(on_path)
