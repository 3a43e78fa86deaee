"""The whole portal on one machine, as `make dev`, the browser journeys and the fault runs start it.

`with stack(state, ports) as running:` gives PostgreSQL, Temporal, stand-ins, worker and API, migrated and seeded. Each
process can be killed as by a crash and started again by its name: postgres, temporal, simulators, worker, api.
"""

import os
import shlex
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from dev import ports as port_choice
from dev import temporal, web
from dev.commands import run_set_up
from dev.console import CannotStart
from dev.places import ROOT, load_secrets, make_state_dir
from dev.ports import Ports
from dev.postgres import Cluster, refuse_unsafe
from dev.processes import Command, Ledger, Process
from dev.servers import a_run, own_folder
from dev.tools import tool_environment

LARGEST_LOG = 20_000_000

BESIDE = {"traces": "python -m dev.traces.main", "codec": "python -m api.codec_server"}
"""What runs beside the portal where it is watched, as `make dev` has it."""

MEASURED = ("api", "worker")


class Stack:
    """What runs in one state folder. `database_url` and `temporal_address` name servers that run elsewhere, `is_filled` says
    that the database is migrated and has the demo data; `observed` has it traced and measured; `given` is what single
    processes are given besides, by their name."""

    def __init__(
        self,
        state: Path,
        ports: Ports,
        *,
        database_url: str | None = None,
        is_filled: bool = False,
        temporal_address: str | None = None,
        environment: Mapping[str, str] | None = None,
        given: Mapping[str, Mapping[str, str]] | None = None,
        observed: bool = False,
        wal_archive: Path | None = None,
    ) -> None:
        self.state = make_state_dir(state)
        self.ports = ports
        self.ledger = Ledger(self.state / "processes.json")
        self._given = dict(given or {})
        self.cluster = (
            None
            if database_url
            else Cluster(
                self.state,
                ports.postgres,
                self.ledger,
                archive=wal_archive,
                environment=self._given.get("postgres"),
            )
        )
        self._database_url = database_url
        self._is_filled = is_filled
        self._external_temporal = temporal_address
        self._extra = dict(environment or {})
        self.observed = observed
        self.processes: dict[str, Process] = {}

    @property
    def portal_url(self) -> str:
        return f"http://localhost:{self.ports.portal}"

    @property
    def simulators_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.simulators}"

    @property
    def traces_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.traces}"

    def metrics_port(self, name: str) -> int:
        """Of one process; the next port has the metrics of its Temporal SDK."""
        return self.ports.metrics + 2 * MEASURED.index(name)

    @property
    def codec_url(self) -> str:
        """Of what opens sealed payloads for Temporal's page; empty where none is sealed or nobody watches."""
        if not (self.observed and opens_payloads({**os.environ, **self._extra})):
            return ""
        return os.environ.get("CODEC_URL") or f"http://127.0.0.1:{self.ports.codec}"

    @property
    def temporal_address(self) -> str:
        return self._external_temporal or f"127.0.0.1:{self.ports.temporal}"

    @property
    def temporal_ui_url(self) -> str:
        return os.environ.get("TEMPORAL_UI_URL") or f"http://127.0.0.1:{self.ports.temporal_ui}"

    @property
    def database_url(self) -> str:
        """What the portal uses."""
        return self._database_url or (self.cluster.app_url if self.cluster else "")

    @property
    def migrations_database_url(self) -> str:
        """The owner of the tables."""
        if self.cluster:
            return self.cluster.owner_url
        return os.environ.get("MIGRATIONS_DATABASE_URL") or self.database_url

    @property
    def environment(self) -> dict[str, str]:
        """What every process of the stack is given."""
        secrets = load_secrets(self.state)
        own = {
            "DATABASE_URL": self.database_url,
            "MIGRATIONS_DATABASE_URL": self.migrations_database_url,
            "TEMPORAL_ADDRESS": self.temporal_address,
            "TEMPORAL_UI_URL": self.temporal_ui_url,
            "API_PORT": str(self.ports.portal),
            "PORTAL_URL": self.portal_url,
            "WEB_DIST": str(web.DIST),
            "SIMULATORS_URL": self.simulators_url,
            "SIMULATORS_PORT": str(self.ports.simulators),
            "SIMULATORS_MAIL_PORT": str(self.ports.mail),
            "SIMULATORS_STATE": str(self.state / "simulators.sqlite"),
            "PORTAL_WEBHOOK_URL": f"http://127.0.0.1:{self.ports.portal}/v1/webhooks/device",
            "PORTAL_ERP_WEBHOOK_URL": f"http://127.0.0.1:{self.ports.portal}/v1/webhooks/erp",
            "PORTAL_CARD_WEBHOOK_URL": f"http://127.0.0.1:{self.ports.portal}/v1/webhooks/card",
            "PORTAL_BANK_WEBHOOK_URL": f"http://127.0.0.1:{self.ports.portal}/v1/webhooks/bank",
            "STATE_DIR": str(self.state),
            "PYTHONUNBUFFERED": "1",
        }
        if self.observed:
            own["TRACES_PORT"] = str(self.ports.traces)
            own["OTEL_EXPORTER_OTLP_ENDPOINT"] = (
                os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or self.traces_url
            )
        if self.codec_url:
            own |= {"CODEC_URL": self.codec_url, "CODEC_PORT": str(self.ports.codec)}
        kept = {name: value for name, value in secrets.items() if not name.endswith("PASSWORD")}
        return {
            **tool_environment(),
            **own,
            **kept,
            **self._extra,
        }

    def start_servers(self) -> None:
        """PostgreSQL and Temporal, both at once."""
        with ThreadPoolExecutor(2) as both:
            waiting = [both.submit(self._start_postgres), both.submit(self._start_temporal)]
            for one in waiting:
                one.result()

    def prepare(self) -> None:
        """Migrations, then demo data; the search attributes of Temporal beside them. Idempotent."""
        with ThreadPoolExecutor(1) as beside:
            attributes = beside.submit(self.run, "python -m workers.setup")
            if not self._is_filled:
                self.run("python -m alembic upgrade head")
                self.run("python -m db.seed")
            attributes.result()

    def start_processes(self, built: Callable[[], object] = lambda: None) -> None:
        """The processes of the Procfile, then waits until the portal calls itself ready. `built` returns when the front end is
        there, which the portal reads as it starts."""
        if self.observed:
            self._start_named("traces")
        self._start_named("simulators")
        self.prepare()
        with ThreadPoolExecutor(1) as beside:
            ledger = beside.submit(self.run, "python -m dev.erp_ledger")
            built()
            self._start_portal()
            self.wait_ready()
            ledger.result()
        if self.codec_url:
            self._start_named("codec")

    def wait_ready(self, seconds: float = 60) -> None:
        """Returns when `GET /readyz` answers 200, which needs the database, Temporal and a polling worker."""
        give_up_at = time.monotonic() + seconds
        last = "no answer"
        while time.monotonic() < give_up_at:
            for process in list(self.processes.values()):
                if not process.alive:
                    raise CannotStart(
                        f"`{process.name}` stopped by itself; its log {process.command.log} ends with:\n"
                        f"{process.last_lines()}"
                    )
            with suppress(httpx.HTTPError):
                answer = httpx.get(
                    f"http://127.0.0.1:{self.ports.portal}/readyz", timeout=3, trust_env=False
                )
                last = answer.text[:500]
                if answer.status_code == 200:
                    return
            time.sleep(0.1)
        raise CannotStart(f"The portal is not ready after {seconds:.0f} s: {last}")

    def run(self, command: str) -> str:
        """One set-up command with the stack's environment; answers what it printed."""
        return run_set_up(command, self.environment)

    def pids(self) -> dict[str, int]:
        return {
            name: process.pid
            for name, process in self.processes.items()
            if process.alive and process.pid
        }

    def kill(self, name: str) -> None:
        """kill -9, as a crash would."""
        self.processes[name].kill()

    def restart(self, name: str) -> None:
        """Starts what was killed; of a server, waits until it serves again."""
        process = self.processes[name]
        if process.alive:
            process.stop()
        if name == "postgres" and self.cluster:
            self.cluster.restart()
        elif name == "temporal":
            process.start()
            temporal.wait_for(self.temporal_address, process)
        else:
            process.start()

    def stop(self) -> None:
        """In the reverse of the order of the start. Idempotent."""
        for process in reversed(list(self.processes.values())):
            process.stop()

    def _start_postgres(self) -> None:
        if self.cluster is not None:
            self.cluster.start()
            if self.cluster.process is not None:
                self.processes["postgres"] = self.cluster.process
        refuse_unsafe(self.database_url)

    def _start_temporal(self) -> None:
        if self._external_temporal:
            temporal.wait_for(self._external_temporal, seconds=5)
            return
        binary = temporal.find_binary()
        process = temporal.server(
            binary,
            self.state,
            self.ports.temporal,
            self.ports.temporal_ui,
            self.ledger,
            codec_url=self.codec_url,
        )
        self.processes["temporal"] = process
        process.start()
        temporal.wait_for(self.temporal_address, process)

    def _start_portal(self) -> None:
        self._start_named("worker")
        self._start_named("api")

    def _start_named(self, name: str, **more: str) -> None:
        """A process of the Procfile or beside it: several of one kind have a number behind a hyphen. `more` is what it is
        given besides."""
        line = {**procfile(), **BESIDE}[name.partition("-")[0]]
        log = self.state / "logs" / f"{name}.log"
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".old.log"))
        environment = {**self.environment, **more, **self._given.get(name, {})}
        if self.observed and name.partition("-")[0] in MEASURED:
            environment["METRICS_PORT"] = str(self.metrics_port(name))
        command = Command(name=name, arguments=shlex.split(line), log=log, environment=environment)
        self.processes[name] = Process(command, self.ledger)
        self.processes[name].start()


def opens_payloads(environment: Mapping[str, str]) -> bool:
    """Whether `PAYLOAD_KEYS` names any key, behind the word `none` or not."""
    return ":" in environment.get("PAYLOAD_KEYS", "")


def procfile() -> dict[str, str]:
    """Name to command of the processes without Docker."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    return {
        name.strip(): line.strip()
        for name, _, line in (entry.partition(":") for entry in lines)
        if line.strip()
    }


@contextmanager
def portal_of_its_own(name: str, environment: Mapping[str, str]) -> Generator[Stack]:
    """A whole portal for tests, on a copy of the run's database with the demo data: to make, migrate and fill one for each
    takes as long as all the rest of its start."""
    with (
        a_run() as servers,
        servers.database(name, like=servers.demo()) as (database_url, owner_url),
        own_folder(in_memory=True) as folder,
        stack(
            folder,
            environment={**environment, "MIGRATIONS_DATABASE_URL": owner_url},
            database_url=database_url,
            is_filled=True,
        ) as running,
    ):
        yield running


@contextmanager
def stack(
    state: Path,
    ports: Ports | None = None,
    environment: Mapping[str, str] | None = None,
    database_url: str | None = None,
    *,
    is_filled: bool = False,
) -> Generator[Stack]:
    """The whole portal in a state folder of its own, on free ports unless named; stopped at the end, come what may.

    `environment` is added to that of every process, for example shorter waits; `database_url` names a database elsewhere,
    which `is_filled` when it is migrated and has the demo data.
    """
    Ledger(state / "processes.json").sweep()
    web.build()
    running = Stack(
        state,
        ports or port_choice.free(),
        database_url=database_url,
        is_filled=is_filled,
        environment=environment,
    )
    try:
        running.start_servers()
        running.start_processes()
        yield running
    finally:
        running.stop()
