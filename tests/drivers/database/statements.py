"""What a portal, or a part of it, asks of the database meanwhile."""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from fastapi import FastAPI
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine


@contextmanager
def uses_of(portal: FastAPI) -> Generator[list[str]]:
    """An entry for each time that it takes a connection from its pool."""
    taken: list[str] = []

    def note(*_: Any) -> None:
        taken.append("taken")

    engine: AsyncEngine = portal.state.portal.engine
    event.listen(engine.sync_engine, "checkout", note)
    try:
        yield taken
    finally:
        event.remove(engine.sync_engine, "checkout", note)


def statements_of(portal: FastAPI) -> AbstractContextManager[list[str]]:
    """Its statements in their order, as they are made."""
    return statements_on(portal.state.portal.engine)


@contextmanager
def statements_on(asking: AsyncEngine) -> Generator[list[str]]:
    """The same of whoever asks through this engine."""
    asked: list[str] = []

    def note(_c: Any, _cu: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    engine = asking.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
