"""How the database would look for what is asked of it."""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions


async def plans_of(sessions: Sessions, ask: Callable[[AsyncSession], Awaitable[object]]) -> str:
    """The plans of every statement of `ask`, where a table is read whole only if no index serves."""
    seen: list[tuple[str, Any]] = []

    def note(_c: Any, _cu: Any, statement: str, values: Any, *_: Any) -> None:
        seen.append((statement, values))

    async with sessions.begin() as session:
        await session.execute(text("set local enable_seqscan = off"))
        connection = await session.connection()
        event.listen(connection.sync_connection, "before_cursor_execute", note)
        await ask(session)
        event.remove(connection.sync_connection, "before_cursor_execute", note)
        told = [
            line
            for statement, values in seen
            for (line,) in await connection.exec_driver_sql(f"explain {statement}", values)
        ]
    return "\n".join(told)
