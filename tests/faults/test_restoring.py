"""The drill of docs/restoring.md: an older point under newer ledgers (promise 50). Prints what was lost and how long it took."""

import asyncio
import json
import time
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from db.demo.people import PASSWORD, PEOPLE
from dev import ports
from dev.backups import archived_until, make, restore
from dev.servers import own_folder
from dev.stack import Stack
from domain.billing.invoices.documents import Invoice
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoices.factories import an_invoice
from tests.drivers.database.archiving import archive_all
from tests.drivers.until import until
from tests.faults.people.buyers import CHECKOUT, GOOD, Buying, buyers
from tests.faults.people.driver import Browser, Installer, Progress
from tests.faults.people.invoice_payers import issue
from tests.faults.people.load import INSTALLERS

pytestmark = [pytest.mark.whole, pytest.mark.timeout(600)]

DECLINED = "chargeCustomerFail"
SHORT = {
    "POLICY_PLACEMENT": json.dumps({"slowest": "PT2S", "poll": "PT2S", "payment": "PT90S"}),
    "RECONCILIATION_BOUNDS": json.dumps({"grace": "PT0S", "late": "PT0S"}),
    "SIMULATORS_LATENCY": "0.01-0.05",
}
RPO_SECONDS, RTO_SECONDS = 300, 1800
EACH = 3
PLAN = "basic_prepaid-1_year"
DEVICES = KEPT_DEVICE, LOST_DEVICE, PLAN_DEVICE = (
    "FT-X1-00081001",
    "FT-X1-00081002",
    "FT-X1-00081003",
)
"""Activated before the point, and after it; and one that has got a plan after it."""


class Customer:
    """Somebody who orders, and what the world outside knows of it."""

    def __init__(self, running: Stack, buying: Buying) -> None:
        self.running, self.buying = running, buying
        self.browser = Browser(running.portal_url, buying.shop.buyer.email, Progress())

    async def submits(self, card: str) -> str:
        line = {"variantId": self.buying.product.variant_id, "quantity": 1}
        token = (await self._post(f"{CHECKOUT}/create-b2b", {"lines": [line]}))["token"]
        paid = {"selectedPayment": {"type": "CARD", "methodId": self.buying.methods[card]}}
        await self._post(f"{CHECKOUT}/{token}/complete-b2b-checkout", paid)
        return token

    async def orders(self) -> str:
        token = await self.submits(GOOD)
        await self.until(token, "confirmed")
        return token

    async def is_declined(self) -> str:
        token = await self.submits(DECLINED)
        await until(
            lambda: self.look(token), lambda run: "CHOOSE_PAYMENT" in run["allowed"], within=60
        )
        return token

    async def pays(self, token: str) -> None:
        body = {"type": "CARD", "method_id": self.buying.methods[GOOD]}
        await self._post(f"/v1/placements/{token}/payment", body)
        await self.until(token, "confirmed")

    async def pays_invoice(self, invoice: Invoice) -> str:
        paid = {"number": invoice.number, "amount": float(invoice.balance)}
        body = {"invoices": [paid], "credit_memos": [], **self.buying.by(GOOD)}
        id_ = (await self._post("/v1/invoice-payments", body))["id"]
        return await self._to_its_end(f"/v1/invoice-payments/{id_}", id_)

    async def buys_plan(self, device_key: str) -> str:
        line = {"device_key": device_key, "plan_id": PLAN}
        body = {"line_items": [line], "card_id": self.buying.methods[GOOD]}
        told = await self._post("/v1/payments", body)
        uuid_ = told.get("uuid") or told["id"]
        return await self._to_its_end(f"/v1/purchases/{uuid_}", uuid_)

    async def _to_its_end(self, path: str, flow_id: str) -> str:
        run = await self.browser.to_its_end(path)
        assert run["state"] == "confirmed", run
        return flow_id

    async def until(self, token: str, state: str) -> None:
        await until(lambda: self.look(token), lambda run: run.get("state") == state, within=90)

    async def look(self, token: str) -> dict[str, Any]:
        answer = await self.browser.get(f"/v1/placements/{token}")
        return answer.json() if answer.status_code == 200 else {"allowed": []}

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.browser.post(path, body)
        assert answer.status_code in (200, 202), f"{path}: {answer.status_code} {answer.text}"
        return answer.json()


class Outside:
    """The ledgers of the third parties: nothing of ours can change what stands in them."""

    def __init__(self, running: Stack, customer: Customer) -> None:
        self._url, self._email = running.simulators_url, customer.buying.shop.buyer.email
        self._card_key = {"Authorization": f"Bearer {running.environment['CARD_SECRET_KEY']}"}

    async def captures(self, token: str) -> int:
        return len((await self._get("/cards/_ledger", flow_id=token))["captures"])

    async def erp_orders(self) -> Counter[str]:
        """Our number of an order → how often the ERP has it."""
        orders = (await self._get("/erp/_ledger"))["orders"]
        return Counter(one["reference"] for one in orders if one["status"] != "cancelled")

    async def effects(self, device_key: str) -> dict[str, int]:
        """What was done to a device, and how often."""
        return (await self._get("/device-cloud/_ledger", device_key=device_key))["effects"]

    async def gives_back(self, token: str) -> None:
        """Somebody at the card provider's own desk: a dollar."""
        (capture,) = (await self._get("/cards/_ledger", flow_id=token))["captures"]
        asked = {"payment_intent": capture["subject"], "amount": "100"}
        async with httpx.AsyncClient(base_url=self._url, timeout=20, trust_env=False) as desk:
            answer = await desk.post("/cards/v1/refunds", headers=self._card_key, data=asked)
        answer.raise_for_status()

    async def mails(self) -> Counter[str]:
        mails = (await self._get("/messenger/_outbox", to=self._email))["results"]
        return Counter(mail["subject"] for mail in mails)

    async def _get(self, path: str, **asked: str) -> dict[str, Any]:
        async with httpx.AsyncClient(base_url=self._url, timeout=20, trust_env=False) as outside:
            answer = await outside.get(path, params=asked)
        answer.raise_for_status()
        return answer.json()


def numbers(running: Stack) -> dict[str, str]:
    """Cart → number of its order, as the portal knows it."""
    with psycopg.connect(running.migrations_database_url) as rows:
        return dict(
            rows.execute("select token, number from shop_order where token is not null").fetchall()
        )


def given_back(running: Stack, token: str) -> float:
    """Of an order's payments, as the portal knows it."""
    with psycopg.connect(running.migrations_database_url) as rows:
        asked = "select coalesce(sum(refunded), 0) from payment where flow_id = %s"
        (sum_,) = rows.execute(asked, (token,)).fetchone() or (0,)
    return float(sum_)


async def a_bill(running: Stack, code: str) -> Invoice:
    """What this business has to pay; the ERP knows of nothing else that it owes."""
    async with httpx.AsyncClient(base_url=running.simulators_url, trust_env=False) as erp:
        account = {"code": code, "is_bare": True, "credit_limit": 100_000}
        (await erp.post("/erp/_control", json=account)).raise_for_status()
    invoice = an_invoice(code, number=numbered(), create_date=datetime.now(UTC).date())
    await issue([invoice], database_url=running.database_url, simulators_url=running.simulators_url)
    return invoice


def installer_email() -> str:
    return next(person.email for person in PEOPLE if person.id in INSTALLERS)


async def activated(installer: Browser, device_key: str) -> None:
    progress = Progress()
    await Installer(installer, device_key, progress).activate()
    assert progress.broken == []


async def compared(running: Stack) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What a round of the reconciliation leaves open, and what was repaired, as the administrator sees it."""
    admin = next(one for one in PEOPLE if one.access_type)
    headers = {"Origin": running.portal_url}
    async with httpx.AsyncClient(
        base_url=running.portal_url, timeout=30, headers=headers, trust_env=False
    ) as http:
        body = {"username": admin.email, "password": PASSWORD, "remember_me": False}
        token = (await http.post("/v1/auth/sign-in", json=body)).json()["access_token"]
        http.headers["Authorization"] = f"Bearer {token}"
        begun = await http.post(
            "/v1/operations/reconciliation", headers={"Idempotency-Key": uuid.uuid4().hex}
        )
        assert begun.status_code == 202, begun.text

        async def state() -> dict[str, Any]:
            return (await http.get("/v1/operations/reconciliation")).json()

        done = await until(
            state,
            lambda seen: (
                not seen["under_way"] and (seen["last"] or {}).get("id") == begun.json()["id"]
            ),
            within=120,
        )
        assert not done["last"].get("failed"), done

        async def listed(shown: str) -> list[dict[str, Any]]:
            asked = {"limit": 100, "shown": shown}
            found = await http.get("/v1/operations/reconciliation/differences", params=asked)
            return found.json()["results"]

        return await listed("open"), await listed("repaired")


async def test_an_older_point_under_newer_ledgers(say: Callable[[str], None]) -> None:
    with own_folder() as folder:
        archive = folder / "wal"
        running = Stack(folder, ports.free(), environment=SHORT, wal_archive=archive)
        try:
            await asyncio.to_thread(running.start_servers)
            await asyncio.to_thread(running.start_processes)
            await drill(running, folder, archive, say)
        finally:
            await asyncio.to_thread(running.stop)


async def drill(running: Stack, folder: Path, archive: Path, say: Callable[[str], None]) -> None:
    assert running.cluster is not None
    customer, later, waiter = everybody = [
        Customer(running, one) for one in await buyers(running.database_url, 3)
    ]  # whoever is declined has a frozen cart
    for one in everybody:
        await one.browser.sign_in()
    outside = Outside(running, customer)
    installer = Browser(running.portal_url, installer_email(), Progress())
    await installer.sign_in()
    invoice = await a_bill(running, later.buying.shop.code)
    unexplained = {one["id"] for one in (await compared(running))[0]}

    kept = [await customer.orders() for _ in range(EACH)]
    finished_later = await later.is_declined()
    backup = folder / "backups" / "night"
    made = await asyncio.to_thread(make, folder, running.cluster, backup)
    kept += [await customer.orders() for _ in range(EACH)]
    await later.pays(finished_later)
    kept.append(finished_later)
    waiting = await waiter.is_declined()
    await activated(installer, KEPT_DEVICE)
    known = numbers(running)
    await asyncio.sleep(0.5)
    point = datetime.now(UTC)
    await asyncio.sleep(0.5)
    lost = [await customer.orders() for _ in range(EACH)]
    await waiter.pays(waiting)
    lost.append(waiting)
    paid = await later.pays_invoice(invoice)
    bought = await later.buys_plan(PLAN_DEVICE)
    await activated(installer, LOST_DEVICE)
    await outside.gives_back(finished_later)
    forgotten = {token: number for token, number in numbers(running).items() if token in lost}
    assert set(known) & set(lost) == set()
    assert running.cluster is not None
    await asyncio.to_thread(archive_all, running.cluster.admin_url)
    erp_before, mails_before = await outside.erp_orders(), await outside.mails()
    done_to = {key: await outside.effects(key) for key in DEVICES}
    assert all(done_to.values())
    archived = archived_until(archive)
    assert archived is not None

    disaster = time.monotonic()
    for name in ("api", "worker", "temporal", "postgres"):
        running.kill(name)
    done = await asyncio.to_thread(
        restore, folder, running.cluster, backup, point=point, archive=archive
    )
    assert running.cluster.process is not None
    running.processes["postgres"] = running.cluster.process
    for name in ("temporal", "worker", "api"):
        await asyncio.to_thread(running.restart, name)
    await asyncio.to_thread(running.wait_ready)
    up = time.monotonic() - disaster
    for one in everybody:
        one.browser = Browser(running.portal_url, one.buying.shop.buyer.email, Progress())
        await one.browser.sign_in()

    # Everything until the point is there, nothing after it.
    assert numbers(running) == known
    for token in kept:
        whose = later if token == finished_later else customer
        assert (await whose.look(token))["state"] == "confirmed"

    open_, repaired = await compared(running)
    differences = [one for one in open_ if one["id"] not in unexplained]
    rto = time.monotonic() - disaster
    told = Counter(one["kind"] for one in differences)
    said = json.dumps(differences)
    assert told == {
        "charge_without_payment": len(lost) + len((paid, bought)),
        "erp_order_unknown": len(lost),
        "posting_unknown": 1,
    }, said
    for name in (*forgotten.values(), invoice.number):
        assert name in said
    assert "refund_unknown_here" in {one["kind"] for one in repaired}, repaired
    assert given_back(running, finished_later) == 1
    # A run that was open at the backup and had ended by the point, and one that is begun anew: neither charges.
    await until(
        lambda: waiter.look(waiting),
        lambda run: bool(run.get("ended")) or "CHOOSE_PAYMENT" in run["allowed"],
        within=60,
    )
    new = await customer.orders()
    number = numbers(running)[new]
    assert number not in erp_before
    assert await outside.captures(new) == 1
    for token in (*kept, *lost):
        assert await outside.captures(token) == 1, token
    for flow_id in (paid, bought):
        assert await outside.captures(flow_id) == 1, flow_id
    assert {key: await outside.effects(key) for key in DEVICES} == done_to
    assert await outside.erp_orders() == erp_before + Counter({number: 1})
    again = (await outside.mails()) - mails_before
    assert sum(again.values()) <= 1, again  # of the new order alone
    assert [one for one in differences if one["state"] != "open"] == []

    rpo = (point - done.until).total_seconds() if done.until else 0.0
    say(
        f"drill: {len(kept)} orders kept, {len(lost)} forgotten with a payment of an invoice and a purchase, and all listed "
        f"({', '.join(f'{kind} {count}' for kind, count in sorted(told.items()))}), none repeated"
    )
    say(
        f"backup {made.bytes / 1e6:.0f} MB in {made.seconds} s; restored in {done.seconds} s, portal ready after {up:.0f} s, "
        f"books compared after {rto:.0f} s (RTO {RTO_SECONDS} s); last commit {rpo:.1f} s before the point, archive at most 300 s behind (RPO {RPO_SECONDS} s)"
    )
    assert rto < RTO_SECONDS
    assert rpo < RPO_SECONDS
