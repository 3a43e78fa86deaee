"""Orders of years, for measurements on much data: delivered and invoiced long ago, spread over all businesses."""

from typing import LiteralString

import psycopg

LINES_EACH = 3

_ADD: LiteralString = """
with business as (select array_agg(sap_bp_code order by id) as codes from partner)
insert into shop_order (id, token, status, partner_code, placed_by, placed_by_name, po_number, pieces, subtotal, freight, tax,
    taxes, total, shipping_method, shipping_address, billing_address, payment_type, payment_shown, channel, erp_number,
    accepted_at, created_at, updated_at)
select 'bench-' || n, 'bench-order-' || n, 'invoiced', codes[n %% cardinality(codes) + 1], 'bench', 'Bench Buyer', 'PO ' || n,
    %(lines)s, 10 * %(lines)s, 0, 0, '[]', 10 * %(lines)s, 'B2B-Ground', address, address, 'TERMS', 'TERMS', 'dealer-1',
    'BENCH-' || n, day, day, day
from business, generate_series(1, %(count)s) n,
    lateral (select timestamptz '2018-01-01 12:00+00' + n %% 2500 * interval '1 day' as day) at,
    (select '{"name": "Bench", "street": "1 Main Street", "city": "Regina", "country_area": "SK", "postal_code": "S4P 3Y2",
              "country": "CA"}'::jsonb as address) stood
on conflict do nothing
"""
_ADD_LINES: LiteralString = """
insert into shop_order_line (order_id, place, variant_id, product_id, sku, name, image, quantity, now, later, unit_price, total)
select 'bench-' || n, place, v.id, v.product_id, v.sku, v.name, '', 1, 1, 0, 10, 10
from (select array_agg(id order by id) as ids from variant) had, generate_series(1, %(count)s) n,
    generate_series(0, %(lines)s - 1) place
    join lateral (select * from variant where id = ids[(n * 7919 + place) %% cardinality(ids) + 1]) v on true
on conflict do nothing
"""


async def fill(database: psycopg.AsyncConnection, count: int) -> None:
    """Until there are so many. Idempotent; there are businesses and products already."""
    values = {"count": count, "lines": LINES_EACH}
    await database.execute(_ADD, values)
    await database.execute(_ADD_LINES, values)
    await database.execute("vacuum analyze shop_order, shop_order_line")
