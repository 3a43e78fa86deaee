"""Which ports a stack uses: the well-known ones for `make dev`, free ones for everything that tests."""

import json
import os
import random
import socket
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from dev.console import CannotStart

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Ports:
    portal: int
    temporal: int
    temporal_ui: int
    simulators: int
    mail: int
    traces: int
    metrics: int
    codec: int
    postgres: int


SETTING = {
    "portal": ("API_PORT", 8000),
    "temporal": ("TEMPORAL_PORT", 7233),
    "temporal_ui": ("TEMPORAL_UI_PORT", 8233),
    "simulators": ("SIMULATORS_PORT", 9000),
    "mail": ("SIMULATORS_MAIL_PORT", 9025),
    "traces": ("TRACES_PORT", 4318),
    "metrics": ("METRICS_PORT", 9464),
    "codec": ("CODEC_PORT", 8234),
}


def from_settings(state: Path) -> Ports:
    """The ports of `make dev`. The database's is free the first time and kept from then on, unless set."""
    known = {
        name: int(os.environ.get(variable) or usual) for name, (variable, usual) in SETTING.items()
    }
    named = os.environ.get("POSTGRES_PORT")
    return Ports(**known, postgres=int(named) if named else _stored_port(state / "postgres.port"))


def remember(ports: Ports, state: Path) -> None:
    """So that `make status` asks the ports that are in use, whatever its own environment says."""
    (state / "ports.json").write_text(json.dumps(asdict(ports)))


def remembered(state: Path) -> Ports:
    """The ports of the last start of this state folder."""
    file = state / "ports.json"
    stored: dict[str, int] = json.loads(file.read_text()) if file.exists() else {}
    if set(stored) == set(Ports.__dataclass_fields__):
        return Ports(**stored)
    return replace(from_settings(state), **stored)


def free() -> Ports:
    """Ports that nobody uses now, each a different one, and none that the system hands out to whoever connects: such a
    one could be gone before it is listened on."""
    return Ports(*some_free(len(fields(Ports))))


def some_free(count: int) -> list[int]:
    """So many such ports."""
    drawn = random.sample(range(20_000, 32_000), 200)
    return [port for port in drawn if is_free(port)][:count]


def refuse_taken(ports: Ports, needed: list[str]) -> None:
    """Raises CannotStart that names the first port that is taken and the setting that moves it."""
    for name in needed:
        port = int(getattr(ports, name))
        if not is_free(port):
            variable = SETTING.get(name, ("POSTGRES_PORT", 0))[0]
            raise CannotStart(
                f"Port {port} ({name.replace('_', ' ')}) is taken by another program: "
                f"choose another one with `make dev {variable}={port + 1}`."
            )


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _stored_port(file: Path) -> int:
    if file.exists() and is_free(int(file.read_text())):
        return int(file.read_text())
    port = free().postgres
    file.write_text(str(port))
    return port
