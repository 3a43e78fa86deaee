"""Ports that only the parts of a cluster use among themselves, kept in its state folder: Temporal's services find each other
again after a restart."""

import json
from dataclasses import dataclass
from pathlib import Path

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
    file = state / "inner-ports.json"
    count = apis + 2 * len(SERVICES) - 1
    kept: list[int] = json.loads(file.read_text()) if file.exists() else []
    if len(kept) != count or not all(is_free(port) for port in kept):
        kept = some_free(count)
        file.write_text(json.dumps(kept))
    rpc = apis + len(SERVICES) - 1
    return Inner(tuple(kept[:apis]), tuple(kept[apis:rpc]), tuple(kept[rpc:]))
