"""What must hold of orders when all is over: the ledgers of the card provider, the gateway and the ERP judge (promises 1, 4, 17)."""

from collections.abc import Iterable
from typing import Any

import httpx
from temporalio.client import Client, WorkflowExecutionStatus

from tests.faults.judge import Verdict, rows_of

HELD = frozenset({"requires_capture", "requires_action", "authorised", "authorized"})
"""Money that is neither taken nor let go."""


async def judge_orders(
    verdict: Verdict,
    tokens: Iterable[str],
    *,
    simulators_url: str,
    database_url: str,
    temporal: Client,
    apart: frozenset[str],
) -> None:
    """One order, one charge and one order at the ERP for each that was confirmed; nothing at all of any other."""
    flows = await rows_of(
        database_url,
        "select f.id, f.state, f.ended_at, o.number, o.status, cast(o.total * 100 as int) as cents,"
        " (select count(*) from shop_order s where s.token = f.id) as orders"
        " from flow f left join shop_order o on o.token = f.id where f.kind = 'placement'",
    )
    by_token = {row["id"]: row for row in flows}
    async with httpx.AsyncClient(base_url=simulators_url, timeout=10) as outside:
        for token in tokens:
            row = by_token.get(token)
            verdict.demand(row is not None, f"{token} was submitted, and nobody knows of it")
            if row is not None:
                await _judge_order(verdict, outside, row)
    for table in ("stock_reservation", "credit_reservation"):
        (held,) = await rows_of(database_url, f"select count(*) as n from {table}")  # pyright: ignore[reportArgumentType]
        verdict.demand(held["n"] == 0, f"{held['n']} rows of {table} are left")
    open_ = await rows_of(database_url, "select token from placement where ended_at is null")
    frozen = [row["token"] for row in open_ if row["token"] not in apart]
    verdict.demand(not frozen, f"{len(frozen)} carts are still frozen")
    async for execution in temporal.list_workflows("WorkflowType = 'Placement'"):
        if execution.id in apart:
            continue
        handle = temporal.get_workflow_handle(execution.id, run_id=execution.run_id)
        await handle.result()
        status = (await handle.describe()).status
        verdict.demand(status is WorkflowExecutionStatus.COMPLETED, f"{execution.id} is {status}")


async def _judge_order(verdict: Verdict, outside: httpx.AsyncClient, row: dict[str, Any]) -> None:
    token, state = row["id"], row["state"]
    kept, charges = 0, 0
    for system in ("cards", "gateway"):
        ledger = (await outside.get(f"/{system}/_ledger", params={"flow_id": token})).json()
        kept += ledger["sums"].get("captured", 0) - ledger["sums"].get("refunded", 0)
        charges += len(ledger["captures"])
        held = [one["id"] for one in ledger["intents"] if one["status"] in HELD]
        verdict.demand(not held, f"{token} is {state}, and {held} is still held")
    taken: list[dict[str, Any]] = []
    if row["number"]:
        answer = await outside.get("/erp/_ledger", params={"reference": row["number"]})
        taken = [one for one in answer.json()["orders"] if one["status"] != "cancelled"]
    verdict.counts[f"orders {state}"] += 1
    if state == "confirmed":
        verdict.demand(row["orders"] == 1, f"{token} has {row['orders']} orders")
        verdict.demand(kept == row["cents"], f"{token}: {kept} cents taken of {row['cents']}")
        verdict.demand(charges == 1, f"{token} was charged {charges} times")
        verdict.demand(len(taken) == 1, f"{token} is {len(taken)} times at the ERP")
    else:
        verdict.demand(row["ended_at"] is not None, f"{token} stands: {state}")
        verdict.demand(kept == 0, f"{token} is {state}, and {kept} cents were kept")
        verdict.demand(not taken, f"{token} is {state}, and the ERP has it")
        verdict.demand(
            row["status"] in (None, "cancelled"), f"{token} is {state}, its order {row['status']}"
        )
