"""What must hold of every payment when all is over, whatever became of its run: what was captured and neither given back nor
returned is worth the goods, plans and invoices that were paid with it, by the providers' ledgers (promises 1, 2 and 5)."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, LiteralString

import httpx

from tests.faults.judges.judge import Verdict, rows_of
from tests.faults.people.desk import is_left

CALM_SECONDS = 300.0
"""Within five minutes of the last outage everything has come to its end (promise 1)."""

_PAID_ANEW: LiteralString = (
    "exists (select 1 from payment later where later.workflow_id = p.workflow_id"
    " and later.attempt > p.attempt and later.status not in ('DECLINED', 'VOIDED'))"
)
_RESTLESS: dict[str, LiteralString] = {
    "runs are open": "select id from flow where ended_at is null",
    "cases have not begun": "select id from money_case c where not exists"
    " (select 1 from flow f where f.id = c.id)",
    "disputes are undecided": "select id from dispute where status not in ('won', 'lost')",
    "orders are not revoked": "select token as id from shop_order where po_number = 'ERP-REVOKES'"
    " and status <> 'cancelled'",
    "debits have not come back": "select p.id from payment p join payment_method m on m.id = p.method_id"
    " where m.provider_id ~ '^ba_demo_(insufficient|late)_' and p.captured > p.refunded"
    " and p.status <> 'RETURNED'",
    "returned orders have no case": "select o.token as id from payment p join shop_order o"
    " on o.token = p.flow_id and p.flow = 'placement' where p.status = 'RETURNED'"
    " and p.captured > p.refunded and o.status <> 'cancelled'"
    f" and not {_PAID_ANEW}"
    " and not exists (select 1 from money_case c where c.payment_id = p.id)",
    "returned invoices are posted": "select p.flow_id as id from payment p join invoice_allocation a"
    " on a.payment_id = p.flow_id where p.status = 'RETURNED' and a.status = 'posted'"
    f" and not {_PAID_ANEW}",
    "returned plans have no case": "select p.flow_id as id from payment p join flow f on f.id = p.flow_id"
    " where p.flow = 'purchase' and f.state = 'confirmed' and p.status = 'RETURNED'"
    f" and p.captured > p.refunded and not {_PAID_ANEW}"
    " and not exists (select 1 from money_case c where c.payment_id = p.id)",
    "confirmations are not mailed": "select token as id from order_mail",
}

_WORTH: LiteralString = """
    select f.kind, f.id, cast(100 * case f.kind
        when 'placement' then (select coalesce(sum(o.total), 0) from shop_order o
            where o.token = f.id and o.status <> 'cancelled' and f.state = 'confirmed'
            and o.payment_type not in ('COD', 'TERMS'))
        when 'purchase' then (select coalesce(sum(r.final_charge - r.refunded - (
                select coalesce(sum(cast(line->>'total' as numeric)), 0)
                from jsonb_array_elements(r.lines) line where line->>'status' = 'unpaid')), 0)
            from receipt r where r.uuid = f.id and f.state = 'confirmed')
        else (select coalesce(sum(a.charged), 0) from invoice_allocation a
            where a.payment_id = f.id and a.status = 'posted')
        end as int) as worth
    from flow f where f.kind in ('placement', 'purchase', 'invoice_payment')
"""
_HELD: LiteralString = """
    select flow, flow_id, cast(100 * sum(case status when 'RETURNED' then 0 else captured - refunded - disputed end) as int) as kept
    from payment group by flow, flow_id
"""


_CENTS: LiteralString = """
    select c.start->'belongs_to'->>'flow_id' as flow_id, f.state, cast(100 * case
        when f.state = 'solved' then -coalesce(cast(f.view->>'given_back' as numeric), 0)
        when f.state <> 'resolved' then -coalesce(cast(f.view->>'owed' as numeric), 0)
        when c.amount is not null then c.amount - coalesce(cast(f.view->>'given_back' as numeric), 0)
        else (select coalesce(sum(p.captured - p.refunded - p.disputed), 0) from payment p
            where p.flow_id = c.start->'belongs_to'->>'flow_id' and p.status <> 'RETURNED'
            and (c.payment_id is null or p.id = c.payment_id))
        end as int) as cents
    from money_case c join flow f on f.id = c.id where
"""

_BY_HAND: LiteralString = (
    _CENTS
    + """ case
        when exists (select 1 from flow p where p.kind = 'purchase'
            and p.state = 'confirmed' and p.id = c.start->'belongs_to'->>'flow_id')
        then f.state in ('owed', 'suspended')
            or (f.state = 'solved' and c.cause in ('refund_refused', 'let_go') and c.amount is not null
                and exists (select 1 from receipt r where r.uuid = c.start->'belongs_to'->>'flow_id'
                            and r.lines @> '[{"status": "owed"}]'))
            or (f.state = 'resolved' and c.amount is null)
        else f.state in ('resolved', 'owed', 'suspended') end"""
)

_BEYOND_PLANS: LiteralString = (
    _CENTS
    + """ f.state in ('owed', 'suspended')
        or (f.state = 'resolved' and c.cause in ('refund_refused', 'let_go'))"""
)


async def settled_by_hand(database_url: str) -> dict[str, int]:
    """Run → cents that the providers hold beyond its worth, as they were given back in another way; below 0: what is owed.
    A receipt of plans counts what its provider did not give back at once as not given back until all of it is, and a case beside it
    tells what was since; a whole payment beside the one of the receipt is in none."""
    return await _cents_by_run(database_url, _BY_HAND)


async def beyond_plans(database_url: str) -> dict[str, int]:
    """Run → cents that the providers hold beyond the plans that were set: what they refused to give back, and somebody gave
    back in another way; below 0: what is owed."""
    return await _cents_by_run(database_url, _BEYOND_PLANS)


async def _cents_by_run(database_url: str, query: LiteralString) -> dict[str, int]:
    cents = Counter[str]()
    for row in await rows_of(database_url, query):
        cents[row["flow_id"]] += row["cents"]
    return dict(cents)


async def left_owed(database_url: str) -> frozenset[str]:
    """The cases that nobody pays."""
    rows = await rows_of(
        database_url, "select id from flow where kind = 'case' and state in ('owed', 'suspended')"
    )
    return frozenset(row["id"] for row in rows if is_left(row["id"]))


async def calm(database_url: str, disputed: Iterable[str], before: frozenset[str]) -> list[str]:
    """Waits until nothing moves any more but what was there `before`, and debts that are left; answers what still does after
    that time."""
    wanted, give_up_at = set(disputed), time.monotonic() + CALM_SECONDS
    restless: list[str] = []
    while time.monotonic() < give_up_at:
        still = before | await left_owed(database_url)
        restless = [
            f"{len(found)} {what}"
            for what, query in _RESTLESS.items()
            if (found := {row["id"] for row in await rows_of(database_url, query)} - still)
        ]
        known = await rows_of(
            database_url, "select p.flow_id from dispute d join payment p on p.id = d.payment_id"
        )
        unknown = wanted - {row["flow_id"] for row in known}
        restless += [f"{len(unknown)} disputes are not known"] if unknown else []
        if not restless:
            return []
        await asyncio.sleep(1)
    return restless


async def judge_money(
    verdict: Verdict,
    *,
    outside: httpx.AsyncClient,
    database_url: str,
    before: frozenset[str],
    by_hand: Mapping[str, int],
) -> None:
    """Every run that charges, of every end; and our own rows beside the providers'. `outside` asks the stand-ins."""
    kept = {
        (row["flow"], row["flow_id"]): row["kept"] for row in await rows_of(database_url, _HELD)
    }
    for row in await rows_of(database_url, _WORTH):
        if row["id"] in before:
            continue
        told, due = kept_of(await sums_of(outside, row["id"])), row["worth"]
        due += by_hand.get(row["id"], 0)
        name, ours = f"{row['kind']} {row['id']}", kept.get((row["kind"], row["id"]), 0)
        verdict.demand(told == due, f"{name}: {told} cents kept for {due}")
        verdict.demand(told == ours, f"{name}: {told} cents kept, our rows say {ours}")
        verdict.counts["payments judged"] += 1
    cases = await rows_of(
        database_url,
        "select c.id, c.cause, f.state from money_case c left join flow f on f.id = c.id",
    )
    for case in cases:
        if case["id"] not in before:
            verdict.counts[f"cases {case['cause']} {case['state']}"] += 1


async def judge_strays(verdict: Verdict, *, outside: httpx.AsyncClient, database_url: str) -> None:
    """What the third parties have of nobody that we know: money kept for no run, an order that is none of ours, or twice."""
    runs = {row["id"] for row in await rows_of(database_url, "select id from flow")}
    runs |= {row["id"] for row in await rows_of(database_url, "select flow_id as id from payment")}
    for system in ("cards", "gateway"):
        entries = (await outside.get(f"/{system}/_ledger")).json()["entries"]
        moved = dict[str, Counter[str]]()
        for entry in entries:
            moved.setdefault(str(entry["flow_id"]), Counter())[entry["operation"]] += entry[
                "amount"
            ]
        for flow_id, sums in moved.items():
            if flow_id not in runs:
                kept = kept_of(sums)
                verdict.demand(kept == 0, f"{system} kept {kept} cents for {flow_id}: no run")
    numbers = {
        row["id"] for row in await rows_of(database_url, "select number as id from shop_order")
    }
    standing = Counter[str]()
    for order in (await outside.get("/erp/_ledger")).json()["orders"]:
        if order["status"] != "cancelled":
            standing[order["token"] or order["reference"]] += 1
            verdict.demand(
                order["reference"] in numbers, f"the ERP has {order['reference']}: no order"
            )
    twice = [token for token, count in standing.items() if count > 1]
    verdict.demand(not twice, f"the ERP has these twice: {twice[:5]}")


async def judge_invoice_payments(
    verdict: Verdict, ids: Iterable[str], *, simulators_url: str, database_url: str
) -> None:
    """Each invoice posted once, or not at all; nothing is held by a payment that has ended."""
    rows = await rows_of(
        database_url,
        "select a.payment_id, a.invoice_number, a.status, f.state from invoice_allocation a"
        " left join flow f on f.id = a.payment_id",
    )
    by_payment: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_payment.setdefault(row["payment_id"], []).append(row)
    async with httpx.AsyncClient(base_url=simulators_url, timeout=10) as outside:
        for id_ in ids:
            found = by_payment.get(id_, [])
            verdict.demand(bool(found), f"{id_} was submitted, and nobody knows of it")
            verdict.counts[f"invoice payments {found[0]['state'] if found else 'lost'}"] += 1
            for row in found:
                await _judge_invoice(verdict, outside, row)
    (held,) = await rows_of(database_url, "select count(*) as n from document_hold")
    verdict.demand(held["n"] == 0, f"{held['n']} documents are still held")


async def _judge_invoice(verdict: Verdict, outside: httpx.AsyncClient, row: dict[str, Any]) -> None:
    number = row["invoice_number"]
    answer = await outside.get("/erp/_payments", params={"invoice_number": number})
    posted = [one for one in answer.json()["payments"] if not one.get("is_cancelled")]
    expected = int(row["status"] == "posted")
    verdict.demand(
        len(posted) == expected, f"{number} is {row['status']}, and posted {len(posted)} times"
    )
    verdict.counts[f"invoices {row['status']}"] += 1


async def sums_of(outside: httpx.AsyncClient, flow_id: str) -> Counter[str]:
    """Operation → cents, of both providers."""
    sums = Counter[str]()
    for system in ("cards", "gateway"):
        answer = await outside.get(f"/{system}/_ledger", params={"flow_id": flow_id})
        sums.update(answer.json()["sums"])
    return sums


def cents_of(dollars: str) -> int:
    return round(Decimal(dollars) * 100)


def kept_of(sums: Mapping[str, int]) -> int:
    """Captured − refunded − returned, of a ledger's `sums`."""
    return sums.get("captured", 0) - sums.get("refunded", 0) - sums.get("returned", 0)
