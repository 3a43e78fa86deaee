"""What somebody may type to find a trace: an id as it is, or an order's number, which spans do not name."""

import re
from collections.abc import Sequence

import psycopg

ORDER_NUMBER = re.compile(r"^T-[0-9]{1,12}$", re.IGNORECASE)


def names_of(typed: str, database_url: str) -> Sequence[str]:
    """The ids by which spans may know it; the id of a run of ours also without its workflow's beginning."""
    if not ORDER_NUMBER.match(typed):
        return [typed]
    try:
        with psycopg.connect(database_url, connect_timeout=3) as connection:
            rows = connection.execute(
                "select workflow_id, token from shop_order where number = upper(%s)", [typed]
            ).fetchall()
    except psycopg.Error:
        return [typed]
    return [typed, *(name for row in rows for name in (row[0], f"order-{row[1]}") if name)]
