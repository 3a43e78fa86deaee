"""Ports that only the parts of a cluster use among themselves, kept in its state folder: Temporal's services find each other
again after a restart."""

import json
from dataclasses import dataclass
from pathlib import Path

from dev.places import INNER_PORTS
from dev.ports import is_free, some_free

SERVICES = ("frontend", "history", "matching", "worker")
"""Of the Temporal server."""


@dataclass(frozen=True)
class Inner:
    """`rpc` and `membership` have a port for each of `SERVICES` but the frontend's first, which is the cluster's own."""

    apis: tuple[int, ...]
    rpc: tuple[int, ...]
    membership: tuple[int, ...]


def inner_ports(state: Path, apis: int) -> Inner:
    """The ones of the last start where they are free, else others."""
    file = state / INNER_PORTS
    count = apis + 2 * len(SERVICES) - 1
    stored: list[int] = json.loads(file.read_text()) if file.exists() else []
    if len(stored) != count or not all(is_free(port) for port in stored):
        stored = some_free(count)
        file.write_text(json.dumps(stored))
    return _parted(stored, apis)


def ports_in_use(state: Path, apis: int) -> Inner:
    """Those of the last start, whoever listens there now."""
    return _parted(json.loads((state / INNER_PORTS).read_text()), apis)


def _parted(ports: list[int], apis: int) -> Inner:
    rpc = apis + len(SERVICES) - 1
    return Inner(tuple(ports[:apis]), tuple(ports[apis:rpc]), tuple(ports[rpc:]))
