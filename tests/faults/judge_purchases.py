"""What must hold of purchases of plans when all is over: the card provider's ledger and the device network's judge
(promises 1 and 2)."""

from collections.abc import Iterable, Mapping

import httpx

from tests.faults.judge import Verdict, rows_of
from tests.faults.judge_money import by_ledgers


async def judge_purchases(
    verdict: Verdict,
    uuids: Iterable[str],
    *,
    simulators_url: str,
    database_url: str,
    by_hand: Mapping[str, int],
) -> None:
    """Charged once, for exactly the devices that have their plan, to the cent."""
    rows = await rows_of(
        database_url,
        "select f.id, f.state, f.ended_at, r.succeeded, r.completed_at,"
        " cast((r.final_charge - r.refunded) * 100 as int) as cents,"
        " array(select device_key from subscription s where s.purchase_id = f.id) as devices"
        " from flow f left join receipt r on r.uuid = f.id where f.kind = 'purchase'",
    )
    by_id = {row["id"]: row for row in rows}
    async with httpx.AsyncClient(base_url=simulators_url, timeout=10) as outside:
        for uuid in uuids:
            row = by_id.get(uuid)
            verdict.demand(row is not None, f"{uuid} was begun, and nobody knows of it")
            if row is None:
                continue
            verdict.counts[f"purchases {row['state']}"] += 1
            kept = await by_ledgers(outside, uuid) - by_hand.get(uuid, 0)
            bought = row["state"] == "confirmed"
            owed = row["cents"] if bought else 0
            verdict.demand(kept == owed, f"{uuid} is {row['state']}: {kept} cents for {owed}")
            verdict.demand(bought == bool(row["devices"]), f"{uuid}: plans of {row['devices']}")
            verdict.demand(
                not bought or row["completed_at"] is not None, f"{uuid} was never marked complete"
            )
            for device_key in row["devices"]:
                await _judge_device(verdict, outside, uuid, device_key)


async def _judge_device(
    verdict: Verdict, outside: httpx.AsyncClient, uuid: str, device_key: str
) -> None:
    params = {"device_key": device_key, "operation": "set-plan"}
    effects = (await outside.get("/device-cloud/_ledger", params=params)).json()["effects"]
    times = effects.get("set-plan", 0)
    verdict.demand(times == 1, f"{uuid}: {device_key} got {times} plans")
    verdict.counts["plans set"] += times
