"""After one run with canaries everything that is left behind is searched: nothing is found, unless it was planted."""

import asyncio
import base64
import hashlib
import json
import re
import sqlite3
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest

from dev import ports
from dev.servers import own_folder
from dev.stack import Stack
from tests.canary import payments
from tests.canary.scan import Canary, Part, files, histories, search, tables
from tests.canary.walk import Walk
from workflows.client import connect

pytestmark = pytest.mark.timeout(600)

LARGE = "history of "
ASKS_FOR_A_DEVICE = {"device", "device-check", "device-purchasing-check", "logs"}
CANARY = Canary("canary", "Canary+Sings/Loud-73!", is_short=True)


@dataclass
class After:
    """The portal after the walk: every part of what it left behind."""

    running: Stack
    canaries: list[Canary]
    parts: list[Part]


@pytest.fixture(scope="module")
async def after() -> AsyncGenerator[After]:
    with own_folder(in_memory=True) as folder:
        running = Stack(
            folder,
            ports.free(),
            environment={"MFA_SUPPORT": "true", "SIMULATORS_LATENCY": "0.02-0.05"},
            observed=True,
        )
        try:
            await asyncio.to_thread(running.start_servers)
            await asyncio.to_thread(running.start_processes)
            walk = Walk(running.portal_url, running.simulators_url, uuid4().hex[:12])
            await walk.go()
            client = await connect(running.temporal_address)
            parts = [
                *tables(running.migrations_database_url),
                *[part async for part in histories(client)],
                *files(folder, "logs/*", "traces.sqlite*"),
            ]
            yield After(running, walk.canaries, parts)
        finally:
            await asyncio.to_thread(running.stop)


async def test_no_secret_is_left_in_database_histories_or_logs(after: After) -> None:
    names = [where for where, _ in after.parts]
    for expected in (
        "table flow",
        "table sealed_secret",
        "file api.log",
        "file worker.log",
        "file traces.sqlite",
    ):
        assert expected in names
    assert sum(name.startswith(LARGE) for name in names) >= 4
    assert {
        "master pin",
        "new password",
        "phone code",
        "access token",
        "guest's token",
        "card number",
        "typed card number",
        "security code",
        "bank account number",
    } <= {canary.name for canary in after.canaries}
    assert search(after.canaries, after.parts) == []


async def test_traces_tell_no_address_no_vehicle_and_no_secret(after: After) -> None:
    """Each call of the walk was traced, down to its statements."""
    with sqlite3.connect(after.running.state / "traces.sqlite") as kept:
        names = {name for (name,) in kept.execute("select distinct name from span")}
        told = "\n".join(said for (said,) in kept.execute("select name || said from span"))
    assert len(names) > 30
    assert {"StartWorkflow:ActivationWorkflow", "POST card provider"} & names
    assert not re.search(r"[\w.+-]+@[\w-]+\.\w+", told)
    assert not re.search(r"\b[A-HJ-NPR-Z0-9]{17}\b", told)


async def test_the_device_network_keeps_no_pin(after: After) -> None:
    """Messages hold codes and links, as they must; the record of the device network holds no pin."""
    pins = [canary for canary in after.canaries if canary.name.endswith(" pin")]
    assert len(pins) == 2
    assert search(pins, files(after.running.state, "simulators.sqlite*")) == []


def numbers_of(after: After) -> list[Canary]:
    """Of cards and bank accounts."""
    numbers = [canary for canary in after.canaries if "number" in canary.name]
    assert len(numbers) == len(payments.NUMBERS)
    return numbers


async def test_no_third_party_keeps_a_byte_of_a_number_but_what_was_typed_for_a_serial_number(
    after: After,
) -> None:
    """Not even in what it has deleted. What has spaces in it is no serial number, so nobody was asked for that."""
    serials = payments.TYPED_SERIALS
    numbers = [canary for canary in numbers_of(after) if canary.value not in serials]
    assert len(numbers) == len(payments.NUMBERS) - len(serials)
    assert search(numbers, files(after.running.state, "simulators.sqlite*")) == []


async def test_of_a_number_typed_for_a_serial_number_no_more_is_kept_than_that_the_device_network_was_asked(
    after: After,
) -> None:
    parts: list[Part] = []
    asked_for: set[str] = set()
    with sqlite3.connect(after.running.state / "simulators.sqlite") as kept:
        kept.row_factory = sqlite3.Row
        named = kept.execute("select name from sqlite_master where type = 'table'").fetchall()
        for (table,) in named:
            rows = [dict(row) for row in kept.execute(f"select * from {table}")]
            for row in rows if table == "ledger" else ():
                if row["operation"] in ASKS_FOR_A_DEVICE and row["status"] == 404:
                    asked_for.add(row.pop("device_key"))
            parts.append((f"table {table}", "\n".join(map(str, rows)).encode()))
    assert asked_for >= payments.TYPED_SERIALS
    assert search(numbers_of(after), parts) == []


@pytest.mark.parametrize(
    "planted",
    [
        CANARY.value,
        quote(CANARY.value, safe=""),
        hashlib.sha256(CANARY.value.encode()).hexdigest(),
        CANARY.value.encode().hex(),
    ],
)
async def test_what_is_planted_in_the_database_is_found(after: After, planted: str) -> None:
    url = after.running.migrations_database_url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "insert into audit (actor, action, outcome, more) values ('canary', 'sang', 'done', %s)",
            [json.dumps({"said": planted})],
        )
        found = search([CANARY], tables(url))
        connection.execute("delete from audit where actor = 'canary'")
    assert found
    assert all("audit" in each for each in found)
    assert CANARY.value not in str(found)


async def test_what_is_planted_in_a_history_or_a_log_is_found(after: After) -> None:
    client = await connect(after.running.temporal_address)
    async for run in client.list_workflows():
        if run.id.startswith("act-"):
            await client.get_workflow_handle(run.id).signal("sing", {"said": CANARY.value})
            break
    assert search([CANARY], [part async for part in histories(client)])
    log = after.running.state / "logs" / "worker.log"
    with log.open("a") as file:
        file.write(f"{CANARY.value}\n")
    assert search([CANARY], files(after.running.state, "logs/*")) == [
        "canary (plain) in file worker.log"
    ]


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_base64_is_found_wherever_it_begins(before: str) -> None:
    wrapped = base64.b64encode(f'{before}{{"pin": "{CANARY.value}"}}'.encode())
    assert search([CANARY], [("somewhere", wrapped)])


def test_a_security_code_counts_beside_its_name() -> None:
    code = Canary("security code", "7391", of_digits=True, beside="cv[vc]")
    assert not search([code], [("x", b'{"port": 7391, "ms": 7391}')])
    assert search([code], [("x", b'{"cvv": "7391"}')])
    assert search([code], [("x", b"card[cvc]=7391&")])


def test_digits_inside_times_and_ids_do_not_count() -> None:
    pin = Canary("pin", "48270163", is_short=True, of_digits=True)
    assert not search([pin], [("x", b"2026-08-03 12:00:00.48270163 a48270163 f482701639")])
    assert search([pin], [("x", b'{"pin": 48270163}')])
