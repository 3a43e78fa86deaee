"""Payers of invoices at their browsers: each pays a few at once, pays once more where a card was declined, and some take
their money back at the bank afterwards."""

import asyncio
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import httpx

from db.base import Sessions, make_engine, make_sessions
from db.billing.invoices.documents import mirror
from domain.billing.invoices.documents import CreditMemo, Invoice
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.drivers.outside.erp_records import issue as issue_at_erp
from tests.faults.people.buyers import GOOD, HARD_SHARE, REFUND_REFUSED, WAYS, Buying
from tests.faults.people.driver import Browser, Progress, Stuck

STEPS_EACH = 2
"""A payer pays, and sees the end."""
MOST_INVOICES = 4
BEHAVIOURS = ("", "", "", "LOST", "AWAY", "REFUSED")
"""How the ERP takes a payment of an invoice."""
VERDICTS = ("won", "lost")
"""What a bank decides in the end of a payment that it took back."""

Bill = tuple[tuple[Invoice, ...], CreditMemo | None]
"""What one payment is for."""


async def bills(
    buying: list[Buying], payments: int, *, seed: int, database_url: str, simulators_url: str
) -> dict[str, list[Bill]]:
    """Business → what it has to pay: issued by the ERP, and mirrored."""
    chance, today = random.Random(f"bills {seed}"), datetime.now(UTC).date()
    made: dict[str, list[Bill]] = {one.shop.code: [] for one in buying}
    for number in range(payments):
        code = buying[number % len(buying)].shop.code
        invoices = tuple(
            an_invoice(code, number=numbered(chance.choice(BEHAVIOURS)), create_date=today)
            for _ in range(chance.randint(1, MOST_INVOICES))
        )
        made[code].append((invoices, a_memo(code) if chance.random() < 0.3 else None))
    every = [
        document
        for of in made.values()
        for invoices, memo in of
        for document in (*invoices, *((memo,) if memo else ()))
    ]
    await issue(every, database_url=database_url, simulators_url=simulators_url)
    return made


async def issue(
    documents: Sequence[Invoice | CreditMemo], *, database_url: str, simulators_url: str
) -> None:
    """By the ERP, and mirrored."""
    async with httpx.AsyncClient(base_url=simulators_url, timeout=10) as erp:
        await issue_at_erp(erp, *documents)
    engine = make_engine(database_url)
    sessions: Sessions = make_sessions(engine)
    async with sessions.begin() as session:
        for one in documents:
            await mirror(session, one)
    await engine.dispose()


class InvoicePayer:
    """`ids` are the payments that were submitted, `disputed` those that a bank took back."""

    def __init__(
        self,
        browser: Browser,
        buying: Buying,
        progress: Progress,
        to_pay: list[Bill],
        *,
        seed: str,
        simulators_url: str,
    ) -> None:
        self.ids: list[str] = []
        self.disputed: list[str] = []
        self._browser = browser
        self._buying = buying
        self._progress = progress
        self._to_pay = to_pay
        self._chance = random.Random(f"invoices {seed}")
        self._simulators_url = simulators_url

    async def pay(self) -> None:
        """One payment, to its end. Raises Stuck when it does not come to one."""
        invoices, memo = self._to_pay.pop()
        ways = REFUND_REFUSED if self._chance.random() < HARD_SHARE else WAYS
        body = {
            "invoices": [{"number": one.number, "amount": float(one.balance)} for one in invoices],
            "credit_memos": [{"number": memo.number, "amount": float(memo.balance)}]
            if memo
            else [],
            **self._buying.by(self._chance.choice(ways)),
        }
        answer = await self._browser.post("/v1/invoice-payments", body)
        if answer.status_code not in (200, 202):
            raise Stuck(f"paying invoices answered {answer.status_code} {answer.text}")
        id_ = str(answer.json()["id"])
        self.ids.append(id_)
        await self._progress.step_done()
        run = await self._browser.to_its_end(
            f"/v1/invoice-payments/{id_}", lambda run: self._go_on(id_, run)
        )
        self._progress.answers[f"invoice payment {run['state']}"] += 1
        if run["state"] == "confirmed" and self._chance.random() < 0.3:
            await self._take_back(id_)
        await self._progress.step_done()

    async def _go_on(self, id_: str, run: dict[str, Any]) -> None:
        if "PAY" in run["allowed"]:
            await self._ask(id_, self._buying.by(GOOD))

    async def _take_back(self, id_: str) -> None:
        """The holder of the card disputes the payment, and the bank decides a moment later."""
        async with httpx.AsyncClient(base_url=self._simulators_url, timeout=10) as bank:
            opened = await bank.post("/cards/_disputes", json={"flow_id": id_})
            if opened.status_code != 200:
                return  # memos paid all of it
            self.disputed.append(id_)
            await asyncio.sleep(self._chance.uniform(0, 2))
            decided = await bank.post(
                f"/cards/_disputes/{opened.json()['id']}",
                json={"status": self._chance.choice(VERDICTS)},
            )
            decided.raise_for_status()

    async def _ask(self, id_: str, body: dict[str, Any]) -> None:
        answer = await self._browser.post(f"/v1/invoice-payments/{id_}/payment", body)
        if answer.status_code not in (200, 202, 409, 410):
            raise Stuck(f"{id_}/payment answered {answer.status_code} {answer.text}")
