"""Fills the portal's own database with the catalogue and the customers of the comparison.

Each customer owns a business in Alberta, so that 5 % tax is added, with a price list like everybody's and no credit limit
worth the name. Runs as the owner of the tables.
"""

from collections.abc import Iterable, Sequence

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from bench.peer.catalogue import Record
from domain.catalogue.products import slug_of, words_of
from providers.security.passwords import Passwords

PROVINCE = "AB"
LIMIT = 1_000_000_000


async def fill(url: str, products: Sequence[Record], customers: Sequence[Record]) -> None:
    """`url` is that of the owner. Idempotent for the same rows."""
    async with await psycopg.AsyncConnection.connect(url) as database:
        if await (
            await database.execute("select 1 from product where id = 'b1' limit 1")
        ).fetchone():
            return
        await _add_products(database, products)
        await _add_customers(database, customers)
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as database:
        await database.execute("vacuum analyze")


def accounts(customers: Sequence[Record]) -> list[dict[str, object]]:
    """The same as the ERP is to have it: the portal asks it anew while the load runs."""
    return [
        {"code": _code(one), "balance": 0, "credit_limit": LIMIT, "past_due": 0}
        for one in customers
    ]


async def _add_products(database: psycopg.AsyncConnection, products: Sequence[Record]) -> None:
    for table, names in (
        ("brand", {one["brand"] for one in products}),
        ("category", {one["category"] for one in products}),
    ):
        await database.cursor().executemany(
            sql.SQL("insert into {} (slug, name) values (%s, %s) on conflict do nothing").format(
                sql.Identifier(table)
            ),
            [(slug_of(name), name) for name in sorted(names)],
        )
    await _copy(
        database,
        "product (id, name, brand_slug, category_slug, default_variant_id, sku, msrp, image, search_text)",
        (
            (f"b{one['n']}", one["name"], slug_of(one["brand"]), slug_of(one["category"]), f"b{one['n']}",
             one["sku"], _price(one), "/pictures/products/accessories.svg", _words(one))
            for one in products
        ),
    )  # fmt: skip
    await _copy(
        database,
        "product_page (product_id, description, attributes)",
        (
            (
                f"b{one['n']}",
                Jsonb([{"type": "paragraph", "text": one["description"]}]),
                Jsonb([{"name": "Brand Name", "slug": "brand-name", "values": [one["brand"]]}]),
            )
            for one in products
        ),
    )
    await _copy(
        database,
        "variant (id, product_id, sku, name, position, msrp)",
        (
            (f"b{one['n']}", f"b{one['n']}", one["sku"], one["name"], 0, _price(one))
            for one in products
        ),
    )
    await _copy(
        database,
        "stock (variant_id, on_hand)",
        ((f"b{one['n']}", one["stock"]) for one in products),
    )


async def _add_customers(database: psycopg.AsyncConnection, customers: Sequence[Record]) -> None:
    hashed = Passwords()
    brands = [row[0] for row in await (await database.execute("select slug from brand")).fetchall()]
    for one in customers:
        key, code = f"bench-{one['n']}", _code(one)
        await database.execute(
            "insert into partner (id, sap_bp_code, company_name, country, approved_brands, account_balance,"
            " credit_limit, past_due_invoices, invoice_count, mirrored_at)"
            " values (%s, %s, %s, 'CA', %s, 0, %s, 0, 0, now())",
            (key, code, one["company"], brands, LIMIT),
        )
        for kind in ("SHIPPING", "BILLING"):
            await database.execute(
                "insert into partner_address (id, partner_id, kind, is_default, name, street, city, country_area,"
                " postal_code, country) values (%s, %s, %s, true, %s, %s, %s, %s, %s, 'CA')",
                (f"{key}-{kind.lower()}", key, kind, one["company"], one["street"], one["city"], PROVINCE,
                 one["postal_code"]),
            )  # fmt: skip
        await database.execute(
            "insert into dealer (id, partner_id, name) values (%s, %s, %s)",
            (key, key, one["company"]),
        )
        await database.execute(
            "insert into person (id, drone_user_id, email, password_hash, first_name, last_name, dealer_id,"
            " confirmed_at) values (%s, %s, %s, %s, %s, %s, %s, now())",
            (
                key,
                f"drone-{key}",
                one["email"],
                await hashed.hash(one["password"]),
                one["first_name"],
                one["last_name"],
                key,
            ),
        )
        await database.execute(
            "insert into installer (person_id, is_owner, is_purchaser) values (%s, true, true)",
            (key,),
        )


def _code(one: Record) -> str:
    return f"N9{one['n']:05d}"


def _price(one: Record) -> str:
    return f"{one['price_cents'] / 100:.2f}"


def _words(one: Record) -> str:
    return words_of(one["name"], one["brand"], one["category"], one["sku"])


async def _copy(
    database: psycopg.AsyncConnection, target: str, rows: Iterable[tuple[object, ...]]
) -> None:
    async with (
        database.cursor() as cursor,
        cursor.copy(f"copy {target} from stdin".encode()) as copy,
    ):
        for row in rows:
            await copy.write_row(row)
