"""The migrations make the tables that the code describes."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from db.base import make_engine, make_sessions, psycopg_url, reading
from db.tables import METADATA
from dev.servers import Servers
from tests.drivers.until import until

ROOT = Path(__file__).resolve().parents[3]
WAITING = """
    select count(*) from pg_locks where relation = 'device_log'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())
"""


@pytest.mark.filterwarnings("ignore:Expression .* detected to include an operator clause")
def test_the_migrations_make_what_the_code_describes(database_urls: tuple[str, str]) -> None:
    engine = create_engine(psycopg_url(database_urls[1]))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        differences = compare_metadata(context, METADATA)
    engine.dispose()
    assert differences == []


def test_each_migration_is_a_transaction_of_its_own(database_urls: tuple[str, str]) -> None:
    """By the transaction that made the type of a table's rows, which nothing changes later."""
    tables = ["shop_order", "shop_order_invoice", "invoice", "payment"]
    engine = create_engine(psycopg_url(database_urls[1]))
    with engine.connect() as connection:
        made = connection.execute(
            text("select typname, xmin::text from pg_type where typname = any(:tables)"),
            {"tables": tables},
        ).all()
    engine.dispose()
    assert sorted(one.typname for one in made) == sorted(tables)
    assert len({one.xmin for one in made}) == len(tables)


def test_migrations_sort_by_the_name_of_their_files() -> None:
    scripts = ScriptDirectory(str(ROOT / "db" / "migrations"))
    files = [Path(script.path).name for script in scripts.walk_revisions()]
    assert files == sorted(files, reverse=True)


async def test_nobody_waits_for_long_behind_a_migration_that_waits_for_a_table(
    servers: Servers, worker_id: str
) -> None:
    """It gives up its place, and is tried again until the table is free."""
    with servers.database(f"migrated_{worker_id}") as (_, owner):
        engine = make_engine(owner)
        sessions = make_sessions(engine)

        async def waiting() -> int:
            async with reading(sessions) as session:
                return int(await session.scalar(text(WAITING)) or 0)

        async with sessions() as reader:
            await (await alembic(owner, "downgrade", "device_changes")).wait()
            await reader.execute(text("lock table device_log in access share mode"))
            migrating = await alembic(owner, "upgrade", "audit_requests")
            await until(waiting, lambda count: count == 1)
            await until(waiting, lambda count: count == 0)
            await reader.rollback()
            assert await migrating.wait() == 0
            await reader.execute(text("select taken_until from device_log"))
        await engine.dispose()


async def alembic(url: str, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "alembic",
        *words,
        cwd=ROOT,
        env={**os.environ, "MIGRATIONS_DATABASE_URL": url},
        stderr=asyncio.subprocess.DEVNULL,
    )
