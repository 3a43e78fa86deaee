"""What is written down anywhere: every table of the database, and everything that the stand-ins remember."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from sqlalchemy import text

from db.tables import METADATA
from simulators.state import State
from tests.drivers.stage import Stage

Work = Callable[[], Awaitable[object]]
Written = dict[str, tuple[int, str]]
"""Table → how many rows, and a fingerprint of them."""

ASKED = {"ledger": "where effect = 1", "erp_session": "where false", "device": "where false"}
"""Of the stand-ins' tables, what tells an effect: each question is in the ledger, and stirs a session or a device."""


async def written(stage: Stage) -> Written:
    async with stage.sessions() as session:
        found: Written = {}
        for name in METADATA.tables:
            row = await session.execute(
                text(
                    f"select count(*), coalesce(sum(hashtextextended(t::text, 0)), 0)::text"
                    f' from "{name}" t'
                )
            )
            found[name] = tuple(row.one())
    return found | _remembered(stage.app.state.file)


def _remembered(state: State) -> Written:
    with state.transaction() as db:
        tables = db.execute(
            "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        ).fetchall()
        found: Written = {}
        for (name,) in tables:
            rows = db.execute(f"select * from {name} {ASKED.get(name, '')}").fetchall()
            found[f"stand-ins.{name}"] = (len(rows), str(hash(tuple(map(tuple, rows)))))
    return found


async def changed_by(
    stage: Stage, fresh: Callable[[], AbstractAsyncContextManager[Work]]
) -> set[str]:
    """The tables that change whenever the work is done that `fresh` prepares, by people and for things of its own each time, so
    that it writes what only a first time writes: what others write meanwhile is not written each of ten times."""
    always: set[str] | None = None
    for _ in range(10):
        async with fresh() as work:
            before = await written(stage)
            await work()
            after = await written(stage)
        changed = {name for name, rows in after.items() if rows != before[name]}
        always = changed if always is None else always & changed
        if not always:
            break
    return always or set()
