"""What a portal asks of the database meanwhile."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from sqlalchemy import event


@contextmanager
def statements_of(portal: FastAPI) -> Generator[list[str]]:
    """Its statements in their order, as they are made."""
    asked: list[str] = []

    def note(_c: Any, _cu: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    engine = portal.state.portal.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
