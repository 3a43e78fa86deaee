"""Many rows at once, by COPY, in the transaction of a session."""

from collections.abc import Iterable

from psycopg import AsyncConnection, sql
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base


async def copy_rows(
    session: AsyncSession, table: type[Base], columns: str, rows: Iterable[tuple[object, ...]]
) -> None:
    """`columns` are parted by blanks."""
    connection = await session.connection()
    driver: AsyncConnection | None = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    statement = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table.__tablename__),
        sql.SQL(", ").join(map(sql.Identifier, columns.split())),
    )
    async with driver.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            await copy.write_row(row)
