"""Runs the migrations as the owner of the tables. Two runs at once wait for each other.

A change of a table waits for whoever uses it, and everybody who comes after waits behind the change: so each waits for a moment
only, and is tried again.
"""

import logging
import time

from alembic import context
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import OperationalError

from db.base import psycopg_url
from db.tables import METADATA
from settings import Settings

LOCK = 7_310_001
"""Any fixed number of our own: the advisory lock of migrations."""

LOCK_TIMEOUT_MS = 3000
"""How long others may wait behind a change that waits for its table."""
TRIES, BETWEEN_TRIES_SECONDS = 60, 2.0

log = logging.getLogger(__name__)


def _url() -> str:
    """Whoever calls Alembic from Python may name the database; else the settings do."""
    return psycopg_url(context.config.attributes.get("url") or Settings().migrations_database_url)


def run_online() -> None:
    engine = create_engine(
        _url(),
        connect_args={"connect_timeout": 10, "options": f"-c lock_timeout={LOCK_TIMEOUT_MS}"},
    )
    with engine.connect() as connection:
        _wait_for_others(connection)
        for left in reversed(range(TRIES)):
            try:
                _migrate(connection)
                break
            except OperationalError as error:
                if not left or not isinstance(error.orig, LockNotAvailable):
                    raise
            connection.rollback()
            log.warning("a table is in use; the migration is tried again")
            time.sleep(BETWEEN_TRIES_SECONDS)
    engine.dispose()


def _wait_for_others(connection: Connection) -> None:
    """Asked again and again: an index that another run builds beside its writers waits for every statement that stands open."""
    while not connection.scalar(text("select pg_try_advisory_lock(:lock)"), {"lock": LOCK}):
        connection.rollback()
        time.sleep(0.2)
    connection.commit()


def _migrate(connection: Connection) -> None:
    """From the first that was not committed."""
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
