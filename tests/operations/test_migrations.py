"""The migrations make the tables that the code describes."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from db.base import psycopg_url
from db.tables import METADATA


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
    root = Path(__file__).resolve().parents[2]
    scripts = ScriptDirectory(str(root / "db" / "migrations"))
    files = [Path(script.path).name for script in scripts.walk_revisions()]
    assert files == sorted(files, reverse=True)
