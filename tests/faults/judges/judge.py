"""What must hold when all is over. The ledger of the device network judges, never our own rows alone (promises 1 and 2)."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, LiteralString

import httpx
import psycopg
from psycopg.rows import dict_row
from temporalio.client import Client, WorkflowExecutionStatus

from db.operations.loose_ends import SETS
from domain.devices.devices import CommandKind, kind_of
from domain.kinds import KINDS, PLACEMENT

ONCE = ("activate", "install", "welcome")
FIRMWARE = ("download_firmware", "update_firmware")
SETTINGS = ("keylocker_mode_add_on", "keylocker_mode_standalone", "reset_keylocker_pairing")
"""Commands that write a value and move nothing: asked for again under the same key until they are answered."""

RESTS = "suspend-plan"
"""Asked for by a case, and no intent: what it says is so, however often it is said."""


_SHOWN = ", ".join(
    f"'{kind.workflow}'" for kind in KINDS if kind.row == "flow" and kind is not PLACEMENT
)
"""The types of runs that have a row each; a cart may take several runs to its order."""


@dataclass
class Verdict:
    """`faults` is empty when every promise was kept; `counts` is what was looked at."""

    faults: list[str] = field(default_factory=list[str])
    counts: Counter[str] = field(default_factory=Counter[str])

    def demand(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.faults.append(otherwise)


async def known_before(database_url: str) -> frozenset[str]:
    """The runs, orders and cases of the demo data: nobody works at them, and nobody judges them."""
    rows = await rows_of(
        database_url,
        "select id from flow union select id from money_case union select token from placement"
        " union select id from purchase_start union select id from invoice_payment",
    )
    return frozenset(row["id"] for row in rows)


async def judge(
    device_keys: Iterable[str],
    *,
    device_cloud_url: str,
    database_url: str,
    temporal: Client,
    before: frozenset[str],
    terminated: Collection[str] = (),
) -> Verdict:
    """Of everything that was not there `before`. In the place of executions that were `terminated` others went on."""
    verdict = Verdict()
    intents = await rows_of(
        database_url,
        "select key, flow_id, kind, settled_at, refused_at, outcome from intent order by created_at",
    )
    async with httpx.AsyncClient(base_url=device_cloud_url, timeout=10) as network:
        for device_key in device_keys:
            answer = await network.get("/_ledger", params={"device_key": device_key})
            _judge_device(verdict, device_key, answer.json()["results"])
            device = await _judge_memory(verdict, network, device_key)
            installed = device["device_state"] == "installed"
            verdict.demand(installed, f"{device_key}: not installed")
        answer = await network.get("/_ledger")
        lines = answer.json()["results"]
        judge_intents(verdict, intents, lines)
        _judge_rests(verdict, await rows_of(database_url, "select id from money_case"), lines)
    await _judge_runs(verdict, database_url, temporal, before, terminated)
    return verdict


async def judge_firmware_runs(
    verdict: Verdict, device_keys: Iterable[str], *, device_cloud_url: str
) -> None:
    """Of devices that were updated beside any activation: the newest of everything, by commands that were each given once."""
    async with httpx.AsyncClient(base_url=device_cloud_url, timeout=10) as network:
        for device_key in device_keys:
            answer = await network.get("/_ledger", params={"device_key": device_key})
            _judge_effects(verdict, device_key, answer.json()["results"])
            await _judge_memory(verdict, network, device_key)
            verdict.counts["devices updated"] += 1


def _judge_device(verdict: Verdict, device_key: str, lines: list[dict[str, Any]]) -> None:
    """Activated, installed and welcomed once."""
    effects = _judge_effects(verdict, device_key, lines)
    for operation in ONCE:
        verdict.demand(
            effects[operation] == 1, f"{device_key}: {operation} {effects[operation]} times"
        )


def _judge_effects(verdict: Verdict, device_key: str, lines: list[dict[str, Any]]) -> Counter[str]:
    """One effect for each intent, whatever its key; a command that moves a car was not even asked for twice. Operation →
    effects."""
    effects = Counter(line["operation"] for line in lines if line["effect"])
    for key, count in Counter(_key(line) for line in lines if line["effect"]).items():
        verdict.demand(count == 1, f"{device_key}: {key} had {count} effects")
    acting = Counter(_key(line) for line in lines if _is_acting(line["operation"]))
    for key, count in acting.items():
        verdict.demand(count == 1, f"{device_key}: {key} was asked for {count} times")
    verdict.counts["effects"] += effects.total()
    verdict.counts["acting commands"] += len(acting)
    verdict.counts["requests repeated"] += sum(line["replayed"] for line in lines)
    for command in FIRMWARE:
        verdict.counts[command] += effects[f"command:{command}"]
    return effects


async def _judge_memory(
    verdict: Verdict, network: httpx.AsyncClient, device_key: str
) -> dict[str, Any]:
    """The device itself, which must be on the newest firmware."""
    answer = await network.post("/_control", json={"device_key": device_key, "outages": 0})
    device: dict[str, Any] = answer.json()
    behind = {
        part: version
        for part, version in device["firmware"].items()
        if version != device["offered"].get(part)
    }
    verdict.demand(not behind, f"{device_key}: still runs {behind}")
    return device


def judge_intents(
    verdict: Verdict, intents: list[dict[str, Any]], lines: list[dict[str, Any]]
) -> None:
    """Each effect was intended, each settled intent had its effect, what was refused had none, and only a car's own silence
    leaves one open. A mode that was set again since stands in the place of what nobody knows."""
    happened = {
        str(line["idempotency_key"])
        for line in lines
        if line["effect"] and line["operation"] != RESTS and not line["operation"].startswith("erp")
    }
    known = {intent["key"] for intent in intents}
    replaced = _set_again(intents, happened)
    verdict.demand(happened <= known, f"effects nobody intended: {sorted(happened - known)[:5]}")
    for intent in intents:
        key, kind = intent["key"], intent["kind"]
        verdict.counts["intents"] += 1
        if intent["refused_at"] is not None:
            verdict.demand(key not in happened, f"intent {kind} {key} was refused, and happened")
            verdict.counts["intents refused"] += 1
        elif key in replaced:
            verdict.counts["intents done again since"] += 1
        elif intent["settled_at"] is None:
            asked = kind.partition(":")[2]
            may_stay_open = kind.startswith("command:")
            verdict.demand(may_stay_open, f"intent {kind} {key} was never settled")
            verdict.counts[f"open commands: {asked}"] += may_stay_open
        elif not (intent["outcome"] or {}).get("refused"):
            verdict.demand(key in happened, f"intent {kind} {key} is settled without an effect")


def _set_again(intents: list[dict[str, Any]], happened: set[str]) -> set[str]:
    """Those that bring a device into a state, where one that was begun later had its effect, whatever became of them."""
    done, replaced = set[tuple[str, str]](), set[str]()
    for intent in reversed(intents):
        asked = intent["flow_id"], intent["kind"]
        if intent["kind"] in SETS and asked in done:
            replaced.add(intent["key"])
        elif intent["key"] in happened:
            done.add(asked)
    return replaced


def _judge_rests(
    verdict: Verdict, cases: list[dict[str, Any]], lines: list[dict[str, Any]]
) -> None:
    """Plans rest, and go on, for a case alone; each time once."""
    known = {case["id"] for case in cases}
    asked = Counter(
        str(line["idempotency_key"])
        for line in lines
        if line["effect"] and line["operation"] == RESTS
    )
    for key, count in asked.items():
        verdict.demand(key.partition(":")[0] in known, f"{key}: a plan rests for no case")
        verdict.demand(count == 1, f"{key} had {count} effects")
    verdict.counts["plans that rested or went on"] += len(asked)


async def _judge_runs(
    verdict: Verdict,
    database_url: str,
    temporal: Client,
    before: frozenset[str],
    terminated: Collection[str],
) -> None:
    """No row without an ended run, no run without a row, every run ended well."""
    rows = await rows_of(
        database_url, "select id, kind, state, workflow_id, run_id, ended_at from flow"
    )
    verdict.demand(bool(rows), "no run at all is known")
    for row in rows:
        if row["id"] in before:
            continue
        verdict.counts[f"{row['kind']} runs"] += 1
        verdict.counts[f"{row['kind']} {row['state']}"] += 1
        verdict.demand(row["ended_at"] is not None, f"{row['workflow_id']} stands: {row['state']}")
        if row["kind"] == "placement":
            continue
        handle = temporal.get_workflow_handle(row["workflow_id"], run_id=row["run_id"])
        status = (await handle.describe()).status
        is_over = status is WorkflowExecutionStatus.COMPLETED or row["run_id"] in terminated
        verdict.demand(is_over, f"{row['workflow_id']} is {status}")
    known = {*(row["run_id"] for row in rows), *terminated}
    async for execution in temporal.list_workflows(f"WorkflowType IN ({_SHOWN})"):
        verdict.demand(execution.run_id in known, f"{execution.id} has no row")
    held = await rows_of(
        database_url, "select device_key, flow_id from device_reservation where released_at is null"
    )
    still = [row["device_key"] for row in held if row["flow_id"] not in before]
    verdict.demand(not still, f"devices still held: {still[:5]}")
    inbox = await rows_of(database_url, "select id from device_log where delivered_at is null")
    verdict.demand(not inbox, f"{len(inbox)} device logs were never handed over")


def _key(line: dict[str, Any]) -> str:
    return f"{line['operation']} {line['idempotency_key']}"


def _is_acting(operation: str) -> bool:
    kind, _, command = operation.partition(":")
    if kind != "command" or command in FIRMWARE or command in SETTINGS:
        return False
    return kind_of(command) is CommandKind.ACTING


async def rows_of(database_url: str, query: LiteralString) -> list[dict[str, Any]]:
    async with (
        await psycopg.AsyncConnection.connect(database_url) as connection,
        connection.cursor(row_factory=dict_row) as cursor,
    ):
        return await (await cursor.execute(query)).fetchall()
