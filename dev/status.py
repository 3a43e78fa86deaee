"""`make status`: the processes of `make dev` and of `make cluster`, their ports and memory, the backlog of the task queue, and
when both stores were backed up last."""

import asyncio
import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from dev import ports as port_choice
from dev.backups import backups_of, has_own_servers, last_backup
from dev.cluster.ports import ports_in_use
from dev.cluster.stack import APIS, WORKERS
from dev.console import say
from dev.places import cluster_dir, state_dir
from dev.ports import Ports
from dev.processes import Ledger, states_at_work
from workers.shutdown import leave

QUEUE = "portal"
MEGABYTE = 1024 * 1024
ORDER = ("supervisor", "postgres", "temporal", "simulators", "traces", "worker", "api", "proxy")


def main() -> None:
    states = states_at_work(state_dir())
    if not states:
        say("Nothing is running. `make dev` or `make cluster` starts the portal.")
    for state in states:
        _show(state)


def _show(state: Path) -> None:
    ports = port_choice.remembered(state)
    _show_processes(Ledger(state / "processes.json").alive(), ports_shown(state, ports))
    say(f"\n  ready: {_readiness(ports.portal)}")
    address = os.environ.get("TEMPORAL_ADDRESS") or f"127.0.0.1:{ports.temporal}"
    say(f"  task queue `{QUEUE}`: {asyncio.run(_backlog(address))}")
    if not has_own_servers():
        say(f"  last backup: {last_backup_words(state, datetime.now(UTC))}")
    say(f"  state and logs: {state}")


def last_backup_words(state: Path, now: datetime) -> str:
    last = last_backup(state)
    if last is None:
        return f"none in {backups_of(state)}"
    hours = (now - last.whole_from) // timedelta(hours=1)
    return f"{last.whole_from:%Y-%m-%d %H:%M} UTC, {hours} hours ago, in {backups_of(state)}"


def ports_shown(state: Path, ports: Ports) -> dict[str, str]:
    """Where each process of a state folder listens, in words; of a release that came later its metrics are left out."""
    common = {
        "postgres": str(ports.postgres),
        "simulators": str(ports.simulators),
        "traces": str(ports.traces),
        "codec": str(ports.codec),
    }
    if cluster_dir(state) != state:
        return {
            **common,
            "temporal": f"{ports.temporal}, page {ports.temporal_ui}",
            "api": f"{ports.portal}, metrics {ports.metrics}",
            "worker": f"metrics {ports.metrics + 2}",
        }
    listening = dict(zip(APIS, ports_in_use(state, len(APIS)).apis, strict=True))
    measured = {
        name: f"metrics {ports.metrics + 2 * at}" for at, name in enumerate((*APIS, *WORKERS))
    }
    return {
        **common,
        "temporal": str(ports.temporal),
        "temporal-ui": str(ports.temporal_ui),
        "proxy": str(ports.portal),
        **measured,
        **{api: f"{port}, {measured[api]}" for api, port in listening.items()},
    }


def _place(name: str) -> tuple[int, str]:
    """Of several of one kind, by their number."""
    kind = name.partition("-")[0]
    return (ORDER.index(kind) if kind in ORDER else len(ORDER), name)


def _show_processes(alive: Mapping[str, int], ports: Mapping[str, str]) -> None:
    families = _families()
    total = 0
    say(f"  {'process':<12} {'pid':>8} {'memory':>9}  port")
    for name in sorted(alive, key=_place):
        pid = alive[name]
        memory = sum(
            memory_of(member) for member in _family(pid, families, set(alive.values()) - {pid})
        )
        total += memory
        say(f"  {name:<12} {pid:>8} {memory / MEGABYTE:>6.0f} MB  {ports.get(name, '')}")
    say(f"  {'together':<12} {'':>8} {total / MEGABYTE:>6.0f} MB")


def memory_of(pid: int) -> int:
    """Bytes of memory that the process holds; pages that several share are counted once over all of them."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    listed = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return int(listed.stdout.strip() or 0) * 1024


def _families() -> dict[int, list[int]]:
    """Parent to children, of the whole machine."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=False
    )
    children: dict[int, list[int]] = {}
    for line in listed.stdout.splitlines():
        pid, parent = line.split()
        children.setdefault(int(parent), []).append(int(pid))
    return children


def _family(pid: int, families: Mapping[int, list[int]], others: set[int]) -> list[int]:
    """The process and its descendants, without those that have a line of their own."""
    members = [pid]
    for child in families.get(pid, []):
        if child not in others:
            members += _family(child, families, others)
    return members


def _readiness(port: int) -> str:
    try:
        answer = httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5, trust_env=False)
    except httpx.HTTPError:
        return "the portal does not answer"
    answered: dict[str, dict[str, str]] = answer.json()
    parts = ("database", "migrations", "temporal", "worker")
    return ", ".join(f"{name} {answered.get(name, {}).get('state', 'unknown')}" for name in parts)


async def _backlog(address: str) -> str:
    """How many tasks wait for a worker, and how many workers ask for them."""
    try:
        client = await asyncio.wait_for(Client.connect(address), 5)
        counts: list[str] = []
        for kind, word in (
            (TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, "workflow tasks"),
            (TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY, "activities"),
        ):
            described = await client.workflow_service.describe_task_queue(
                DescribeTaskQueueRequest(
                    namespace=client.namespace,
                    task_queue=TaskQueue(name=QUEUE),
                    task_queue_type=kind,
                    report_stats=True,
                )
            )
            waiting = described.stats.approximate_backlog_count
            counts.append(f"{waiting} {word} waiting, {len(described.pollers)} pollers")
        return "; ".join(counts)
    except (RPCError, RuntimeError, TimeoutError):
        return "Temporal does not answer"


if __name__ == "__main__":
    main()
    leave()
