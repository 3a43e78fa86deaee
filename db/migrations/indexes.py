"""Indexes on tables of before, built beside whoever reads and writes there."""

from typing import Any

import sqlalchemy as sa
from alembic import op


def build_index(name: str, table: str, columns: list[str | sa.TextClause], **more: Any) -> None:
    """First in a migration: it is committed by itself, and what an earlier try left of it is built anew. Nobody waits behind a
    build, so it waits for others as long as it takes."""
    with op.get_context().autocommit_block():
        op.execute("set lock_timeout = 0")
        op.drop_index(name, table_name=table, if_exists=True, postgresql_concurrently=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, **more)
        op.execute("reset lock_timeout")


def drop_built_index(name: str, table: str) -> None:
    with op.get_context().autocommit_block():
        op.drop_index(name, table_name=table, if_exists=True, postgresql_concurrently=True)
