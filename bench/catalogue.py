"""Searching and opening products over HTTP beside the same statements in bare SQL.

The caller owns a business with approved brands and prices of its own, so that every page is priced and sorted for them.
Calls and bare queries take turns, and are judged by CPU, as in `bench.partners`.
"""

import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import httpx
import psycopg

from bench.figures import Figure, at_most
from bench.measuring import Meter, percentile
from bench.signing_in import sign_in
from db.demo.catalogue.products import KINDS, product_id

IN_A_BLOCK = 40
OWNER = "olivia.marchand"
CHANNEL, SCOPE, APPROVED = (
    "dealer-2",
    "partner:N1001",
    ["compustar", "compustar-pro", "dronemobile", "firstech", "idatalink", "maestro"],
)
"""What the demo set says of the owner's business."""
PAGE = 24
LOADED_WITHIN, LARGE = 600, 100_000
"""Seconds for so many products: six million prices with the agreed ones."""

_HOLDS = "{0}.scope = %(scope_{0})s and {0}.variant_id = p.default_variant_id and {0}.starts_at <= now() and {0}.ends_at > now()"
_PRICES = f"left join effective_price c on {_HOLDS.format('c')} left join effective_price a on {_HOLDS.format('a')}"
_AMOUNT = "case when p.brand_slug = any(%(approved)s) then coalesce(a.amount, c.amount, p.msrp) else p.msrp end"
_SEARCH = f"""
with m as (
  select p.id, p.name_key, {_AMOUNT} as price from product p {_PRICES} where p.words @@ %(query)s::tsquery
), t as (select * from m order by price desc nulls last, name_key, id limit %(limit)s offset %(skip)s)
select t.price, p.*, b.name, g.name, s.on_hand, l.name, (select count(*) from m)
from t join product p on p.id = t.id join brand b on b.slug = p.brand_slug join category g on g.slug = p.category_slug
left join stock s on s.variant_id = p.default_variant_id {_PRICES}
left join price_list l on l.id = coalesce(a.list_id, c.list_id)
order by t.price desc nulls last, t.name_key, t.id
"""
_BROWSE = _SEARCH.replace("where p.words @@ %(query)s::tsquery", "")
_PRODUCT = f"""
select p.*, g.description, v.sku, v.msrp, s.on_hand, l.name, {_AMOUNT},
  array(select r.related_id from related_product r where r.product_id = p.id)
from product p join product_page g on g.product_id = p.id join variant v on v.product_id = p.id
left join stock s on s.variant_id = v.id {_PRICES} left join price_list l on l.id = coalesce(a.list_id, c.list_id)
where p.id = %(id)s
"""


@dataclass(frozen=True)
class Compared:
    """Milliseconds of CPU of one call (API and database) and of one bare query, and the 95th percentile of the waits."""

    name: str
    cpu: float
    query_cpu: float
    p95: float
    query_p95: float


def loading(seconds: float, products: int) -> Figure:
    """Of the products with all their prices. The goal is one of the large catalogue: a smaller one says nothing of it."""
    if products < LARGE:
        return Figure("catalogue.load", round(seconds, 1), "s")
    return at_most("catalogue.load", seconds, LOADED_WITHIN, "s")


@dataclass(frozen=True)
class _Kind:
    """A call and its bare query; both get the same values."""

    name: str
    call: Callable[[httpx.AsyncClient, dict[str, object]], Awaitable[httpx.Response]]
    query: str
    values: Iterator[dict[str, object]]


async def measure_catalogue(
    portal_url: str, owner_url: str, *, api: int, postgres: int, products: int, rounds: int = 3
) -> list[Compared]:
    """`api` and `postgres` are process ids. The database must hold so many products."""
    async with (
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database,
        httpx.AsyncClient(
            base_url=portal_url, headers={"Origin": portal_url}, timeout=60
        ) as browser,
    ):
        await database.execute(
            "vacuum analyze product, variant, stock, effective_price, price_list"
        )
        await sign_in(browser, OWNER)
        browser.headers["X-Channel-Type"] = CHANNEL
        kinds = _kinds(products)
        return [await _compare(kind, browser, database, api, postgres, rounds) for kind in kinds]


def _kinds(products: int) -> list[_Kind]:
    last_page = min(1000, products // PAGE)
    return [
        _Kind("search", _search, _SEARCH, _typed()),
        _Kind("browse_page_1", _search, _BROWSE, _pages(1)),
        _Kind(f"browse_page_{last_page}", _search, _BROWSE, _pages(last_page)),
        _Kind("product", _product, _PRODUCT, _ids(products)),
    ]


async def _compare(
    kind: _Kind,
    browser: httpx.AsyncClient,
    database: psycopg.AsyncConnection,
    api: int,
    postgres: int,
    rounds: int,
) -> Compared:
    eyes: dict[str, object] = {"scope_c": CHANNEL, "scope_a": SCOPE, "approved": APPROVED}

    async def call() -> None:
        answer = await kind.call(browser, next(kind.values))
        answer.raise_for_status()

    async def ask() -> None:
        await (
            await database.execute(kind.query.encode(), {**eyes, **next(kind.values)})
        ).fetchall()

    await _block(call, api, postgres)
    await _block(ask, api, postgres)
    asked, called = list[_Block](), list[_Block]()
    for _ in range(rounds):
        asked.append(await _block(ask, api, postgres))
        called.append(await _block(call, api, postgres))
    return Compared(
        name=kind.name,
        cpu=statistics.median(block.cpu for block in called),
        query_cpu=statistics.median(block.cpu for block in asked),
        p95=percentile([wait for block in called for wait in block.waits], 0.95) * 1000,
        query_p95=percentile([wait for block in asked for wait in block.waits], 0.95) * 1000,
    )


async def _search(browser: httpx.AsyncClient, values: dict[str, object]) -> httpx.Response:
    body = {"limit": PAGE, "searchTerm": values.get("typed", ""), "page": values.get("page", 1)}
    return await browser.post("/api/search-products", json=body)


async def _product(browser: httpx.AsyncClient, values: dict[str, object]) -> httpx.Response:
    return await browser.get(f"/api/product-by-id/{values['id']}")


def _typed() -> Iterator[dict[str, object]]:
    """A word, two words, the first letters of one."""
    chance = random.Random(1)
    things = [word.lower() for kind in KINDS for thing in kind.things for word in thing.split()]
    words = sorted({word for word in things if word.isalpha() and len(word) > 3})
    brands = sorted({brand.split()[0].lower() for kind in KINDS for brand in kind.brands})
    while True:
        for typed in (
            chance.choice(words),
            f"{chance.choice(brands)} {chance.choice(words)}",
            chance.choice(words)[:4],
        ):
            query = " & ".join(f"'{word}':*" for word in typed.split())
            yield {"typed": typed, "query": query, "limit": PAGE + 1, "skip": 0}


def _pages(page: int) -> Iterator[dict[str, object]]:
    while True:
        yield {"page": page, "limit": PAGE + 1, "skip": (page - 1) * PAGE}


def _ids(products: int) -> Iterator[dict[str, object]]:
    chance = random.Random(2)
    while True:
        yield {"id": product_id(chance.randint(1, products))}


@dataclass(frozen=True)
class _Block:
    cpu: float
    waits: list[float]


async def _block(work: Callable[[], Awaitable[None]], api: int, postgres: int) -> _Block:
    meter = Meter({"api": api}, {"postgres": postgres})
    waits = [await _timed(work) for _ in range(IN_A_BLOCK)]
    return _Block(sum(meter.spent().values()) * 1000 / IN_A_BLOCK, waits)


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
