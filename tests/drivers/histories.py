"""What Temporal keeps of a run, to be searched for what must not stand in it."""

import re
import socket

from temporalio.client import WorkflowHistory

_BY_CHANCE = re.compile(
    rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=\d*[a-f])[0-9a-f]{12,}|\d+@"
    + re.escape(socket.gethostname().encode())
)
"""Ids, and names of processes."""


def written(history: WorkflowHistory) -> bytes:
    """Every event, its payloads as they are: JSON of a history shows base64 of them, where no text is found."""
    return without_ids(b"\n".join(event.SerializeToString() for event in history.events))


def without_ids(data: bytes) -> bytes:
    """A number of few digits stands in an id by chance."""
    return _BY_CHANCE.sub(b"", data)
