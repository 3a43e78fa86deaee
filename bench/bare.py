"""What a call asks the database, written down at one look, so that it can be asked again alone."""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import event

from db.base import Sessions, make_engine, make_sessions

Statements = list[tuple[str, dict[str, Any]]]


async def statements_of(url: str, look: Callable[[Sessions], Awaitable[object]]) -> Statements:
    """In their order, with their values."""
    engine, asked = make_engine(url), Statements()

    def note(_connection: Any, _cursor: Any, query: str, known: dict[str, Any], *_: Any) -> None:
        asked.append((query, known))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    try:
        await look(make_sessions(engine))
    finally:
        await engine.dispose()
    return asked
