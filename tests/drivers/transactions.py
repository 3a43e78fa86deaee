"""Nobody asks an outside system while a transaction of theirs stands open: its locks and its connection would wait for it."""

import asyncio
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session, SessionTransaction

from providers.cards.transport import CardLine
from providers.http import Wire
from providers.messages.mail import Mail

ROOT = Path(__file__).resolve().parents[2]
ON_PURPOSE = frozenset(
    {
        "api/identity/email_change.py",
        "workers/document_feed.py",
        "activities/operations/erp_mirror.py",
    }
)
"""A change of address is none without its mail (decision 38); who reads a feed of the ERP holds its own place in it and nothing
else, so that of several one reads (decision 93)."""


class Watch:
    """`found` are the calls that were made within a transaction: who made them, and whose lines led there."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: dict[int, asyncio.Task[Any]] = {}
        """Whose transaction stands open, by the identity of its session."""

    def begun(self, session: Session, *_: object) -> None:
        if (task := _task()) is not None:
            self._open[id(session)] = task

    def ended(self, session: Session, transaction: SessionTransaction) -> None:
        if transaction.parent is None:
            self._open.pop(id(session), None)

    def asks(self, whom: str) -> None:
        """Somebody asks an outside system."""
        task = _task()
        if task is None or task not in tuple(self._open.values()):
            return
        ours = [
            f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}"
            for frame in traceback.extract_stack()
            if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename
        ]
        led = [line for line in ours if not line.startswith(("tests/", "providers/"))]
        if not any(line.partition(":")[0] in ON_PURPOSE for line in led):
            self.found.append(f"{whom}, from {' > '.join(led[-4:])}")


def _task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


@contextmanager
def watched() -> Generator[Watch]:
    """Every session and every line to an outside system of this process."""
    watch = Watch()
    patch = pytest.MonkeyPatch()

    def watching(of: type, name: str) -> None:
        original = getattr(of, name)

        def asked(self: Any, *more: Any, **named: Any) -> Any:
            watch.asks(of.__name__)
            return original(self, *more, **named)

        patch.setattr(of, name, asked)

    watching(Wire, "call")
    watching(CardLine, "ask")
    watching(Mail, "send")
    event.listen(Session, "after_begin", watch.begun)
    event.listen(Session, "after_transaction_end", watch.ended)
    try:
        yield watch
    finally:
        event.remove(Session, "after_begin", watch.begun)
        event.remove(Session, "after_transaction_end", watch.ended)
        patch.undo()
