"""How long a call waits for a mail server, which may take longer (RFC 5321 4.5.3.2). Work that nobody waits for has no haste."""

from contextvars import ContextVar

HASTE: ContextVar[float | None] = ContextVar("haste", default=None)
"""Seconds that one mail may take in here at most; None: as many as its client allows."""
