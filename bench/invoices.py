"""Lists and searches of the invoices of a business that has 30,000 of them, over HTTP beside the same in bare SQL; and its
statement as a PDF of a thousand lines.

The bare SQL of a page is every statement that its operation sends (`bench/bare.py`): the invoices, the ageing of all, and who
pays which. Calls and bare queries take turns, so that a busy neighbour disturbs both alike.
"""

import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from types import SimpleNamespace
from typing import Any, LiteralString, cast

import httpx
import psycopg

from api.billing.invoices.invoices import InvoicesQuery, invoices
from api.platform.deps import Portal
from bench.bare import Statements, statements_of
from bench.measuring import percentile
from bench.signing_in import sign_in
from db.base import Sessions, make_engine, make_sessions
from db.identity.people import find_user
from db.partner_tables import load_sites
from domain.identity.people import Actor

INVOICES = 30_000
STATEMENT_LINES = 1_000
IN_A_BLOCK = 30
OWNER = "olivia.marchand"
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
LOOKS = 30
"""Terms whose statements are written down."""

Asked = dict[str, Any]


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
        await sign_in(browser, OWNER)
        terms = _terms()

        searches = [{"search": next(terms), "limit": 30} for _ in range(LOOKS)]

        async def compared(name: str, bodies: Sequence[Asked]) -> Listed:
            turns = cycle(bodies)
            bare = cycle([await _asked(owner_url, body) for body in bodies])

            async def ask() -> None:
                for query, known in next(bare):
                    await (await database.execute(query.encode(), known)).fetchall()

            return await _compared(name, lambda: _call(browser, next(turns)), ask, rounds)

        listed = (
            await compared("list", [{"status": ["open"], "sort": "due-asc", "limit": 30}]),
            await compared("search", searches),
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


async def _asked(url: str, body: Asked) -> Statements:
    """Of one page, as the owner."""
    engine = make_engine(url)
    async with make_sessions(engine)() as session:
        owner = await find_user(session, "olivia")
        site = next(one for one in await load_sites(session) if one.code == "ca")
    await engine.dispose()
    actor = Actor(request_id="bench", site=site, user=owner)

    async def look(sessions: Sessions) -> None:
        portal = cast(Portal, SimpleNamespace(sessions=sessions))
        await invoices(portal, actor, InvoicesQuery.model_validate(body))

    return await statements_of(url, look)


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
