"""The bare SQL of a call: every statement that its operation sends, in their order and with their values, written down at
one look and asked again alone, one after the other over one connection without a transaction of its own.

All benches count alike. Who asks is not in it: that statement is the portal's own cost, as are parsing, rules, the answer's
JSON and its compression, and HTTP.
"""

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
