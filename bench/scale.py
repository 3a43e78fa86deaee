"""What one of each costs a cluster, for docs/scale.md.

CPU milliseconds by part and bytes in the stores for an activation with its firmware, and each message of it, an order, a
purchase of one plan and a search, as browsers ask for them, on some data and on ten times of it (`scale.tenfold.…`); what a
signed-in person costs who only looks at a page (one stream of live events); and what a cluster costs on which nothing
happens. That is taken off the others. CPU hardly depends on who else uses the machine; how long things take does, and is
not told.
"""

import asyncio
import math
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import cycle

import httpx
import psycopg

from api.platform.live import MOST_STREAMS, Live
from bench import orders, partners
from bench.activation import OverHttp, a_device_key, walk
from bench.figures import Figure, Results
from bench.measuring import Meter
from bench.placements import PARTNER, Screens, articles_of
from bench.portal import QUICK_DEVICES, WITH_FIRMWARE
from bench.purchases import PLAN
from bench.signing_in import signed_in
from bench.sizes import Sizes
from db.base import make_engine, make_sessions
from dev.cluster.stack import APIS, WORKERS, ClusterStack, cluster
from dev.servers import own_folder
from dev.status import memory_of

STORES = ("turnkey", "temporal", "temporal_visibility")
PARTS = ("api", "worker", "temporal", "proxy", "postgres")
SEARCHES = 200
LOOK_AGAIN = 0.5
AT_ONCE = 3
PRODUCTS_TO_A_BUSINESS, ORDERS_TO_A_PRODUCT = 5, 10
"""How much of each there is beside the other."""
TENFOLD = 10
_LOOKERS = (
    """
    insert into person (id, email, password_hash, first_name, last_name, drone_user_id, dealer_id, permission_groups,
                        confirmed_at)
    select 'looker-' || n, 'looker-' || n || '@turnkey.example', password_hash, 'Looker', 'Number ' || n,
           'looker-' || n, dealer_id, permission_groups, now()
    from person, generate_series(1, %(count)s) n where email = 'olivia.marchand@turnkey.example'
    on conflict do nothing
    """,
    """
    insert into installer (person_id) select 'looker-' || n from generate_series(1, %(count)s) n
    on conflict do nothing
    """,
)


@dataclass(frozen=True)
class Cost:
    """Of one. `cpu` is milliseconds by part, `kept` bytes by store."""

    cpu: dict[str, float]
    kept: dict[str, float]

    def of_each(self, count: float) -> "Cost":
        """The same of one of its parts."""
        return Cost(
            {part: spent / count for part, spent in self.cpu.items()},
            {store: size / count for store, size in self.kept.items()},
        )

    def figures(self, name: str) -> list[Figure]:
        together = round(sum(self.cpu.values()), 1)
        return [
            Figure(f"scale.{name}.cpu", together, "ms"),
            *(Figure(f"scale.{name}.cpu.{part}", round(self.cpu[part], 1), "ms") for part in PARTS),
            *(
                Figure(f"scale.{name}.kept.{store}", round(self.kept[store] / 1024, 1), "KB")
                for store in STORES
            ),
        ]


class Till:
    """Reads what has been spent. `idle` is CPU milliseconds for a second of doing nothing."""

    def __init__(self, running: ClusterStack) -> None:
        self._running = running
        self.idle: dict[str, float] = dict.fromkeys(PARTS, 0.0)

    def meter(self) -> Meter:
        pids = self._running.pids()
        return Meter(
            {name: pid for name, pid in pids.items() if name != "postgres"},
            {"postgres": pids["postgres"]},
        )

    def kept(self) -> dict[str, int]:
        assert self._running.cluster is not None
        sizes: dict[str, int] = {}
        for store in STORES:
            url = self._running.cluster.url("postgres", store)
            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute("checkpoint")
                row = admin.execute("select pg_database_size(current_database())").fetchone()
            sizes[store] = int(row[0]) if row else 0
        return sizes

    async def cost(self, count: int, work: Callable[[], Awaitable[object]]) -> Cost:
        """Of one of `count`, without what would have been spent anyway."""
        before, meter, begun = self.kept(), self.meter(), time.monotonic()
        await work()
        seconds, spent, after = time.monotonic() - begun, by_part(meter.spent()), self.kept()
        cpu = {
            part: max(spent[part] * 1000 - self.idle[part] * seconds, 0) / count for part in PARTS
        }
        return Cost(cpu, {store: (after[store] - before[store]) / count for store in STORES})

    async def rest(self, seconds: float) -> dict[str, float]:
        """CPU milliseconds for each second, of each part."""
        meter = self.meter()
        await asyncio.sleep(seconds)
        return {part: spent * 1000 / seconds for part, spent in by_part(meter.spent()).items()}

    def memory(self) -> dict[str, int]:
        """Bytes of each process."""
        return {name: memory_of(pid) for name, pid in self._running.pids().items()}


def by_part(spent: dict[str, float]) -> dict[str, float]:
    """Of several processes of a kind the sum; what is no part of a portal left out."""
    return {
        part: sum(
            value
            for name, value in spent.items()
            if name.partition("-")[0] == part and name != "temporal-ui"
        )
        for part in PARTS
    }


async def several(count: int, one: Callable[[], Awaitable[object]], *, at_once: int) -> None:
    places = asyncio.Semaphore(at_once)

    async def placed() -> None:
        async with places:
            await one()

    await asyncio.gather(*(placed() for _ in range(count)))


async def buy(http: httpx.AsyncClient, card: str) -> None:
    """One plan, by a saved card, to its end."""
    line = {"device_key": a_device_key(), "plan_id": PLAN}
    answer = await http.post(
        "/v1/payments",
        json={"line_items": [line], "card_id": card},
        headers={"Idempotency-Key": uuid.uuid4().hex},
    )
    started = answer.raise_for_status().json()
    run: dict[str, object] = {"ended": False}
    while not run["ended"]:
        found = await http.get(f"/v1/purchases/{started.get('uuid') or started.get('id')}")
        run = found.json() if found.is_success else run
        await asyncio.sleep(0 if run["ended"] else LOOK_AGAIN)
    assert run["state"] == "confirmed", run["state"]


async def streams(till: Till, running: ClusterStack, count: int, seconds: float) -> list[Figure]:
    """What so many pages cost on which nothing happens. Each person looks at as many as one may."""
    names = await _who_only_look(running, math.ceil(count / MOST_STREAMS))
    async with AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(signed_in(running.portal_url, name)) for name in names
        ]
        before = till.memory()
        limits = httpx.Limits(max_connections=None)
        looking = httpx.AsyncClient(base_url=running.portal_url, timeout=None, limits=limits)
        await stack.enter_async_context(looking)
        for number in range(count):
            one = people[number // MOST_STREAMS]
            asked = looking.stream(
                "GET", "/v1/events", params={"follow": "session:me"}, headers=one.headers
            )
            (await stack.enter_async_context(asked)).raise_for_status()
        spent, after = await till.rest(seconds), till.memory()
    more = {part: (spent[part] - till.idle[part]) / count for part in PARTS}
    grown = {name: (after[name] - before[name]) / count / 1024 for name in (*APIS, "proxy")}
    return [
        *(Figure(f"scale.stream.cpu.{part}", round(more[part], 3), "ms/s") for part in PARTS),
        *(Figure(f"scale.stream.memory.{name}", round(kb), "KB") for name, kb in grown.items()),
    ]


async def _who_only_look(running: ClusterStack, count: int) -> list[str]:
    """Colleagues of the demo's owner, with the same password."""
    owner_url = running.migrations_database_url
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database:
        for statement in _LOOKERS:
            await database.execute(statement, {"count": count})
    return [f"looker-{number}" for number in range(1, count + 1)]


def measure(sizes: Sizes, results: Results) -> None:
    """On a cluster of its own."""
    with own_folder() as folder, cluster(folder, environment=QUICK_DEVICES) as running:
        asyncio.run(_measure(running, sizes, results))


async def fill(running: ClusterStack, products: int) -> None:
    """Until there are so many products, and businesses and orders with them."""
    seeding = f"python -m db.seed --force --products {products}"
    await asyncio.to_thread(running.run, seeding)
    owner_url = running.migrations_database_url
    async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database:
        await partners.fill(database, products // PRODUCTS_TO_A_BUSINESS)
        await orders.fill(database, products * ORDERS_TO_A_PRODUCT)
        await database.execute("vacuum analyze")


async def _measure(running: ClusterStack, sizes: Sizes, results: Results) -> None:
    till = Till(running)
    live = Live(running.database_url)
    listening = asyncio.create_task(live.run())
    async with AsyncExitStack() as stack:
        installer = await stack.enter_async_context(signed_in(running.portal_url, "ivan.petrov"))
        owner = await stack.enter_async_context(signed_in(running.portal_url, "olivia.marchand"))
        answer = await owner.post("/api/users-payment-methods", json={})
        card = next(one["id"] for one in answer.raise_for_status().json()["results"])
        engine = make_engine(running.database_url)
        articles = cycle(await articles_of(make_sessions(engine)))
        await engine.dispose()
        road, screens = OverHttp(installer, live), Screens(owner, PARTNER)
        steps = Counter[str]()

        async def activate() -> None:
            """Its steps are what the installer sent: the opening, each form, each command that was tried."""
            walked = await walk(road, a_device_key(WITH_FIRMWARE))
            steps.update(runs=1, steps=1 + len(walked.steps))

        async def order() -> None:
            await screens.check_out(await screens.fill(next(articles)))

        async def search() -> None:
            body = {"limit": 20, "searchTerm": "remote", "page": 1}
            (await owner.post("/api/search-products", json=body)).raise_for_status()

        await activate()
        await order()
        await buy(owner, card)
        till.idle = await till.rest(sizes.idle)
        results.record(
            [
                Figure("scale.apis", len(APIS)),
                Figure("scale.workers", len(WORKERS)),
                *(
                    Figure(f"scale.idle.cpu.{part}", round(till.idle[part], 1), "ms/s")
                    for part in PARTS
                ),
            ]
        )
        for look, times_the_data in (("", 1), ("tenfold.", TENFOLD)):
            await fill(running, sizes.data * times_the_data)
            for name, times, at_once, one in (
                ("activation", sizes.count, AT_ONCE, activate),
                ("order", sizes.count, 1, order),  # a person has one cart at a time
                ("purchase", sizes.count, AT_ONCE, lambda: buy(owner, card)),
                ("search", SEARCHES, AT_ONCE, search),
            ):
                cost = await till.cost(
                    times, lambda one=one, n=times, m=at_once: several(n, one, at_once=m)
                )
                results.record(cost.figures(f"{look}{name}"))
                if one is activate:
                    each = steps["steps"] / steps["runs"]
                    results.record([Figure(f"scale.{look}activation.steps", round(each, 1))])
                    results.record(cost.of_each(each).figures(f"{look}activation_step"))
        results.record(await streams(till, running, sizes.streams, sizes.idle))
        results.record(
            Figure(f"scale.memory.{name}", round(size / 2**20), "MB")
            for name, size in till.memory().items()
        )
    listening.cancel()
