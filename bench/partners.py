"""Searching 20,000 businesses over HTTP beside the same search in bare SQL.

The rep of this bench sees them all. Calls and bare queries take turns, so that a busy neighbour disturbs both alike;
the judgement is by CPU, which waits of a busy machine do not touch.
"""

import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import httpx
import psycopg

from bench.measuring import Meter, percentile
from bench.signing_in import sign_in

PARTNERS = 20_000
IN_A_BLOCK = 40
REP = "owen"
"""An outside rep of the demo people."""

_FIRST = ("Aurora", "Beacon", "Cedar", "Delta", "Falcon", "Granite", "Harbour", "Juniper", "Maple")
_SECOND = ("Audio", "Auto", "Electric", "Motors", "Remote", "Sound", "Start", "Stereo", "Works")
_THIRD = ("North", "South", "East", "West", "Lake", "Hill", "Valley", "Bay", "Park", "Ridge")

_ADD = """
insert into partner (id, sap_bp_code, company_name, country, channel_slug)
select 'bench-' || n, 'NB' || lpad(n::text, 6, '0'),
       (%(first)s::text[])[n %% 9 + 1] || ' ' || (%(second)s::text[])[n / 9 %% 9 + 1] || ' '
         || (%(third)s::text[])[n / 81 %% 10 + 1] || ' ' || n / 810, 'CA', 'dealer-1'
from generate_series(1, %(count)s) n on conflict do nothing
"""
_LET_SEE = """
insert into rep_partner (person_id, partner_id)
select %s, id from partner where id like 'bench-%%' on conflict do nothing
"""
_BARE = """
with matched as (
  select p.id, p.sap_bp_code, p.company_name, round(word_similarity(%(typed)s, lower(p.company_name)) * 1000) as rank
  from partner p
  where exists (select from rep_partner r where r.person_id = %(rep)s and r.partner_id = p.id)
    and (lower(p.company_name) like %(part)s or %(typed)s <%% lower(p.company_name) or p.sap_bp_code like %(code)s)
)
select *, (select count(*) from matched) from matched order by rank desc, lower(company_name), id limit 101
"""


@dataclass(frozen=True)
class Searched:
    """Milliseconds: CPU of one call (API and database) and of one bare query, and the 95th percentile of the waits."""

    cpu: float
    query_cpu: float
    p95: float
    query_p95: float


async def measure_search(
    portal_url: str, owner_url: str, *, api: int, postgres: int, rounds: int = 5
) -> Searched:
    """`api` and `postgres` are process ids. Fills the database first."""
    async with (
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database,
        httpx.AsyncClient(
            base_url=portal_url, headers={"Origin": portal_url}, timeout=30
        ) as browser,
    ):
        await fill(database)
        await sign_in(browser, "owen.clarke")
        typed = _typed()

        async def call() -> None:
            await _call(browser, next(typed))

        async def ask() -> None:
            await _ask(database, next(typed))

        await _block(call, api, postgres)
        await _block(ask, api, postgres)
        asked, called = list[_Block](), list[_Block]()
        for _ in range(rounds):
            asked.append(await _block(ask, api, postgres))
            called.append(await _block(call, api, postgres))
    return Searched(
        cpu=statistics.median(block.cpu for block in called),
        query_cpu=statistics.median(block.cpu for block in asked),
        p95=percentile([wait for block in called for wait in block.waits], 0.95) * 1000,
        query_p95=percentile([wait for block in asked for wait in block.waits], 0.95) * 1000,
    )


@dataclass(frozen=True)
class _Block:
    cpu: float
    waits: list[float]


async def _block(work: Callable[[], Awaitable[None]], api: int, postgres: int) -> _Block:
    meter = Meter({"api": api}, {"postgres": postgres})
    waits = [await _timed(work) for _ in range(IN_A_BLOCK)]
    return _Block(sum(meter.spent().values()) * 1000 / IN_A_BLOCK, waits)


async def fill(database: psycopg.AsyncConnection, count: int = PARTNERS) -> None:
    values = {"first": list(_FIRST), "second": list(_SECOND), "third": list(_THIRD)}
    await database.execute(_ADD, {**values, "count": count})
    await database.execute(_LET_SEE, [REP])
    await database.execute("vacuum analyze partner, rep_partner")
    await database.execute("set pg_trgm.word_similarity_threshold = 0.4")
    await database.execute("set random_page_cost = 1.1")
    await database.execute("set cpu_operator_cost = 0.02")


def _typed() -> Iterator[str]:
    """What people type: a word, two words, a word with two letters swapped, the start of a code."""
    chance = random.Random(1)
    while True:
        first, second = chance.choice(_FIRST).lower(), chance.choice(_SECOND).lower()
        yield f"{first} {second}"
        yield f"{first} {second} {chance.choice(_THIRD).lower()}"
        yield f"{first[:2]}{first[3]}{first[2]}{first[4:]} {second}"
        yield f"nb0{chance.randint(100, 199)}"


async def _call(browser: httpx.AsyncClient, typed: str) -> None:
    answer = await browser.post("/api/business-partners", json={"limit": 100, "search": typed})
    answer.raise_for_status()
    assert answer.json()["edges"], typed


async def _ask(database: psycopg.AsyncConnection, typed: str) -> None:
    """What a page needs: its rows and the total."""
    values = {"rep": REP, "typed": typed, "part": f"%{typed}%", "code": f"%{typed.upper()}%"}
    await (await database.execute(_BARE, values)).fetchall()


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
