"""What must hold of purchases of plans when all is over: the card provider's ledger and the device network's judge
(promises 1 and 2)."""

from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from tests.faults.judges.judge import Verdict, rows_of
from tests.faults.judges.money import cents_of, kept_of, sums_of


async def judge_purchases(
    verdict: Verdict,
    uuids: Iterable[str],
    *,
    outside: httpx.AsyncClient,
    database_url: str,
    by_hand: Mapping[str, int],
    beyond_plans: Mapping[str, int],
) -> None:
    """Charged once, for exactly the devices that have their plan, to the cent. Our receipt is judged too, and believed in
    nothing but what each line costs. `outside` asks the stand-ins."""
    rows = await rows_of(
        database_url,
        "select f.id, f.state, f.ended_at, r.succeeded, r.completed_at,"
        " cast((r.final_charge - r.refunded) * 100 as int) as cents, coalesce(r.lines, '[]') as lines,"
        " array(select device_key from subscription s where s.purchase_id = f.id) as devices"
        " from flow f left join receipt r on r.uuid = f.id where f.kind = 'purchase'",
    )
    by_id = {row["id"]: row for row in rows}
    for uuid in uuids:
        row = by_id.get(uuid)
        verdict.demand(row is not None, f"{uuid} was begun, and nobody knows of it")
        if row is None:
            continue
        verdict.counts[f"purchases {row['state']}"] += 1
        sums = await sums_of(outside, uuid)
        kept, bought = kept_of(sums), row["state"] == "confirmed"
        unpaid = [line for line in row["lines"] if line["status"] == "unpaid"]
        verdict.demand(
            not unpaid or _has_come_back(sums), f"{uuid}: lines unpaid, and no debit came back"
        )
        worth_of_unpaid = sum(cents_of(line["total"]) for line in unpaid)
        owed = (row["cents"] - worth_of_unpaid if bought else 0) + by_hand.get(uuid, 0)
        verdict.demand(kept == owed, f"{uuid} is {row['state']}: {kept} cents for {owed}")
        worth = await _worth(verdict, outside, row) + beyond_plans.get(uuid, 0)
        verdict.demand(kept == worth, f"{uuid}: {kept} cents for plans of {worth}")
        verdict.demand(bought == bool(row["devices"]), f"{uuid}: plans of {row['devices']}")
        verdict.demand(
            not bought or row["completed_at"] is not None, f"{uuid} was never marked complete"
        )


def _has_come_back(sums: Mapping[str, int]) -> bool:
    """Of a debit: the gateway calls it returned, the card provider declines what was under way."""
    return "returned" in sums or ("processing" in sums and "declined" in sums)


async def _worth(verdict: Verdict, outside: httpx.AsyncClient, row: dict[str, Any]) -> int:
    """Cents of the lines whose devices the network gave their plan."""
    cents, ours = 0, set(row["devices"])
    for line in row["lines"]:
        device_key = line["device_key"]
        params = {"device_key": device_key, "operation": "set-plan"}
        effects = (await outside.get("/device-cloud/_ledger", params=params)).json()["effects"]
        times = effects.get("set-plan", 0)
        expected = int(device_key in ours)
        verdict.demand(
            times == expected, f"{row['id']}: {device_key} got {times} plans, we know of {expected}"
        )
        verdict.counts["plans set"] += times
        cents += cents_of(line["total"]) if times else 0
    return cents
