"""What a Temporal app in Python can reach against one server. `python -m bench.temporal_ceiling.ceiling` (README.md)."""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio.client import Client

from bench.measuring import Meter, percentile
from bench.temporal_ceiling.flows import SCENARIOS, UPDATES, Order
from bench.temporal_ceiling.worker import connect

LONGEST = timedelta(minutes=5)


@dataclass(frozen=True)
class Block:
    """One measured stretch: how long each call took (seconds), and all of them together."""

    seconds: float
    latencies: tuple[float, ...]


@contextmanager
def worker_process(
    address: str, task_queue: str, *, model: str = "", runner: str = "sandbox"
) -> Generator[subprocess.Popen[bytes]]:
    """A worker in a process of its own, ended at the end."""
    child = subprocess.Popen(
        [sys.executable, "-m", "bench.temporal_ceiling.worker", address, task_queue],
        env={**os.environ, "CEILING_MODEL": model, "CEILING_RUNNER": runner},
    )
    try:
        yield child
    finally:
        child.terminate()
        child.wait(20)


async def run_block(
    client: Client, task_queue: str, scenario: str, count: int, at_once: int, *extra: int
) -> Block:
    """Runs the scenario's workflow `count` times, with what else it is `extra`. A latency is one update's where there are updates,
    else one run's."""
    places, latencies = asyncio.Semaphore(at_once), list[float]()
    flow: Any = SCENARIOS[scenario]

    async def one(number: int) -> None:
        async with places:
            order = Order(id=str(number))
            name = f"{scenario}-{uuid.uuid4()}"
            begun = time.perf_counter()
            handle = await client.start_workflow(
                flow.run,
                args=[order, *extra],
                id=name,
                task_queue=task_queue,
                execution_timeout=LONGEST,
            )
            if not scenario.startswith("c"):
                await handle.result()
                latencies.append(time.perf_counter() - begun)
                return
            for _ in range(UPDATES):
                begun = time.perf_counter()
                await handle.execute_update(flow.advance, order)  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
                latencies.append(time.perf_counter() - begun)
            await handle.result()

    begun = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(count)))
    return Block(time.perf_counter() - begun, tuple(latencies))


async def _measure(options: argparse.Namespace) -> None:
    task_queue = f"ceiling-{uuid.uuid4()}"
    client = await connect(options.address, options.model)
    with worker_process(
        options.address, task_queue, model=options.model, runner=options.runner
    ) as worker:
        for scenario in options.scenarios.split(","):
            share = UPDATES if scenario.startswith("c") else 1
            count = max(options.n // share, 1)
            await run_block(client, task_queue, scenario, max(count // 10, 5), options.concurrency)
            rounds: list[dict[str, float]] = []
            for _ in range(options.runs):
                processes = {"worker": worker.pid, "driver": os.getpid()}
                if options.server_pid:
                    processes["server"] = options.server_pid
                meter = Meter(processes)
                block = await run_block(client, task_queue, scenario, count, options.concurrency)
                rounds.append(
                    {
                        "per_s": count / block.seconds,
                        "p50_ms": percentile(block.latencies, 0.5) * 1000,
                        "p95_ms": percentile(block.latencies, 0.95) * 1000,
                        "other_cores_busy": meter.spent_by_others() / block.seconds,
                    }
                    | {
                        f"{name}_cpu_ms": spent * 1000 / count
                        for name, spent in meter.spent().items()
                    }
                )
            medians = {
                name: round(statistics.median(r[name] for r in rounds), 2) for name in rounds[0]
            }
            print(json.dumps({"scenario": scenario, "n": count, **medians}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="127.0.0.1:7233")
    parser.add_argument("--scenarios", default="a,b,c")
    parser.add_argument("--n", type=int, default=300, help="workflows, or updates, in one run")
    parser.add_argument("--concurrency", type=int, default=30)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--model", choices=["", "pydantic"], default="")
    parser.add_argument(
        "--runner", choices=["sandbox", "passthrough", "unsandboxed"], default="sandbox"
    )
    parser.add_argument("--server-pid", type=int, default=0)
    asyncio.run(_measure(parser.parse_args()))


if __name__ == "__main__":
    main()
