"""The portal and Vendure under the same load, one after the other, on one PostgreSQL: `python -m bench.peer.run`.

Judged by CPU for each operation, of every process that takes part: server, worker, Temporal, the stand-ins of the ERP, and
PostgreSQL. Vendure (3.7.3, production mode, its job worker beside it) is installed into the run's folder, with npm; its
search is measured once as it comes and once over a GIN index. Writes bench/results/peer.json. 15 minutes.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg

from bench.measuring import Meter
from bench.peer.catalogue import Record, customers, products, terms, write
from bench.peer.drivers import Driver, Failed, Turnkey, Vendure
from bench.peer.fill import fill
from bench.peer.load import OPERATIONS, SAMPLED, Load, Measured, Operation
from dev import ports
from dev.places import VENV
from dev.servers import close_run, open_run
from dev.stack import Stack
from dev.tools import tool_environment

RESULTS = Path(__file__).parents[1] / "results" / "peer.json"
FOLDER = Path(__file__).parent / "vendure"
GOALS: Mapping[Operation, float] = {
    "search": 0.5,
    "product": 0.25,
    "add_to_cart": 0.25,
    "order": 0.65,
}
"""Of Vendure's CPU for the same operation, at most; its search is the tuned one."""
RACERS, RACED = 12, 5
WARM_UP_SECONDS = 3
READY_SECONDS = 90


@dataclass(frozen=True)
class Row:
    """`cpu` is milliseconds for each operation by part; `p95` milliseconds."""

    system: str
    operation: str
    cpu: dict[str, float]
    total: float
    p95: float
    count: int
    round_trips: float
    errors: dict[str, int]


@dataclass(frozen=True)
class Options:
    products: int
    customers: int
    clients: int
    seconds: float


async def measure(
    name: str,
    driver: Driver,
    meter: Meter,
    operations: Sequence[Operation],
    options: Options,
    people: Sequence[Record],
    asked: list[str],
) -> list[Row]:
    sessions = [await driver.sign_in(one) for one in people[: options.clients]]
    handles = await driver.handles(SAMPLED, options.products)
    load = Load(driver, sessions, handles, asked, lambda: Meter(meter.processes, meter.families))
    rows: list[Row] = []
    for operation in operations:
        await load.measure(operation, WARM_UP_SECONDS)
        row = _row(name, await load.measure(operation, options.seconds))
        print(show(row), flush=True)
        rows.append(row)
    return rows


async def race(driver: Driver, people: Sequence[Record], handle: tuple[str, str]) -> int:
    """How many of the buyers get the product at once; its stock has been set before."""
    sessions = [await driver.sign_in(one) for one in people[-RACERS:]]
    for session in sessions:
        await driver.clear_cart(session)
        await driver.add_to_cart(session, handle, 1)
    tries = await asyncio.gather(
        *(driver.place_order(session) for session in sessions), return_exceptions=True
    )
    for one in tries:
        if isinstance(one, BaseException) and not isinstance(one, (Failed, httpx.HTTPError)):
            raise one
    return sum(isinstance(one, str) for one in tries)


def _row(name: str, measured: Measured) -> Row:
    return Row(
        system=name,
        operation=measured.operation,
        cpu={part: round(spent, 2) for part, spent in measured.cpu.items()},
        total=round(measured.total, 2),
        p95=round(measured.p95, 1) if measured.waits else 0,
        count=len(measured.waits),
        round_trips=round(measured.round_trips, 2),
        errors=dict(measured.errors.most_common(5)),
    )


def show(row: Row) -> str:
    parts = " ".join(f"{name} {spent}" for name, spent in row.cpu.items())
    return (
        f"{row.system:<14} {row.operation:<12} {row.total:>8} ms CPU ({parts})  p95 {row.p95} ms  "
        f"{row.count} times, {row.round_trips} requests each, errors {row.errors or 0}"
    )


def verdicts(rows: Sequence[Row]) -> list[str]:
    """Ours beside theirs, where both were measured."""
    found: list[str] = []
    for operation, goal in GOALS.items():
        ours = next((r for r in rows if r.system == "turnkey" and r.operation == operation), None)
        peer = "vendure tuned" if operation == "search" else "vendure"
        theirs = next((r for r in rows if r.system == peer and r.operation == operation), None)
        if ours and theirs and theirs.total:
            ratio = ours.total / theirs.total
            word = "ok" if ratio <= goal else "MISSED"
            found.append(f"{operation:<12} {ratio:.2f} of {peer}   goal <= {goal:.2f}: {word}")
    return found


async def turnkey(running: Stack, options: Options, operations: Sequence[Operation]) -> list[Row]:
    people = list(customers(options.customers))
    items = list(products(options.products))
    await fill(running.migrations_database_url, items, people)
    pids = running.pids()
    meter = Meter(
        {name: pids[name] for name in ("api", "worker", "temporal")}, {"postgres": pids["postgres"]}
    )
    async with httpx.AsyncClient(
        base_url=running.portal_url, headers={"Origin": running.portal_url}, timeout=60
    ) as browser:
        rows = await measure(
            "turnkey", Turnkey(browser), meter, operations, options, people, terms(items)
        )
        handle = ("b4000", "b4000") if options.products >= 4000 else ("b40", "b40")
        _sql(running, f"update stock set on_hand = {RACED} where variant_id = '{handle[1]}'")
        if "order" in operations:
            sold = await race(Turnkey(browser), people, handle)
            print(f"turnkey: stock {RACED}, {RACERS} buyers at once, {sold} orders placed")
    return rows


def _sql(running: Stack, statement: str) -> None:
    with psycopg.connect(running.migrations_database_url, autocommit=True) as database:
        database.execute(statement.encode())


async def vendure(
    running: Stack, options: Options, operations: Sequence[Operation], rows: list[Row]
) -> None:
    """Adds to `rows` as it goes, so that what was measured stays when a later part fails."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "vendure"
        shutil.copytree(FOLDER, folder)
        write(Path(place), options.products, options.customers)
        environment = _vendure_environment(running)
        for command in (
            "npm ci --no-audit --no-fund",
            "node init-db.js --force",
            f"node populate.js --data {place} --index sql",
        ):
            _must(command, folder, environment)
        with _serving(folder, environment) as pids:
            rows += await _vendure_rows("vendure", running, environment, pids, operations, options)
        if "search" in operations:
            _must("node tuned-search.js", folder, environment)
            tuned = {**environment, "SEARCH": "tuned"}
            with _serving(folder, tuned) as pids:
                rows += await _vendure_rows(
                    "vendure tuned", running, tuned, pids, ["search"], options
                )


async def _vendure_rows(
    name: str,
    running: Stack,
    environment: Mapping[str, str],
    pids: Mapping[str, int],
    operations: Sequence[Operation],
    options: Options,
) -> list[Row]:
    people, items = list(customers(options.customers)), list(products(options.products))
    meter = Meter({}, {**pids, "postgres": running.pids()["postgres"]})
    address = f"http://127.0.0.1:{environment['PORT']}"
    async with httpx.AsyncClient(base_url=address, timeout=60) as browser:
        return await measure(
            name, Vendure(browser), meter, operations, options, people, terms(items)
        )


def _vendure_environment(running: Stack) -> dict[str, str]:
    assert running.cluster is not None
    admin = urlsplit(running.cluster.admin_url)
    return {
        **tool_environment(),
        "PATH": f"{VENV / 'bin'}:{os.environ['PATH']}",
        "NODE_ENV": "production",
        "PORT": str(ports.free().portal),
        "DB_HOST": admin.hostname or "",
        "DB_PORT": str(admin.port),
        "DB_USERNAME": admin.username or "",
        "DB_PASSWORD": admin.password or "",
        "DB_NAME": "vendure",
    }


@contextmanager
def _serving(folder: Path, environment: Mapping[str, str]) -> Generator[dict[str, int]]:
    """Process ids of its server and its job worker, once it answers. Node may be a child of what `node` is here."""
    started = {
        name: subprocess.Popen(
            ["node", f"{name}.js"],
            cwd=folder,
            env=dict(environment),
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for name in ("server", "worker")
    }
    try:
        _await_answer(f"http://127.0.0.1:{environment['PORT']}/shop-api")
        yield {name: process.pid for name, process in started.items()}
    finally:
        for process in started.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _await_answer(address: str) -> None:
    give_up_at = time.monotonic() + READY_SECONDS
    while True:
        try:
            httpx.post(address, json={"query": "{ __typename }"}, trust_env=False)
        except httpx.HTTPError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.2)
        else:
            return


def _must(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    print(f"• {command}", flush=True)
    subprocess.run(command.split(), cwd=folder, env=dict(environment), check=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peer.run", description=__doc__)
    parser.add_argument("--products", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--operations", nargs="+", choices=OPERATIONS, default=OPERATIONS)
    parser.add_argument("--ours-only", action="store_true")
    chosen = parser.parse_args()
    options = Options(chosen.products, max(chosen.clients, RACERS), chosen.clients, chosen.seconds)
    os.environ.pop("TEST_RUN", None)
    folder = open_run()
    assert folder is not None
    running = Stack(
        Path(folder), ports.free(), environment={"SIMULATORS_LATENCY": "0-0", "BOT_CHECK_KEY": ""}
    )
    not_measured = False
    try:
        running.start_servers()
        running.start_processes()
        rows = asyncio.run(turnkey(running, options, chosen.operations))
        for name in ("api", "worker", "simulators", "temporal"):
            running.processes[name].stop()
        if not chosen.ours_only:
            try:
                asyncio.run(vendure(running, options, chosen.operations, rows))
            except (Failed, httpx.HTTPError, OSError, subprocess.SubprocessError) as error:
                not_measured = True
                print(f"vendure: not measured, {type(error).__name__}: {error}", flush=True)
    finally:
        running.stop()
        close_run(folder)
    for line in verdicts(rows):
        print(line)
    if not_measured:
        sys.exit(1)
    if not chosen.ours_only:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
