"""PostgreSQL and Temporal for one test run, started when a test first asks and shared by all its processes.

A run has a folder of its own, named in `TEST_RUN`, so runs go side by side with each other and with `make dev`. The
process that opened the run ends its servers; where it is killed, the guard of the run (`dev/guard.py`) does. Whoever closes
a run waits for its guard: nothing of it is left then.

The folder lies in memory where there is room: its servers wait for each write as they would for a disk, and for none long.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from dev import ports, temporal
from dev.commands import run_set_up
from dev.console import say
from dev.places import ROOT, is_root, make_state_dir, state_dir
from dev.postgres import APP, DATABASE, OWNER, Cluster
from dev.processes import Ledger, began_at
from dev.tools import tool_environment

VARIABLE = "TEST_RUN"
GUARD_SECONDS = 15.0
"""How long a guard is waited for: it ends what the run left, and insists after a while."""
MEMORY = Path("/dev/shm")
"""A folder that is kept in memory, where the system has one."""
MEMORY_OF_A_RUN = 4 * 2**30
"""Bytes that must be free for a run to lie there: several times what it takes."""
_GUARDS: dict[str, subprocess.Popen[bytes]] = {}
"""Those of the runs that we opened, by the run's folder."""


def open_run(*, in_memory: bool = True) -> str | None:
    """Opens a run unless the environment names one; answers its folder to the process that must close it."""
    if os.environ.get(VARIABLE):
        return None
    runs, begun = make_state_dir(make_state_dir(state_dir()) / "test-runs"), ""
    memory, ours = _in_memory()
    _clear_abandoned([*runs.iterdir(), *memory.glob(f"{ours}*")])
    if in_memory and has_room(MEMORY):
        runs, begun = make_state_dir(memory), ours
    folder = make_state_dir(runs / f"{begun}{uuid.uuid4().hex[:12]}")
    (folder / "owner.json").write_text(json.dumps([os.getpid(), began_at(os.getpid())]))
    _GUARDS[str(folder)] = _set_guard(folder)
    os.environ[VARIABLE] = str(folder)
    direct = tool_environment()["NO_PROXY"]  # servers of the tests are on this machine
    os.environ.update(NO_PROXY=direct, no_proxy=direct)
    return str(folder)


@contextmanager
def a_run() -> Generator["Servers"]:
    """The servers of the run that is open, or of one that is as long as the context."""
    opened = open_run()
    try:
        yield Servers()
    finally:
        if opened:
            close_run(opened)


def close_run(folder: str) -> None:
    """Ends the servers of the run, deletes what they kept, and waits for the guard that we set. Idempotent."""
    Ledger(Path(folder) / "processes.json").sweep()
    shutil.rmtree(folder, ignore_errors=True)
    if os.environ.get(VARIABLE) == folder:
        del os.environ[VARIABLE]
    guard = _GUARDS.pop(folder, None)
    if guard is not None:
        with suppress(subprocess.TimeoutExpired):
            guard.wait(GUARD_SECONDS)


def abandoned(folder: Path) -> bool:
    """Whether the process that opened the run is gone."""
    owner = folder / "owner.json"
    pid, began = json.loads(owner.read_text()) if owner.exists() else (0, None)
    return began is None or began_at(pid) != began


def has_room(memory: Path) -> bool:
    """Whether a run fits into this folder, and what it starts may be run from there."""
    if not memory.is_dir() or os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return False
    lines = Path("/proc/meminfo").read_text().splitlines()
    kib = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    return min(shutil.disk_usage(memory).free, kib * 1024) >= MEMORY_OF_A_RUN


def _in_memory() -> tuple[Path, str]:
    """Where this user's runs lie there, and how the names of this checkout's begin: no folder of it is left behind."""
    folder = "turnkey" if is_root() else f"turnkey-{os.getuid()}"
    return MEMORY / folder, f"{hashlib.sha256(str(state_dir()).encode()).hexdigest()[:12]}-"


def _set_guard(folder: Path) -> subprocess.Popen[bytes]:
    """A process of its own session: where ours is killed, it outlives it by as long as it takes to clear up."""
    return subprocess.Popen(
        [sys.executable, "-m", "dev.guard", str(folder)],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def own_folder(*, in_memory: bool = False) -> Generator[Path]:
    """The folder of a run of its own, for a whole portal: nobody else finds its servers, and its guard ends what a crash
    leaves. Whoever measures a portal, or cuts it off from its disk, has it on one."""
    outer = os.environ.pop(VARIABLE, None)
    folder = open_run(in_memory=in_memory)
    assert folder is not None
    try:
        yield Path(folder)
    finally:
        close_run(folder)
        if outer is not None:
            os.environ[VARIABLE] = outer


def save_logs(folder: Path, name: str) -> None:
    """Copies the logs of a portal to where they outlive its run, and says where."""
    kept = state_dir() / "failed" / name
    shutil.rmtree(kept, ignore_errors=True)
    if (folder / "logs").exists():
        shutil.copytree(folder / "logs", kept)
        say(f"The logs of its processes are kept in {kept}")


class Servers:
    """The servers of the run that `TEST_RUN` names."""

    def __init__(self) -> None:
        self._folder = Path(os.environ[VARIABLE])
        self._ledger = Ledger(self._folder / "processes.json")

    def start(self) -> None:
        """Both, before any test has a time limit."""
        self.postgres()
        self.temporal()

    def numbers(self, count: int) -> range:
        """So many numbers, from 1 on, that no other process of the run is given."""
        with self._locked():
            kept = self._folder / "numbers"
            first = int(kept.read_text()) if kept.exists() else 1
            kept.write_text(str(first + count))
        return range(first, first + count)

    def postgres(self) -> Cluster:
        """A running cluster whose database `turnkey` is migrated, empty, and nobody's: the template of all others."""
        with self._locked():
            kept = self._folder / "postgres.port"
            if kept.exists():
                return Cluster(self._folder, int(kept.read_text()), self._ledger)
            cluster = Cluster(self._folder, ports.free().postgres, self._ledger)
            cluster.start()
            self._run(
                "python -m alembic upgrade head",
                DATABASE_URL=cluster.app_url,
                MIGRATIONS_DATABASE_URL=cluster.owner_url,
            )
            kept.write_text(str(cluster.port))
            return cluster

    def temporal(self) -> str:
        """The address of a running development server that knows our search attributes."""
        with self._locked():
            kept = self._folder / "temporal.address"
            if kept.exists():
                return kept.read_text()
            chosen = ports.free()
            address = f"{ports.LOOPBACK}:{chosen.temporal}"
            process = temporal.server(
                temporal.find_binary(),
                self._folder,
                chosen.temporal,
                chosen.temporal_ui,
                self._ledger,
            )
            process.start()
            temporal.wait_for(address, process)
            self._run("python -m workers.setup", TEMPORAL_ADDRESS=address)
            kept.write_text(address)
            return address

    @contextmanager
    def database(self, name: str, *, like: str = DATABASE) -> Generator[tuple[str, str]]:
        """A migrated database: its address for the application and for the owner. Dropped at the end."""
        cluster = self.postgres()
        unique = f"{name}_{uuid.uuid4().hex[:8]}"
        self._copy(cluster, like, unique)
        try:
            yield cluster.url(APP, unique), cluster.url(OWNER, unique)
        finally:
            with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
                admin.execute(
                    sql.SQL("drop database {} with (force)").format(sql.Identifier(unique))
                )

    def demo(self) -> str:
        """The name of a database that holds the demo data and is nobody's: the template of others (`like`)."""
        cluster = self.postgres()
        with self._locked("demo.lock"):
            kept = self._folder / "demo.name"
            if not kept.exists():
                name = f"demo_{uuid.uuid4().hex[:8]}"
                self._copy(cluster, DATABASE, name)
                self._run("python -m db.seed", MIGRATIONS_DATABASE_URL=cluster.url(OWNER, name))
                kept.write_text(name)
            return kept.read_text()

    def _copy(self, cluster: Cluster, template: str, name: str) -> None:
        with self._locked(), psycopg.connect(cluster.admin_url, autocommit=True) as admin:
            admin.execute(
                sql.SQL("create database {} template {} owner {}").format(
                    sql.Identifier(name), sql.Identifier(template), sql.Identifier(OWNER)
                )
            )

    def _run(self, command: str, **environment: str) -> None:
        run_set_up(command, {**tool_environment(), **environment})

    @contextmanager
    def _locked(self, name: str = "lock") -> Generator[None]:
        with (self._folder / name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _clear_abandoned(folders: Iterable[Path]) -> None:
    for folder in folders:
        if abandoned(folder):
            close_run(str(folder))
