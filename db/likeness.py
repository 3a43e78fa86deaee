"""Finding words: as they were typed, or in spite of errors by their trigrams."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_ALLOWED = text(
    "select set_config('pg_trgm.word_similarity_threshold', :least, true),"
    " set_config('random_page_cost', '1.1', true), set_config('cpu_operator_cost', '0.02', true)"
)


ESCAPE = "/"


def escaped(term: str) -> str:
    """`term` to be looked for with `like … escape ESCAPE`: each of its signs stands for itself."""
    for sign in (ESCAPE, "%", "_"):
        term = term.replace(sign, ESCAPE + sign)
    return term


async def allow_for_errors(session: AsyncSession, *, least: str) -> None:
    """For this transaction, without which nothing would be allowed: raises RuntimeError in a session that only reads.

    `least` is how alike two words must be, 0 to 1. The operator `<%` can use the index, the function cannot; and the
    planner, who takes a comparison of trigrams to be as cheap as one of numbers, must be shown the way to the index.
    """
    connection = (await session.connection()).sync_connection
    if connection and connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT":
        raise RuntimeError("what is allowed for a transaction needs one")
    await session.execute(_ALLOWED, {"least": least})
