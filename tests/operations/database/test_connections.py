"""A connection is looked at before it is used, and asked only when it has something to say."""

import asyncio
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from db.base import Sessions, make_engine

OURS = "select 'the last that was asked'"

AT_THE_SERVER = {
    "statement_timeout": "30s",
    "lock_timeout": "15s",
    "idle_in_transaction_session_timeout": "1min",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
AT_OUR_END = {
    "connect_timeout": "3",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}


async def _pid(engine: AsyncEngine) -> int:
    """Of a connection of the pool, which was asked `OURS` last."""
    async with engine.connect() as connection:
        pid = await connection.scalar(text("select pg_backend_pid()"))
        await connection.execute(text(OURS))
        await connection.rollback()
    assert pid is not None
    return pid


async def _asked_last(sessions: Sessions, pid: int) -> str | None:
    async with sessions() as session:
        return await session.scalar(
            text("select query from pg_stat_activity where pid = :pid"), {"pid": pid}
        )


async def test_a_connection_has_an_end_of_every_wait(database_url: str) -> None:
    """Of a statement, a lock and an open transaction, and of an end of the line that is gone without a word."""
    engine = make_engine(database_url, pool_size=1)
    try:
        async with engine.connect() as connection:
            told = {name: await connection.scalar(text(f"show {name}")) for name in AT_THE_SERVER}
            raw = await connection.get_raw_connection()
            ours = cast("psycopg.AsyncConnection[Any]", raw.driver_connection).info
            asked = ours.get_parameters()
    finally:
        await engine.dispose()
    assert told == AT_THE_SERVER
    assert {name: asked.get(name) for name in AT_OUR_END} == AT_OUR_END


async def test_a_connection_that_stands_is_asked_nothing(
    database_url: str, sessions: Sessions
) -> None:
    engine = make_engine(database_url, pool_size=1)
    try:
        pid = await _pid(engine)
        before = await _asked_last(sessions, pid)
        async with engine.connect():
            assert await _asked_last(sessions, pid) == before
    finally:
        await engine.dispose()


@pytest.mark.parametrize("count", [1, 5])
async def test_all_that_the_database_has_closed_are_replaced(
    database_url: str, sessions: Sessions, count: int
) -> None:
    engine = make_engine(database_url, pool_size=count)
    try:
        together = asyncio.Barrier(count)

        async def use() -> int:
            async with engine.connect() as connection:
                await together.wait()
                pid = await connection.scalar(text("select pg_backend_pid()"))
                assert pid is not None
                return pid

        gone = set(await asyncio.gather(*(use() for _ in range(count))))
        async with sessions.begin() as session:
            ended = "select pg_terminate_backend(pid, 10000) from unnest(:pids) pid"
            await session.execute(text(ended), {"pids": list(gone)})
        fresh = set(await asyncio.gather(*(use() for _ in range(count))))
        assert len(fresh) == count
        assert not fresh & gone
    finally:
        await engine.dispose()


async def test_a_connection_that_has_only_said_something_is_kept(
    database_url: str, sessions: Sessions
) -> None:
    engine = make_engine(database_url, pool_size=1)
    try:
        async with engine.connect() as connection:
            await connection.execute(text("listen a_word"))
            await connection.commit()
            pid = await connection.scalar(text("select pg_backend_pid()"))
        async with sessions.begin() as session:
            await session.execute(text("notify a_word"))
        async with engine.connect() as connection:
            assert await connection.scalar(text("select pg_backend_pid()")) == pid
    finally:
        await engine.dispose()


async def test_days_and_months_are_those_of_utc_whatever_the_database_keeps(
    sessions: Sessions,
) -> None:
    """It says so itself: what comes from a client is above what a database or a role was set to."""
    asked = "select setting, source from pg_settings where name = 'TimeZone'"
    async with sessions() as session:
        assert (await session.execute(text(asked))).one() == ("UTC", "client")
