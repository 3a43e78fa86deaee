"""Runs the migrations as the owner of the tables. Two runs at once wait for each other."""

from alembic import context
from sqlalchemy import create_engine, text

from db.base import psycopg_url
from db.tables import METADATA
from settings import Settings

LOCK = 7_310_001
"""Any fixed number of our own: the advisory lock of migrations."""


def _url() -> str:
    """Whoever calls Alembic from Python may name the database; else the settings do."""
    return psycopg_url(context.config.attributes.get("url") or Settings().migrations_database_url)


def run_online() -> None:
    engine = create_engine(_url(), connect_args={"connect_timeout": 10})
    with engine.connect() as connection:
        connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=METADATA,
            compare_type=True,
            compare_server_default=True,
            # So that the locks of one are not held until the last has ended: the release before goes on meanwhile.
            transaction_per_migration=True,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


def run_offline() -> None:
    """Prints the SQL: `alembic upgrade head --sql`."""
    context.configure(
        url=_url(),
        target_metadata=METADATA,
        literal_binds=True,
        dialect_opts={"paramstyle": "named"},
    )
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    run_offline()
else:
    run_online()
