"""Lists and searches of the invoices of a business that has 30,000 of them, over HTTP beside the same in bare SQL; and its
statement as a PDF of a thousand lines.

Calls and bare queries take turns, so that a busy neighbour disturbs both alike.
"""

import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, LiteralString

import httpx
import psycopg

from bench.measuring import percentile
from db.demo.people import PASSWORD

INVOICES = 30_000
STATEMENT_LINES = 1_000
IN_A_BLOCK = 30
OWNER = "olivia.marchand@turnkey.example"
PARTNER = "N1001"
"""Her business, of the demo data."""

_STATEMENT_DAY = "2019-03-01"
"""On which a thousand of them were issued, and nothing else was."""

_ADD: LiteralString = """
insert into invoice (number, partner_code, version, create_date, due_date, order_number, po_number, subtotal, freight, tax,
    total, paid, payoff, early_pay, settled_with)
select 'BENCH-' || lpad(n::text, 6, '0'), %(partner)s, 1, day, day + 30, 'B-' || n, 'PO ' || n, 100, 0, 0,
    100, case when n %% 20 = 0 then 0 else 100 end, case when n %% 20 = 0 then 100 else 0 end, '[]', '[]'
from (select n, case when n <= %(lines)s then %(day)s::date else date '2020-01-01' + n %% 2000 end as day
      from generate_series(1, %(count)s) n) made
on conflict do nothing
"""
_LIST: LiteralString = """
with fitting as (select * from invoice where partner_code = %(partner)s and balance > 0)
select *, (select count(*) from fitting) from fitting order by due_date, number limit 31
"""
_SEARCH: LiteralString = """
with fitting as (select * from invoice where partner_code = %(partner)s and searched ilike %(part)s)
select *, (select count(*) from fitting) from fitting order by create_date desc, number desc limit 31
"""


@dataclass(frozen=True)
class Listed:
    """Milliseconds, 95th percentiles of the waits: of a call, and of its bare query."""

    name: str
    p95: float
    query_p95: float


@dataclass(frozen=True)
class Invoices:
    """`statement` is seconds for the PDF."""

    listed: tuple[Listed, ...]
    statement: float


async def measure_invoices(portal_url: str, owner_url: str, *, rounds: int = 5) -> Invoices:
    """Fills the database first."""
    async with (
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database,
        httpx.AsyncClient(
            base_url=portal_url, headers={"Origin": portal_url}, timeout=60
        ) as browser,
    ):
        await _fill(database)
        await _sign_in(browser)
        terms = _terms()

        async def call_list() -> None:
            await _call(browser, {"status": ["open"], "sort": "due-asc", "limit": 30})

        async def ask_list() -> None:
            await _ask(database, _LIST)

        async def call_search() -> None:
            await _call(browser, {"search": next(terms), "limit": 30})

        async def ask_search() -> None:
            await _ask(database, _SEARCH, part=f"%{next(terms)}%")

        listed = (
            await _compared("list", call_list, ask_list, rounds),
            await _compared("search", call_search, ask_search, rounds),
        )
        return Invoices(listed, await _statement(browser))


async def _compared(
    name: str, call: Callable[[], Awaitable[None]], ask: Callable[[], Awaitable[None]], rounds: int
) -> Listed:
    called, asked = list[float](), list[float]()
    for number in range(rounds + 1):
        asks = [await _timed(ask) for _ in range(IN_A_BLOCK)]
        calls = [await _timed(call) for _ in range(IN_A_BLOCK)]
        if number > 0:  # the first block warms up
            asked += asks
            called += calls
    return Listed(name, percentile(called, 0.95) * 1000, percentile(asked, 0.95) * 1000)


async def _statement(browser: httpx.AsyncClient) -> float:
    """The median of a few, of exactly so many lines."""
    days = {"from": _STATEMENT_DAY, "to": _STATEMENT_DAY}
    page = (await browser.get("/v1/statement", params=days)).raise_for_status().json()
    if page["count"] != STATEMENT_LINES:
        raise ValueError(f"the statement has {page['count']} lines")

    async def print_it() -> None:
        answer = await browser.get("/v1/statement.pdf", params=days)
        answer.raise_for_status()
        assert answer.content.startswith(b"%PDF")

    await print_it()
    return statistics.median([await _timed(print_it) for _ in range(5)])


async def _fill(database: psycopg.AsyncConnection[Any]) -> None:
    values = {
        "partner": PARTNER,
        "count": INVOICES,
        "lines": STATEMENT_LINES,
        "day": _STATEMENT_DAY,
    }
    await database.execute(_ADD, values)
    await database.execute("vacuum analyze invoice")
    await database.execute("set random_page_cost = 1.1")


async def _sign_in(browser: httpx.AsyncClient) -> None:
    answer = await browser.post("/v1/auth/sign-in", json={"username": OWNER, "password": PASSWORD})
    answer.raise_for_status()
    browser.headers["X-Access-Token"] = answer.json()["access_token"]


def _terms() -> Iterator[str]:
    """What people type: a part of a number, of an order's, of a PO."""
    chance = random.Random(1)
    while True:
        number = chance.randint(10_000, INVOICES - 1)
        yield f"BENCH-0{number}"
        yield f"B-{number // 10}"
        yield f"PO {number}"


async def _call(browser: httpx.AsyncClient, body: dict[str, Any]) -> None:
    answer = await browser.post("/api/invoices", json=body)
    answer.raise_for_status()
    assert answer.json()["results"], body


async def _ask(database: psycopg.AsyncConnection[Any], query: LiteralString, **more: str) -> None:
    """What a page needs: its rows and the total."""
    await (await database.execute(query, {"partner": PARTNER, **more})).fetchall()


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
