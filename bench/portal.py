"""The portal beside a bare workflow, and its pages beside their bare SQL: what is measured on one portal of its own.

Blocks of scenario c of the ceiling and of whole activations take turns on one Temporal server with one database, so
that a busy neighbour disturbs both alike. CPU of server, worker, client and PostgreSQL is counted, that of the stand-ins
and of the API is not.
"""

import asyncio
import os
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from temporalio.client import Client

from api.platform.live import Live
from bench.activation import ByTemporal, OverHttp, Road, Walked, a_device_key, walk
from bench.cart import measure_cart
from bench.catalogue import Compared, loading, measure_catalogue
from bench.confirmations import await_mailed, held_back
from bench.figures import Figure, Results, at_most
from bench.identity import measure_sign_in
from bench.invoice_payments import InvoicePayer
from bench.invoices import measure_invoices
from bench.measuring import Meter, percentile
from bench.pages import measure_pages, page_figures
from bench.partners import measure_search
from bench.placements import IN_SEQUENCE, PARTNER, Activities, Screens, a_buyer, articles_of
from bench.purchases import PlanBuyer
from bench.signing_in import signed_in
from bench.sizes import Sizes
from bench.temporal_ceiling.ceiling import run_block, worker_process
from bench.temporal_ceiling.flows import UPDATES
from bench.temporal_ceiling.worker import connect as connect_plain
from bench.vehicles import measure_vehicles
from db.base import make_engine, make_sessions
from db.seed import seed
from dev.stack import Stack
from workflows.client import connect

_T = TypeVar("_T")

QUICK_DEVICES = {
    "SIMULATORS_LATENCY": "0.02-0.05",
    "POLICY_OPENING": '{"per_hour": 1000000, "open_of_person": 1000000, "open_of_dealer": 1000000}',
}
WITH_FIRMWARE = "010"
BESIDE_STATEMENTS = 8
"""Milliseconds that are allowed for a request beside what it asks the database."""
DEVICES = 20
"""Of a mock run."""
AREAS = (
    "activation",
    "placement",
    "purchase",
    "invoice_payment",
    "identity",
    "partners",
    "invoices",
    "cart",
    "vehicles",
    "pages",
    "catalogue",
)
"""The large catalogue last, so that all others have the usual one."""
CART_CHANGES_MS = 150


@dataclass
class Sample:
    """One block: CPU milliseconds per step by part, latencies in seconds, cores that others kept busy."""

    cpu: dict[str, float]
    latencies: list[float]
    others: float

    @property
    def total(self) -> float:
        return sum(self.cpu.values())


@dataclass(frozen=True)
class Runs(Generic[_T]):
    """How runs of a kind are made ready and then, so many at once, carried out; the activities of one; and when all is done that
    they leave to be done beside them."""

    prepared: Callable[[int], Awaitable[list[_T]]]
    carried_out: Callable[[list[_T], int], Awaitable[None]]
    activities_of: Callable[[_T], Awaitable[Activities]]
    drained: Callable[[], Awaitable[None]] | None = None


class Bench:
    """One stack, one client of each kind, and the blocks to be compared."""

    def __init__(self, running: Stack) -> None:
        self.running = running
        pids = running.pids()
        self.servers = {"server": pids["temporal"]}
        self.families = {"postgres": pids["postgres"]}
        self.worker, self.api = pids["worker"], pids["api"]

    async def ceiling(self, client: Client, queue: str, worker: int, count: int, at_once: int):
        """A block of scenario c; steps are updates."""
        meter = self.meter(worker)
        block = await run_block(client, queue, "c", count, at_once)
        return self.sample(meter, count * UPDATES, list(block.latencies), block.seconds)

    async def activations(self, road: Road, count: int, at_once: int) -> Sample:
        """A block of whole activations; steps are what a person sends, the opening included."""
        places, walks = asyncio.Semaphore(at_once), list[Walked]()

        async def one() -> None:
            async with places:
                walks.append(await walk(road, a_device_key()))

        meter = self.meter(self.worker)
        begun = asyncio.get_running_loop().time()
        await asyncio.gather(*(one() for _ in range(count)))
        seconds = asyncio.get_running_loop().time() - begun
        latencies = [latency for walked in walks for latency in walked.steps]
        return self.sample(meter, len(latencies) + count, latencies, seconds)

    def meter(self, worker: int) -> Meter:
        return Meter({**self.servers, "worker": worker, "client": os.getpid()}, self.families)

    def sample(self, meter: Meter, steps: int, latencies: list[float], seconds: float) -> Sample:
        cpu = {name: spent * 1000 / steps for name, spent in meter.spent().items()}
        return Sample(cpu, latencies, meter.spent_by_others() / seconds)


async def measure(running: Stack, areas: Sequence[str], sizes: Sizes, results: Results) -> None:
    """One area after the other; what breaks in one is told, and the next is measured."""
    bench = Bench(running)
    address = running.temporal_address
    engine = make_engine(running.database_url)
    live = Live(running.database_url)
    listening = asyncio.create_task(live.run())
    client, plain = await connect(address), await connect_plain(address)
    queue, pydantic_queue = f"ceiling-{uuid.uuid4()}", f"ceiling-{uuid.uuid4()}"
    ours = ByTemporal(client, make_sessions(engine), live, "portal")
    try:
        with (
            worker_process(address, queue) as worker,
            worker_process(address, pydantic_queue, model="pydantic") as pydantic_worker,
        ):

            async def c(count: int, at_once: int) -> Sample:
                return await bench.ceiling(plain, queue, worker.pid, count, at_once)

            async def c_pydantic(count: int, at_once: int) -> Sample:
                return await bench.ceiling(
                    client, pydantic_queue, pydantic_worker.pid, count, at_once
                )

            async def activations(count: int, at_once: int) -> Sample:
                return await bench.activations(ours, count, at_once)

            async def activation() -> list[Figure]:
                results.record(await _compare(sizes, c, c_pydantic, activations))
                results.record(await _http(bench, live))
                return await _history(ours)

            beside = (bench, sizes, plain, queue, worker.pid)
            measured: Mapping[str, Callable[[], Awaitable[list[Figure]]]] = {
                "activation": activation,
                "placement": lambda: _placements(*beside),
                "purchase": lambda: _purchases(*beside),
                "invoice_payment": lambda: _invoice_payments(*beside),
                "identity": lambda: _sign_in(bench),
                "partners": lambda: _partner_search(bench),
                "invoices": lambda: _invoices(running),
                "cart": lambda: _cart(running, sizes.cart_lines),
                "vehicles": lambda: _vehicles(bench),
                "pages": lambda: _pages(running),
                "catalogue": lambda: _catalogue(bench, sizes.products),
            }
            for area in areas:
                with results.measuring(area):
                    results.record(await measured[area]())
    finally:
        listening.cancel()
        await engine.dispose()


Block = Callable[[int, int], Awaitable[Sample]]


async def _compare(sizes: Sizes, c: Block, c_pydantic: Block, activations: Block) -> list[Figure]:
    n, at_once = sizes.activations, sizes.at_once
    for block in (c, c_pydantic, activations):
        await block(max(n // 4, 2), at_once)
    busy: dict[str, list[Sample]] = {"c": [], "c_pydantic": [], "ours": []}
    alone: dict[str, list[Sample]] = {"c": [], "ours": []}
    wizards = max(n * 10 // UPDATES, 2)
    for _ in range(sizes.rounds):
        busy["c"].append(await c(wizards, at_once))
        busy["ours"].append(await activations(n, at_once))
        busy["c_pydantic"].append(await c_pydantic(wizards, at_once))
        alone["c"].append(await c(3, 1))
        alone["ours"].append(await activations(5, 1))
    ratio = _total(busy["c"]) / _total(busy["ours"])
    pydantic_ratio = _total(busy["c_pydantic"]) / _total(busy["ours"])
    p95 = {name: _p95(samples) for name, samples in alone.items()}
    slower = p95["ours"] / p95["c"]
    return [
        Figure("activation.rate_by_cpu", round(ratio, 3), "of c", ">= 0.75", ratio >= 0.75),
        Figure("activation.rate_by_cpu_pydantic", round(pydantic_ratio, 3), "of c with pydantic"),
        *_parts("activation.step_cpu", busy["ours"]),
        *_parts("activation.c_cpu", busy["c"]),
        Figure("activation.c_pydantic_cpu", _rounded(_total(busy["c_pydantic"])), "ms"),
        Figure("activation.step_p95_of_c", round(slower, 3), "of c's p95", "<= 1.3", slower <= 1.3),
        Figure("activation.step_p50", _rounded(_p50(alone["ours"])), "ms"),
        Figure("activation.step_p95", _rounded(p95["ours"]), "ms"),
        Figure("activation.c_p50", _rounded(_p50(alone["c"])), "ms"),
        Figure("activation.c_p95", _rounded(p95["c"]), "ms"),
        Figure(
            "activation.other_cores_busy",
            round(statistics.median(s.others for s in [*busy["c"], *busy["ours"]]), 2),
            "cores",
        ),
    ]


async def _http(bench: Bench, live: Live) -> list[Figure]:
    """What the API adds to a step, one at a time."""
    async with signed_in(bench.running.portal_url, "ivan.petrov", wait=10) as http:
        road = OverHttp(http, live)
        await walk(road, a_device_key())
        meter, walks = Meter({"api": bench.api}), list[Walked]()
        for _ in range(5):
            walks.append(await walk(road, a_device_key()))
    latencies = [latency for walked in walks for latency in walked.steps]
    steps = len(latencies) + len(walks)
    own = meter.spent()["api"] * 1000 / steps
    return [
        Figure("activation.http_cpu", _rounded(own), "ms", "<= 10", own <= 10),
        Figure("activation.http_step_p50", _rounded(percentile(latencies, 0.5) * 1000), "ms"),
        Figure("activation.http_step_p95", _rounded(percentile(latencies, 0.95) * 1000), "ms"),
    ]


async def _history(road: ByTemporal) -> list[Figure]:
    """Of one whole activation of a device whose firmware is updated on the way."""
    walked = await walk(road, a_device_key(WITH_FIRMWARE))
    history = await road.handle(walked).fetch_history()
    size = sum(event.ByteSize() for event in history.events) / 1024
    count = len(history.events)
    return [
        Figure("activation.history_events", count, "events", "<= 500", count <= 500),
        Figure("activation.history_size", round(size, 1), "KB", "<= 150", size <= 150),
    ]


async def _placements(
    bench: Bench, sizes: Sizes, plain: Client, queue: str, worker: int
) -> list[Figure]:
    """Orders, from the start of their run to its end; with the mails that confirm them and, as the bare runs, without."""
    owner_url = bench.running.migrations_database_url

    async def drained() -> None:
        await asyncio.to_thread(await_mailed, owner_url)

    async with a_buyer(bench.running) as buyer:
        runs = Runs(buyer.agreed, buyer.place, buyer.activities_of, drained)
        figures = await _beside_b("placement", bench, sizes, plain, queue, worker, runs, goal=0.8)
        with held_back(owner_url):
            unmailed = await _beside_b(
                "placement_unmailed", bench, sizes, plain, queue, worker, runs, goal=None
            )
        return [*figures, *unmailed, *await _checkouts(bench, sizes, buyer.articles)]


async def _checkouts(bench: Bench, sizes: Sizes, articles: Sequence[str]) -> list[Figure]:
    """Whole checkouts over HTTP, one after the other: what they ask for, and what all of that costs."""
    async with signed_in(bench.running.portal_url, "olivia.marchand", wait=10) as http:
        screens = Screens(http, PARTNER)
        await screens.check_out(await screens.fill(articles[0]))
        samples, screens.requests = list[Sample](), 0
        for n in range(sizes.placements):
            token = await screens.fill(articles[n % len(articles)])
            meter = Meter(
                {**bench.servers, "worker": bench.worker, "api": bench.api}, bench.families
            )
            await screens.check_out(token)
            samples.append(bench.sample(meter, 1, [], 1))
    asked = screens.requests / sizes.placements
    # A process's clock ticks every 10 ms: only the mean of many tells.
    mean = {part: statistics.fmean(one.cpu[part] for one in samples) for part in samples[0].cpu}
    return [
        Figure("placement.requests", round(asked, 2), "", "<= 6", asked <= 6),
        *_parts("placement.checkout_cpu", [Sample(mean, [], 0)]),
    ]


async def _purchases(
    bench: Bench, sizes: Sizes, plain: Client, queue: str, worker: int
) -> list[Figure]:
    """Purchases of a plan, from the start of their run to its end, with their receipts mailed and without; and mock runs for
    twenty devices."""
    async with a_buyer(bench.running) as somebody:
        buyer = PlanBuyer(somebody)
        runs = Runs(buyer.wanted, buyer.buy, buyer.activities_of)
        figures = await _beside_b("purchase", bench, sizes, plain, queue, worker, runs)
        unmailed = await _beside_b(
            "purchase_unmailed",
            bench,
            sizes,
            plain,
            queue,
            worker,
            replace(runs, prepared=buyer.unmailed),
            goal=None,
        )
        await buyer.mock(DEVICES)
        mocks = [await buyer.mock(DEVICES) for _ in range(sizes.placements)]
        bare = (await run_block(plain, queue, "a", sizes.placements, 1)).latencies
    mock, a = percentile(mocks, 0.95) * 1000, percentile(bare, 0.95) * 1000
    ratio = mock / a
    return [
        *figures,
        *unmailed,
        Figure("purchase.mock_p95", _rounded(mock), "ms"),
        Figure("purchase.a_p95", _rounded(a), "ms"),
        Figure("purchase.mock_p95_of_a", round(ratio, 2), "of a's p95", "<= 2", ratio <= 2),
    ]


async def _invoice_payments(
    bench: Bench, sizes: Sizes, plain: Client, queue: str, worker: int
) -> list[Figure]:
    """Payments of one invoice, from the start of their run to its end; with the mails of what came of them and, as the bare
    runs, without."""
    async with a_buyer(bench.running) as somebody:
        payer = InvoicePayer(somebody, bench.running)
        runs = Runs(payer.wanted, payer.pay, payer.activities_of)
        figures = await _beside_b(
            "invoice_payment", bench, sizes, plain, queue, worker, runs, goal=0.8
        )
        unmailed = await _beside_b(
            "invoice_payment_unmailed",
            bench,
            sizes,
            plain,
            queue,
            worker,
            replace(runs, prepared=payer.unmailed),
            goal=None,
        )
        return [*figures, *unmailed]


async def _invoices(running: Stack) -> list[Figure]:
    """Invoices of a business that has very many, beside their bare queries; and a long statement on paper."""
    measured = await measure_invoices(running.portal_url, running.migrations_database_url)
    figures: list[Figure] = []
    for one in measured.listed:
        ratio = one.p95 / one.query_p95
        figures += [
            Figure(f"invoices.{one.name}_p95", _rounded(one.p95), "ms"),
            Figure(f"invoices.{one.name}_query_p95", _rounded(one.query_p95), "ms"),
            Figure(
                f"invoices.{one.name}_by_query",
                _rounded(ratio),
                "of the query's p95",
                "<= 3",
                ratio <= 3,
            ),
        ]
    took = measured.statement
    return [*figures, Figure("invoices.statement_pdf", round(took, 3), "s", "< 2", took < 2)]


async def _beside_b(
    name: str,
    bench: Bench,
    sizes: Sizes,
    plain: Client,
    queue: str,
    worker: int,
    runs: Runs[_T],
    *,
    goal: float | None = 0.75,
) -> list[Figure]:
    """Our runs and bare workflows take turns; the bare ones are scaled to as many activities, normal and local. Beside that one
    with as many: to begin and to end costs a bare run more than an activity, and a scaled one has less of that."""
    n, at_once = sizes.placements, sizes.at_once
    first = await runs.prepared(2)
    await runs.carried_out(first, at_once)
    if runs.drained is not None:
        await runs.drained()
    count = await runs.activities_of(first[0])
    ours, bare, local, alike = list[Sample](), list[Sample](), list[Sample](), list[Sample]()
    many = (count.normal, count.local)
    for _ in range(sizes.rounds):
        starts = await runs.prepared(n)
        meter, begun = bench.meter(bench.worker), asyncio.get_running_loop().time()
        await runs.carried_out(starts, at_once)
        if runs.drained is not None:
            await runs.drained()
        ours.append(bench.sample(meter, n, [], asyncio.get_running_loop().time() - begun))
        for scenario, samples, extra in (
            ("b", bare, ()),
            ("b-local", local, ()),
            ("b-alike", alike, many),
        ):
            meter = bench.meter(worker)
            block = await run_block(plain, queue, scenario, n, at_once, *extra)
            samples.append(bench.sample(meter, n, list(block.latencies), block.seconds))
    ceiling = (_total(bare) * count.normal + _total(local) * count.local) / IN_SEQUENCE
    ratio = ceiling / _total(ours)
    return [
        Figure(f"{name}.rate_by_cpu", round(ratio, 3), "of b")
        if goal is None
        else Figure(f"{name}.rate_by_cpu", round(ratio, 3), "of b", f">= {goal}", ratio >= goal),
        Figure(f"{name}.rate_by_cpu_alike", round(_total(alike) / _total(ours), 3), "of b alike"),
        Figure(f"{name}.activities", count.normal, ""),
        Figure(f"{name}.local_activities", count.local, ""),
        Figure(f"{name}.history_events", count.events, "events"),
        *_parts(f"{name}.cpu", ours),
        *_parts(f"{name}.b_cpu", bare),
        *_parts(f"{name}.b_local_cpu", local),
        *_parts(f"{name}.b_alike_cpu", alike),
    ]


async def _sign_in(bench: Bench) -> list[Figure]:
    """A sign-in beside the hash that it cannot do without."""
    measured = await measure_sign_in(
        bench.running.portal_url, api=bench.api, postgres=bench.families["postgres"]
    )
    more = _rounded(measured.cpu - measured.hash_cpu)
    return [
        Figure("identity.sign_in_cpu", _rounded(measured.cpu), "ms"),
        Figure("identity.hash_cpu", _rounded(measured.hash_cpu), "ms"),
        Figure("identity.beside_hash_cpu", more, "ms", "<= 20", more <= 20),
        Figure("identity.sign_in_p50", _rounded(measured.wait), "ms"),
        Figure("identity.hash_p50", _rounded(measured.hash_wait), "ms"),
    ]


async def _pages(running: Stack) -> list[Figure]:
    """The pages as a phone gets them; a score on a busy machine says little, so its speed stands beside."""
    return page_figures(await asyncio.to_thread(measure_pages, running.portal_url))


async def _partner_search(bench: Bench) -> list[Figure]:
    """A search among 20,000 businesses beside its bare query."""
    running = bench.running
    measured = await measure_search(
        running.portal_url,
        running.migrations_database_url,
        api=bench.api,
        postgres=bench.families["postgres"],
    )
    more = _rounded(measured.cpu - measured.query_cpu)
    return [
        Figure("partners.search_cpu", _rounded(measured.cpu), "ms"),
        Figure("partners.query_cpu", _rounded(measured.query_cpu), "ms"),
        Figure("partners.beside_query_cpu", more, "ms", "<= 15", more <= 15),
        Figure("partners.search_p95", _rounded(measured.p95), "ms"),
        Figure("partners.query_p95", _rounded(measured.query_p95), "ms"),
    ]


async def _cart(running: Stack, lines: int) -> list[Figure]:
    """A quantity of a full cart is changed, one after the other, as the cart's page does it."""
    engine = make_engine(running.database_url)
    articles = await articles_of(make_sessions(engine), lines)
    await engine.dispose()
    async with signed_in(running.portal_url, "olivia.marchand") as http:
        waits = await measure_cart(http, articles)
    p95 = percentile(waits, 0.95) * 1000
    return [
        Figure("cart.lines", len(articles)),
        Figure("cart.change_p50", _rounded(percentile(waits, 0.5) * 1000), "ms"),
        at_most("cart.change_p95", p95, CART_CHANGES_MS, "ms"),
    ]


async def _vehicles(bench: Bench) -> list[Figure]:
    """The page of a vehicle beside its sources and its bare queries; lists over all vehicles."""
    running = bench.running
    found = await measure_vehicles(
        running.portal_url,
        running.simulators_url,
        running.migrations_database_url,
        api=bench.api,
        postgres=bench.families["postgres"],
    )
    cold = round(found.cold / found.slowest, 2)
    (page_p50, page), (query_p50, query) = found.page, found.query
    # As in the catalogue, what a request takes beside its statements is allowed for; the page is two of them.
    is_good = page <= max(3 * query, query + 2 * BESIDE_STATEMENTS)
    return [
        Figure("vehicles.cold_page_p50", _rounded(found.cold), "ms"),
        Figure("vehicles.slowest_source_p50", _rounded(found.slowest), "ms"),
        Figure("vehicles.cold_page_by_source", cold, "of the source", "<= 1.1", cold <= 1.1),
        Figure("vehicles.page_p50", _rounded(page_p50), "ms"),
        Figure("vehicles.page_query_p50", _rounded(query_p50), "ms"),
        Figure("vehicles.page_p95", _rounded(page), "ms"),
        Figure("vehicles.page_query_p95", _rounded(query), "ms"),
        Figure(
            "vehicles.page_by_query",
            _rounded(page / query),
            "of the query's p95",
            "<= 3, or 16 ms more",
            is_good,
        ),
        *(
            Figure(f"vehicles.{name}_cpu", _rounded(cpu), "ms", "<= 50", cpu <= 50)
            for name, cpu in found.lists.items()
        ),
    ]


async def _catalogue(bench: Bench, products: int) -> list[Figure]:
    """Searching and opening products beside their bare queries."""
    running = bench.running
    owner = make_engine(running.migrations_database_url, is_limited=False)
    begun = time.perf_counter()
    await seed(make_sessions(owner), force=True, products=products)
    took = time.perf_counter() - begun
    await owner.dispose()
    measured = await measure_catalogue(
        running.portal_url,
        running.migrations_database_url,
        api=bench.api,
        postgres=bench.families["postgres"],
        products=products,
    )
    return [
        loading(took, products),
        *(figure for one in measured for figure in _compared(one)),
    ]


def _compared(one: Compared) -> list[Figure]:
    """A statement that takes no time needs a request beside it all the same."""
    name, ratio = f"catalogue.{one.name}", round(one.cpu / max(one.query_cpu, 0.01), 2)
    is_good = one.cpu <= max(3 * one.query_cpu, one.query_cpu + BESIDE_STATEMENTS)
    return [
        Figure(f"{name}_cpu", _rounded(one.cpu), "ms"),
        Figure(f"{name}_query_cpu", _rounded(one.query_cpu), "ms"),
        Figure(f"{name}_by_query", ratio, "of the query", "<= 3, or 8 ms more", is_good),
        Figure(f"{name}_p95", _rounded(one.p95), "ms"),
        Figure(f"{name}_query_p95", _rounded(one.query_p95), "ms"),
    ]


def _total(samples: Sequence[Sample]) -> float:
    return statistics.median(sample.total for sample in samples)


def _parts(name: str, samples: Sequence[Sample]) -> list[Figure]:
    parts = {part: statistics.median(s.cpu[part] for s in samples) for part in samples[0].cpu}
    return [
        Figure(name, _rounded(_total(samples)), "ms"),
        *(Figure(f"{name}.{part}", _rounded(value), "ms") for part, value in parts.items()),
    ]


def _p95(samples: Sequence[Sample]) -> float:
    return percentile([latency for s in samples for latency in s.latencies], 0.95) * 1000


def _p50(samples: Sequence[Sample]) -> float:
    return percentile([latency for s in samples for latency in s.latencies], 0.5) * 1000


def _rounded(value: float) -> float:
    return round(value, 2)
