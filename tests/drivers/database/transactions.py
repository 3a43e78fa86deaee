"""Nobody asks an outside system while a transaction of theirs stands open: its locks and its connection would wait for it."""

import asyncio
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session, SessionTransaction

from providers.cards.transport import StripeTransport
from providers.http import HttpClient
from providers.messages.mail import Mail

ROOT = Path(__file__).resolve().parents[3]
ON_PURPOSE = frozenset(
    {
        "api/identity/email_change.py",
    }
)
"""A change of address is none without its mail (decision 38)."""


class Watch:
    """`found` are the calls that were made within a transaction: who made them, and whose lines led there."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: dict[int, asyncio.Task[Any]] = {}
        """Whose transaction stands open, by the identity of its session."""
        self._lines: WeakKeyDictionary[Connection, asyncio.Task[Any]] = WeakKeyDictionary()
        """Likewise, of a connection, with a session or without."""

    def begun(self, session: Session, *_: object) -> None:
        if (task := _task()) is not None:
            self._open[id(session)] = task

    def ended(self, session: Session, transaction: SessionTransaction) -> None:
        if transaction.parent is None:
            self._open.pop(id(session), None)

    def line_begun(self, line: Connection) -> None:
        commits_each = line.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        if not commits_each and (task := _task()) is not None:
            self._lines[line] = task

    def line_ended(self, line: Connection) -> None:
        self._lines.pop(line, None)

    def asks(self, whom: str) -> None:
        """Somebody asks an outside system."""
        task = _task()
        if task is None or task not in (*self._open.values(), *self._lines.values()):
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

    watching(HttpClient, "call")
    watching(StripeTransport, "ask")
    watching(Mail, "send")
    listening: list[tuple[type, str, Callable[..., None]]] = [
        (Session, "after_begin", watch.begun),
        (Session, "after_transaction_end", watch.ended),
        (Engine, "begin", watch.line_begun),
        (Engine, "commit", watch.line_ended),
        (Engine, "rollback", watch.line_ended),
    ]
    for one in listening:
        event.listen(*one)
    try:
        yield watch
    finally:
        for one in listening:
            event.remove(*one)
        patch.undo()
