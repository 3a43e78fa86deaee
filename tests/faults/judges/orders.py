"""What must hold of orders when all is over: the ledgers of the card provider, the gateway and the ERP judge
(promises 1, 4, 17)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, LiteralString

import httpx
from temporalio.client import Client, WorkflowExecutionStatus

from tests.faults.judges.judge import Verdict, rows_of
from tests.faults.judges.money import kept_of

_LEFT: dict[str, LiteralString] = {
    "rows of stock_reservation are left": "select flow_id as id from stock_reservation",
    "rows of credit_reservation are left": "select flow_id as id from credit_reservation",
    "carts are still frozen": "select token as id from placement where ended_at is null",
}
HELD = frozenset({"requires_capture", "requires_action", "authorised", "authorized"})
"""Money that is neither taken nor let go."""


async def judge_orders(
    verdict: Verdict,
    tokens: Iterable[str],
    *,
    simulators_url: str,
    database_url: str,
    temporal: Client,
    before: frozenset[str],
    terminated: Collection[str] = (),
    by_hand: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """One order, one charge and one order at the ERP for each that was confirmed; nothing at all of any other."""
    flows = await rows_of(
        database_url,
        "select f.id, f.state, f.ended_at, o.number, o.status, cast(o.total * 100 as int) as cents,"
        " o.payment_type in ('COD', 'TERMS') as is_promised,"
        " (select p.email from person p where p.id = o.placed_by) as buyer,"
        " (select count(*) from shop_order s where s.token = f.id) as orders"
        " from flow f left join shop_order o on o.token = f.id where f.kind = 'placement'",
    )
    by_token = {row["id"]: row for row in flows}
    async with httpx.AsyncClient(base_url=simulators_url, timeout=10) as outside:
        for token in tokens:
            row = by_token.get(token)
            verdict.demand(row is not None, f"{token} was submitted, and nobody knows of it")
            if row is not None:
                await _judge_order(verdict, outside, row, by_hand.get(token, 0))
    for what, query in _LEFT.items():
        found = {row["id"] for row in await rows_of(database_url, query)} - before
        verdict.demand(not found, f"{len(found)} {what}")
    async for execution in temporal.list_workflows("WorkflowType = 'Placement'"):
        if execution.id.removeprefix("order-").partition("~")[0] in before:
            continue
        if execution.run_id in terminated:
            continue
        handle = temporal.get_workflow_handle(execution.id, run_id=execution.run_id)
        await handle.result()
        status = (await handle.describe()).status
        verdict.demand(status is WorkflowExecutionStatus.COMPLETED, f"{execution.id} is {status}")


async def _mails(outside: httpx.AsyncClient, buyer: str, number: str) -> int:
    """Confirmations of the order. A mail whose answer got lost with its worker comes again under its Message-ID, and is one."""
    answer = await outside.get("/messenger/_outbox", params={"to": buyer})
    sent = answer.json()["results"]
    return len({one["message_id"] for one in sent if one["subject"] == f"Your order {number}"})


def charges_of(entries: Iterable[Mapping[str, Any]]) -> list[int]:
    """Cents of each payment that a provider still has something of: what came back, or was given back whole as another one took
    its place, is no charge."""
    sums = dict[str, Counter[str]]()
    for entry in entries:
        sums.setdefault(entry["subject"], Counter())[entry["operation"]] += entry["amount"]
    return [kept for one in sums.values() if (kept := kept_of(one)) > 0]


async def _judge_order(
    verdict: Verdict, outside: httpx.AsyncClient, row: dict[str, Any], by_hand: int
) -> None:
    """`by_hand` is what `settled_by_hand` says of it, in cents."""
    token, state = row["id"], row["state"]
    kept, charges = -by_hand, list[int]()
    for system in ("cards", "gateway"):
        ledger = (await outside.get(f"/{system}/_ledger", params={"flow_id": token})).json()
        kept += kept_of(ledger["sums"])
        charges += charges_of(ledger["entries"])
        held = [one["id"] for one in ledger["intents"] if one["status"] in HELD]
        verdict.demand(not held, f"{token} is {state}, and {held} is still held")
    taken: list[dict[str, Any]] = []
    if row["number"]:
        answer = await outside.get("/erp/_ledger", params={"reference": row["number"]})
        taken = [one for one in answer.json()["orders"] if one["status"] != "cancelled"]
    verdict.counts[f"orders {state}"] += 1
    if state == "confirmed" and row["status"] == "cancelled":
        verdict.counts["orders revoked"] += 1
        verdict.demand(kept == 0, f"{token} was revoked, and {kept} cents were kept")
    elif state == "confirmed":
        verdict.demand(row["orders"] == 1, f"{token} has {row['orders']} orders")
        due = 0 if row["is_promised"] else row["cents"]
        verdict.demand(kept == due, f"{token}: {kept} cents taken of {due}")
        if by_hand in charges:
            charges.remove(by_hand)
        expected = int(due > 0 and by_hand >= 0)
        verdict.demand(len(charges) == expected, f"{token} was charged {len(charges)} times")
        verdict.demand(len(taken) == 1, f"{token} is {len(taken)} times at the ERP")
        mails = await _mails(outside, row["buyer"], row["number"])
        verdict.demand(mails == 1, f"{token} was mailed {mails} times")
    else:
        verdict.demand(row["ended_at"] is not None, f"{token} stands: {state}")
        verdict.demand(kept == 0, f"{token} is {state}, and {kept} cents were kept")
        verdict.demand(not taken, f"{token} is {state}, and the ERP has it")
        verdict.demand(
            row["status"] in (None, "cancelled"), f"{token} is {state}, its order {row['status']}"
        )
