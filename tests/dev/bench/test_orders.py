"""The orders of years that measurements are made on."""

import psycopg

from bench.orders import LINES_EACH, fill
from db.base import Sessions
from tests.catalogue.factories import a_product
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.factories import a_partner

__all__ = ["database_url", "sessions"]


async def test_orders_of_years_are_spread_over_all_businesses_and_added_once(
    database_url: str, sessions: Sessions
) -> None:
    businesses = {await a_partner(sessions) for _ in range(3)}
    await a_product(sessions)
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as database:
        for _ in range(2):
            await fill(database, 30)
        found = await database.execute(
            "select partner_code, count(distinct o.id), count(*) from shop_order o"
            " join shop_order_line l on l.order_id = o.id group by partner_code"
        )
        rows = await found.fetchall()
    assert businesses <= {code for code, _, _ in rows}
    assert sum(orders for _, orders, _ in rows) == 30
    assert sum(lines for _, _, lines in rows) == 30 * LINES_EACH
