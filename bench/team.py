"""Pages of a large dealer beside their bare SQL: 80 installers, 2,000 open activations.

The board is its page and its counts, the start page of the owner up to nine parts. The bare SQL of each is every statement
that its operation sends (`bench/bare.py`). Calls and bare queries take turns, so that a busy neighbour disturbs both alike. The
board's 95th percentile must be at most 3 times that of the bare queries; the start page has no goal yet.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import httpx
import psycopg

from api.content.start_page import get_start_page
from api.dealers.team import OpenFilters, list_open_activations
from api.platform.deps import Portal
from bench.bare import Statements, statements_of
from bench.figures import Figure, Results
from bench.measuring import percentile
from bench.signing_in import sign_in
from bench.sizes import Sizes
from db.base import Sessions, make_engine, make_sessions
from db.demo.people import HARBOUR
from db.identity.people import find_user
from db.partner_tables import load_sites
from dev.servers import own_folder
from dev.stack import stack
from domain.identity.people import Actor

INSTALLERS, OPEN = 80, 2_000
ROUNDS, IN_A_ROUND = 5, 40
OWNER = "olivia.marchand"

_PEOPLE = """
insert into person (id, email, first_name, last_name, drone_user_id, dealer_id, permission_groups)
select 'bench-' || n, 'bench-' || n || '@people.example', 'Bench', 'Hand ' || n, 'bench-' || n, %(dealer)s, '{}'
from generate_series(1, %(people)s) n on conflict do nothing
"""
_RUNS = """
insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view, device_key, site, dealer_id,
                  owner_id, created_at, updated_at)
select 'bench' || n, 'activation', known.version, 'bench-' || n, 'run', 5, 4,
       (array['check-firmware', 'verify-connection/waiting', 'device-testing', 'set-vehicle-details'])[n %% 4 + 1],
       '{}',
       known.view || jsonb_build_object(
           'owner', 'Bench Hand', 'position', n %% 9, 'total', 9,
           'device', known.view->'device' || jsonb_build_object(
               'product_name', (array['ft-x1', 'ft-x2', 'ft-xc'])[n %% 3 + 1]),
           'reason', (select string_agg(md5(n::text || m), ' ') from generate_series(1, 100) m)),
       'BENCH-' || lpad(n::text, 8, '0'), 'ca', %(dealer)s, 'bench-' || n %% %(people)s + 1,
       now() - n * interval '1 minute', now() - n * interval '1 minute'
from generate_series(1, %(open)s) n,
     (select version, view from flow where kind = 'activation' order by ended_at nulls first limit 1) known
on conflict do nothing
"""


def measure(_sizes: Sizes, results: Results) -> None:
    """On a portal of its own."""
    with own_folder() as folder, stack(folder) as running:
        # The reconciler would end what has no run.
        running.kill("worker")
        results.record(asyncio.run(_measure(running.portal_url, running.migrations_database_url)))


async def _measure(portal_url: str, owner_url: str) -> list[Figure]:
    async with (
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database,
        httpx.AsyncClient(
            base_url=portal_url, headers={"Origin": portal_url}, timeout=30
        ) as browser,
    ):
        values = {"dealer": HARBOUR.id, "people": INSTALLERS, "open": OPEN}
        await database.execute(_PEOPLE, values)
        begun = await database.execute(_RUNS, values)
        if begun.rowcount != OPEN:
            raise ValueError(f"{begun.rowcount} activations are open")
        await database.execute("vacuum analyze flow, person")
        await sign_in(browser, OWNER)

        of_board = await _asked(owner_url, _look_at_board)
        of_start_page = await _asked(owner_url, _look_at_start_page)

        async def ask(statements: Statements) -> None:
            for query, known in statements:
                await (await database.execute(query.encode(), known)).fetchall()

        board = f"/v1/dealers/{HARBOUR.id}/open-activations"
        return [
            *await _compared("board", browser, board, lambda: ask(of_board), at_most=3),
            *await _compared(
                "start_page",
                browser,
                "/v1/start-page?scope=dealer",
                lambda: ask(of_start_page),
            ),
        ]


Look = Callable[[Portal, Actor], Awaitable[object]]


async def _look_at_board(portal: Portal, actor: Actor) -> None:
    await list_open_activations(portal, actor, HARBOUR.id, OpenFilters())


async def _look_at_start_page(portal: Portal, actor: Actor) -> None:
    await get_start_page(portal, actor, "dealer")


async def _asked(url: str, look: Look) -> Statements:
    """Of one look as the owner."""
    engine = make_engine(url)
    async with make_sessions(engine)() as session:
        owner = await find_user(session, "olivia")
        site = next(one for one in await load_sites(session) if one.code == "ca")
    await engine.dispose()

    def put_off(_name: str, errand: Coroutine[Any, Any, None]) -> None:
        errand.close()

    errands = SimpleNamespace(begin=put_off)
    actor = Actor(request_id="bench", site=site, user=owner)

    async def at(sessions: Sessions) -> None:
        await look(cast(Portal, SimpleNamespace(sessions=sessions, errands=errands)), actor)

    return await statements_of(url, at)


async def _compared(
    name: str,
    browser: httpx.AsyncClient,
    address: str,
    ask: Callable[[], Awaitable[None]],
    *,
    at_most: float | None = None,
) -> list[Figure]:
    async def call() -> None:
        answer = await browser.get(address)
        answer.raise_for_status()

    called, asked = list[float](), list[float]()
    await _block(call)
    await _block(ask)
    for _ in range(ROUNDS):
        asked += await _block(ask)
        called += await _block(call)
    p95, bare = percentile(called, 0.95) * 1000, percentile(asked, 0.95) * 1000
    ratio = p95 / bare
    goal = (None, None) if at_most is None else (f"<= {at_most:g}", ratio <= at_most)
    return [
        Figure(f"team.{name}_p50", round(percentile(called, 0.5) * 1000, 2), "ms"),
        Figure(f"team.{name}_p95", round(p95, 2), "ms"),
        Figure(f"team.{name}_bare_p50", round(percentile(asked, 0.5) * 1000, 2), "ms"),
        Figure(f"team.{name}_bare_p95", round(bare, 2), "ms"),
        Figure(f"team.{name}_p95_of_bare", round(ratio, 2), "of bare SQL", *goal),
    ]


async def _block(work: Callable[[], Awaitable[None]]) -> list[float]:
    waits = list[float]()
    for _ in range(IN_A_ROUND):
        begun = time.perf_counter()
        await work()
        waits.append(time.perf_counter() - begun)
    return waits
