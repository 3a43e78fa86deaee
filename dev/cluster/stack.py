"""The portal as on many machines: Temporal's own server on PostgreSQL, three workers, and two APIs behind a proxy.

The same processes as in docker-compose.yml, each to be killed and started again by its name: postgres, temporal,
temporal-ui, simulators, worker-1 to worker-3, api-1, api-2, proxy.
"""

import time
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from dev import ports as port_choice
from dev import temporal, web
from dev.cluster import temporal_server
from dev.cluster.ports import inner_ports
from dev.cluster.proxy import proxy
from dev.console import CannotStart
from dev.ports import LOOPBACK, Ports
from dev.processes import Ledger
from dev.stack import Stack

WORKERS = tuple(f"worker-{n}" for n in (1, 2, 3))
APIS = ("api-1", "api-2")
SLOWEST_START = 180.0
"""Seconds."""


class ClusterStack(Stack):
    """`ports.portal` is the proxy's, `ports.temporal` the frontend's."""

    def __init__(
        self,
        state: Path,
        ports: Ports,
        *,
        environment: Mapping[str, str] | None = None,
        observed: bool = False,
    ) -> None:
        trusted = {"TRUSTED_PROXIES": f'["{LOOPBACK}"]'}
        super().__init__(
            state, ports, environment={**trusted, **(environment or {})}, observed=observed
        )
        self.inner = inner_ports(self.state, len(APIS))
        self._measured = [*APIS, *WORKERS]

    def metrics_port(self, name: str) -> int:
        """Two for each process; what comes with a later release gets the next ones."""
        if name not in self._measured:
            self._measured.append(name)
        return self.ports.metrics + 2 * self._measured.index(name)

    def port_of(self, api: str) -> int:
        """Where one API listens by itself."""
        return self.inner.apis[APIS.index(api)]

    def start_servers(self) -> None:
        """PostgreSQL with both stores, then Temporal on it."""
        self._start_postgres()
        assert self.cluster is not None
        temporal_server.make_stores(self.cluster, self.state)
        self._start_temporal()

    def start_api(self, name: str, **more: str) -> None:
        """One of `APIS`; returns when the proxy would find it."""
        self._start_named(name, **{"API_PORT": str(self.port_of(name)), **more})
        self._wait_alive(name)

    def start_worker(self, name: str, **more: str) -> None:
        self._start_named(name, **more)

    def stop_one(self, name: str) -> None:
        """Asks it to end, as a release does; it is no part of the cluster any more."""
        self.processes.pop(name).stop()

    def wait_ready(self, seconds: float = SLOWEST_START) -> None:
        """Through the proxy. Seven processes begin at once, and share the cores of one machine."""
        super().wait_ready(seconds)

    def _start_temporal(self) -> None:
        process = temporal_server.server(
            self.state, self.ports.postgres, self.ports.temporal, self.inner, self.ledger
        )
        self.processes["temporal"] = process
        process.start()
        temporal_server.make_namespace(self.temporal_address, process)
        temporal.wait_for(self.temporal_address, process)
        page = temporal_server.page(
            self.state,
            self.temporal_address,
            self.ports.temporal_ui,
            self.ledger,
            codec_url=self.codec_url,
        )
        self.processes["temporal-ui"] = page
        page.start()

    def _start_portal(self) -> None:
        for name in WORKERS:
            self.start_worker(name)
        with ThreadPoolExecutor(len(APIS)) as every:
            for name in APIS:
                self._start_named(name, API_PORT=str(self.port_of(name)))
            list(every.map(self._wait_alive, APIS))
        self.processes["proxy"] = proxy(self.state, self.ports.portal, self.inner.apis, self.ledger)
        self.processes["proxy"].start()

    def _wait_alive(self, api: str) -> None:
        give_up_at = time.monotonic() + SLOWEST_START
        url = f"http://{LOOPBACK}:{self.port_of(api)}/healthz"
        while time.monotonic() < give_up_at and self.processes[api].alive:
            with suppress(httpx.HTTPError):
                if httpx.get(url, timeout=2, trust_env=False).is_success:
                    return
            time.sleep(0.1)
        raise CannotStart(f"`{api}` does not answer:\n{self.processes[api].last_lines()}")


@contextmanager
def cluster(
    state: Path, ports: Ports | None = None, environment: Mapping[str, str] | None = None
) -> Generator[ClusterStack]:
    """In a state folder of its own, on free ports unless named; stopped at the end, come what may."""
    Ledger(state / "processes.json").sweep()
    web.build()
    running = ClusterStack(state, ports or port_choice.free(), environment=environment)
    try:
        running.start_servers()
        running.start_processes()
        yield running
    finally:
        running.stop()
