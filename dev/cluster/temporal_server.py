"""Temporal's server as it is run in earnest, on PostgreSQL, and its page.

Both stores, `temporal` and `temporal_visibility`, belong to the role `temporal`, as `dev/compose/roles.sh` makes them.
"""

import asyncio
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import psycopg
from google.protobuf.duration_pb2 import Duration
from psycopg import sql
from temporalio.api.workflowservice.v1 import RegisterNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from dev.cluster.building import find_programs
from dev.cluster.ports import SERVICES, Inner
from dev.console import CannotStart
from dev.places import load_secrets, write_private
from dev.ports import LOOPBACK
from dev.postgres import Cluster
from dev.processes import Command, Ledger, Process
from dev.tools import tool_environment

ROLE = "temporal"
STORES = {"temporal": "temporal", "temporal_visibility": "visibility"}
"""Database → the schema in it, both embedded in the `sql` tool."""

SHARDS = 4
"""Never changed once a store has them: 4 do for one machine, docs/scale.md says how many more need."""
RETENTION = timedelta(days=1)
CONNECTIONS = 10
"""Of each of the four services to each store."""
READY_SECONDS = 90


def make_stores(cluster: Cluster, state: Path) -> None:
    """Role, databases and their schemas at the server's version. Idempotent."""
    password = load_secrets(state)["TEMPORAL_PASSWORD"]
    with psycopg.connect(cluster.admin_url, autocommit=True) as admin:
        if not admin.execute("select 1 from pg_roles where rolname = %s", [ROLE]).fetchone():
            admin.execute(
                sql.SQL("create role {} login password {}").format(
                    sql.Identifier(ROLE), sql.Literal(password)
                )
            )
        for store in STORES:
            if not admin.execute(
                "select 1 from pg_database where datname = %s", [store]
            ).fetchone():
                admin.execute(
                    sql.SQL("create database {} owner {}").format(
                        sql.Identifier(store), sql.Identifier(ROLE)
                    )
                )
    with ThreadPoolExecutor(len(STORES)) as both:
        waiting = [both.submit(_make_schema, store, cluster.port, password) for store in STORES]
        for one in waiting:
            one.result()


def server(state: Path, postgres_port: int, port: int, inner: Inner, ledger: Ledger) -> Process:
    """All four services in one process, not started yet."""
    folder = state / "temporal"
    (folder / "config").mkdir(parents=True, exist_ok=True)
    (folder / "config").chmod(0o700)
    password = load_secrets(state)["TEMPORAL_PASSWORD"]
    settings = settings_of(postgres_port, password, port, inner)
    write_private(folder / "config" / "cluster.yaml", json.dumps(settings, indent=1))
    return Process(
        Command(
            name="temporal",
            arguments=[
                str(find_programs() / "server"),
                *("--root", str(folder), "--config", "config", "--env", "cluster"),
                *("--allow-no-auth", "start"),
            ],
            log=state / "logs" / "temporal.log",
            environment=tool_environment(),
            folder=folder,
            stop_seconds=20,
        ),
        ledger,
    )


def page(state: Path, address: str, port: int, ledger: Ledger, *, codec_url: str = "") -> Process:
    """Of all workflows and their histories, on the loopback address and to be read only; not started yet."""
    folder = state / "temporal-ui"
    (folder / "config").mkdir(parents=True, exist_ok=True)
    settings: dict[str, object] = {
        "temporalGrpcAddress": address,
        "host": LOOPBACK,
        "port": port,
        "enableUi": True,
        "disableWriteActions": True,
        "cors": {"allowOrigins": [f"http://{LOOPBACK}:{port}"]},
    }
    if codec_url:
        settings["codec"] = {"endpoint": codec_url, "includeCredentials": True}
    (folder / "config" / "cluster.yaml").write_text(json.dumps(settings, indent=1))
    where = ("--root", str(folder), "--config", "config", "--env", "cluster")
    return Process(
        Command(
            name="temporal-ui",
            arguments=[str(find_programs() / "ui-server"), *where, "start"],
            log=state / "logs" / "temporal-ui.log",
            environment=tool_environment(),
            folder=folder,
        ),
        ledger,
    )


def make_namespace(address: str, process: Process) -> None:
    """Waits for the server, and makes the namespace `default`. Idempotent. Raises CannotStart."""
    give_up_at = time.monotonic() + READY_SECONDS
    while not asyncio.run(_has_namespace(address)):
        if time.monotonic() > give_up_at or not process.alive:
            raise CannotStart(f"Temporal does not answer at {address}:\n{process.last_lines()}")
        time.sleep(0.2)


async def _has_namespace(address: str) -> bool:
    with suppress(RuntimeError, TimeoutError):
        client = await asyncio.wait_for(Client.connect(address), 3)
        kept = Duration()
        kept.FromTimedelta(RETENTION)
        try:
            await client.workflow_service.register_namespace(
                RegisterNamespaceRequest(
                    namespace="default", workflow_execution_retention_period=kept
                )
            )
        except RPCError as error:
            return error.status == RPCStatusCode.ALREADY_EXISTS
        return True
    return False


def _make_schema(store: str, port: int, password: str) -> None:
    """Base tables in an empty database, then every later change of the schema that is missing."""
    url = f"postgresql://{ROLE}:{password}@{LOOPBACK}:{port}/{store}"
    with psycopg.connect(url) as connection:
        begun = connection.execute("select to_regclass('schema_version')").fetchone()
    if begun is None or begun[0] is None:
        _run_tool(store, port, password, "setup-schema", "-v", "0.0")
    schema = f"postgresql/v12/{STORES[store]}"
    _run_tool(store, port, password, "update-schema", "--schema-name", schema)


def _run_tool(store: str, port: int, password: str, *command: str) -> None:
    where = ("--ep", LOOPBACK, "-p", str(port), "-u", ROLE, "--db", store)
    done = subprocess.run(
        [str(find_programs() / "sql"), "--plugin", "postgres12", *where, *command],
        env={**os.environ, "SQL_PASSWORD": password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        output = f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
        raise CannotStart(f"The schema of `{store}` could not be made:\n{output}")


def settings_of(postgres_port: int, password: str, port: int, inner: Inner) -> dict[str, object]:
    """The server's configuration file."""
    rpc = dict(zip(SERVICES, (port, *inner.rpc), strict=True))
    membership = dict(zip(SERVICES, inner.membership, strict=True))
    return {
        "log": {"stdout": True, "level": "warn", "format": "json"},
        "persistence": {
            "defaultStore": "temporal",
            "visibilityStore": "temporal_visibility",
            "numHistoryShards": SHARDS,
            "datastores": {
                store: {
                    "sql": {
                        "pluginName": "postgres12",
                        "databaseName": store,
                        "connectAddr": f"{LOOPBACK}:{postgres_port}",
                        "connectProtocol": "tcp",
                        "user": ROLE,
                        "password": password,
                        "maxConns": CONNECTIONS,
                        "maxIdleConns": CONNECTIONS,
                        "maxConnLifetime": "1h",
                    }
                }
                for store in STORES
            },
        },
        "global": {"membership": {"maxJoinDuration": "30s", "broadcastAddress": LOOPBACK}},
        "services": {
            service: {
                "rpc": {
                    "grpcPort": rpc[service],
                    "membershipPort": membership[service],
                    "bindOnLocalHost": True,
                }
            }
            for service in SERVICES
        },
        "clusterMetadata": {
            "enableGlobalNamespace": False,
            "failoverVersionIncrement": 10,
            "masterClusterName": "active",
            "currentClusterName": "active",
            "clusterInformation": {
                "active": {
                    "enabled": True,
                    "initialFailoverVersion": 1,
                    "rpcName": "frontend",
                    "rpcAddress": f"{LOOPBACK}:{port}",
                }
            },
        },
        "dcRedirectionPolicy": {"policy": "noop"},
        "archival": {"history": {"state": "disabled"}, "visibility": {"state": "disabled"}},
        "publicClient": {"hostPort": f"{LOOPBACK}:{port}"},
    }
