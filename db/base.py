"""The engine, the session maker and the base of all tables."""

import select
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Any, ClassVar, TypeVar, cast

import orjson
import psycopg
import structlog
from psycopg.errors import DeadlockDetected
from sqlalchemy import ColumnElement, DateTime, MetaData, event
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError, OperationalError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import ConnectionPoolEntry

T = TypeVar("T")

log = structlog.stdlib.get_logger()

NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

Sessions = async_sessionmaker[AsyncSession]
Executes = AsyncSession | AsyncConnection
"""What a single written statement needs."""


class Base(DeclarativeBase):
    """Every time has its zone; a row is named `…Row` and stays in this folder."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: DateTime(timezone=True)}


def columns_of(rows: type[Base]) -> tuple[ColumnElement[Any], ...]:
    """All of a table, for what `Executes` reads: a connection has no `get`, and makes no objects of rows."""
    return tuple(rows.__table__.columns)


def psycopg_url(url: str) -> str:
    """`postgresql://…` as SQLAlchemy wants it for psycopg, password included."""
    return make_url(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


PROCESS_SETTING = "turnkey.process"
"""Set on every connection of a process that has a number."""

PROCESS_LOCK = 7_352_002
"""The first half of the advisory lock that a process with a number holds while it lives; the second is the number."""


MOST_SECONDS = 30
"""Of one statement of a request or an activity: each takes milliseconds, and what waits longer waits for ever."""

LOCK_SECONDS = 15
IDLE_SECONDS = 60
"""How long a transaction may stand open without a statement: its locks would hold up everybody."""


MAX_PREPARED = 300
"""Statements that a connection keeps prepared, the last used: more than a process has that come often."""

LINE: dict[str, Any] = {
    "connect_timeout": 3,
    "application_name": "turnkey",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""What libpq is told of every connection: a server that is gone is noticed within seconds."""

OTHER_END = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
}
"""The same of the server: a process that is gone holds no lock for longer."""


def make_engine(
    url: str,
    *,
    pool_size: int = 8,
    ping: bool = True,
    process: int | None = None,
    is_limited: bool = True,
    most_seconds: float = MOST_SECONDS,
) -> AsyncEngine:
    """An engine that waits at most 3 s for a free or a new connection; days and months are those of UTC, whatever zone the
    database keeps. `process` is the number of a process that says by
    a lock that it lives. A statement may take `most_seconds`, and without `is_limited` as long as it takes: loading data.

    `ping` looks at each connection before it is used, so that a restart of the database costs nobody a request.
    """
    options: dict[str, int | str] = {**OTHER_END, "timezone": "UTC"}
    if process is not None:
        options[PROCESS_SETTING] = process
    if is_limited:
        options |= {
            "statement_timeout": round(most_seconds * 1000),
            "lock_timeout": round(min(most_seconds, LOCK_SECONDS) * 1000),
            "idle_in_transaction_session_timeout": IDLE_SECONDS * 1000,
        }
    engine = create_async_engine(
        psycopg_url(url),
        pool_size=pool_size,
        max_overflow=pool_size // 2,
        pool_timeout=3,
        pool_use_lifo=True,
        skip_autocommit_rollback=True,
        connect_args={
            **LINE,
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
        },
        json_serializer=_to_json,
        json_deserializer=orjson.loads,
        hide_parameters=True,
    )
    _set_prepared_max(engine)
    if ping:
        _look_before_use(engine)
    return engine


def _set_prepared_max(engine: AsyncEngine) -> None:
    def set_it(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
        driver = cast("psycopg.AsyncConnection[Any]", record.driver_connection)
        driver.prepared_max = MAX_PREPARED

    event.listen(engine.sync_engine, "connect", set_it)


def _look_before_use(engine: AsyncEngine) -> None:
    """A connection that the database has closed has something to read while nothing was asked: only such a one is asked
    whether it still answers, which costs a round trip. All older ones are given up with one that does not."""

    def look(connection: DBAPIConnection, record: ConnectionPoolEntry, _: object) -> None:
        driver = cast("psycopg.AsyncConnection[Any]", record.driver_connection)
        try:
            said = select.poll()
            said.register(driver.fileno(), select.POLLIN)
            if said.poll(0):
                engine.dialect.do_ping(connection)
        except psycopg.Error as error:
            raise InvalidatePoolError from error

    event.listen(engine.sync_engine, "checkout", look)


def make_sessions(engine: AsyncEngine) -> Sessions:
    return async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def reading(sessions: Sessions) -> AsyncGenerator[AsyncSession]:
    """A session that only reads. Each statement stands alone, as it does anyway where each sees what is committed by
    then: no round trip begins a transaction, and none ends it."""
    async with sessions() as session:
        await session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
        yield session


def plain_reading(sessions: Sessions) -> AbstractAsyncContextManager[AsyncConnection]:
    """As `reading`, where columns alone are read: without a session, which costs as much as a statement or two."""
    return one_statement(sessions)


async def once_more(work: Callable[[], Awaitable[T]]) -> T:
    """What `work` brings, a transaction of its own: once more if the database ended it because it and another waited for each
    other."""
    try:
        return await work()
    except OperationalError as error:
        if not isinstance(error.orig, DeadlockDetected):
            raise
        log.warning("two transactions waited for each other")
    return await work()


@asynccontextmanager
async def one_statement(sessions: Sessions) -> AsyncGenerator[AsyncConnection]:
    """A connection whose every statement PostgreSQL commits by itself: one round trip instead of three."""
    engine: AsyncEngine = sessions.kw["bind"]
    async with engine.connect() as connection:
        yield await connection.execution_options(isolation_level="AUTOCOMMIT")


def _to_json(value: Any) -> str:
    return orjson.dumps(value).decode()
