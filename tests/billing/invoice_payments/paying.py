"""Payers of invoices: a browser, a saved card, and invoices at the ERP."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import httpx

from domain.billing.invoices.documents import CreditMemo, Invoice
from domain.identity.people import User
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.runs import issued, kept
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.billing.payments.factories import a_method
from tests.drivers.factories import Dealer, a_dealer, an_owner
from tests.drivers.portal import a_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole

Answer = dict[str, Any]
RESTS = ("confirmed", "refused", "returned", "expired", "cancelled", "declined", "action_required")


def today() -> date:
    """In the time zone of the Canadian site."""
    return datetime.now(UTC).astimezone(ZoneInfo("America/Toronto")).date()


@dataclass
class PayerOf:
    whole: Whole
    caller: Caller
    dealer: Dealer
    card: str

    @property
    def browser(self) -> httpx.AsyncClient:
        return self.caller.browser

    async def owes(self, count: int = 1, total: str = "100.00", **given: Any) -> list[Invoice]:
        """Fresh invoices, with two per cent off for ten days from today."""
        made = [
            an_invoice(
                self.dealer.partner_code,
                total,
                **{"number": numbered(), "create_date": today(), "due_date": today(), **given},
            )
            for _ in range(count)
        ]
        await issued(self.whole.stage, *made)
        return made

    async def has_credit(self, total: str) -> CreditMemo:
        memo = a_memo(self.dealer.partner_code, total)
        await issued(self.whole.stage, memo)
        return memo

    def body(
        self,
        invoices: Sequence[Invoice],
        amount: float | None = None,
        memos: Sequence[CreditMemo] = (),
        card: str | None = None,
        **more: Any,
    ) -> Answer:
        return {
            "invoices": [
                {"id": one.number, "paymentAmount": amount or float(one.balance)}
                for one in invoices
            ],
            "creditMemos": [{"id": one.number, "amount": float(one.balance)} for one in memos],
            "selectedPayment": {"type": "CARD", "methodId": card or self.card},
            "gateway": "CARD",
            **more,
        }

    async def pay(
        self, body: Answer, *, key: str | None = None, mock: bool = False
    ) -> httpx.Response:
        return await self.browser.post(
            "/api/pay-invoice",
            json=body,
            params={"validate": "true"} if mock else {},
            headers={"Idempotency-Key": key} if key else {},
        )

    async def paid(self, body: Answer, *, key: str | None = None) -> Answer:
        """The answer once the payment has ended: a busy machine says `accepted` first."""
        answer = await self.pay(body, key=key)
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 202:
            await self.until(answer.json()["uuid"])
            answer = await self.pay(body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def declined(self, body: Answer) -> Answer:
        """The refusal once the card was declined."""
        answer = await self.pay(body)
        if answer.status_code == 202:
            await self.until(answer.json()["uuid"], "declined")
            answer = await self.pay(body)
        assert answer.status_code == 409, answer.text
        return answer.json()

    async def card_that(self, behaves: str) -> str:
        method = await a_method(
            self.whole.sessions, card=behaves, partner_code=self.dealer.partner_code
        )
        return method.id

    async def invoice(self, number: str) -> Answer:
        answer = await self.browser.post("/api/invoice", json={"id": number})
        assert answer.status_code == 200, answer.text
        return answer.json()["results"][0]

    async def submit(
        self, invoices: Sequence[Invoice], *, key: str | None = None, **more: Any
    ) -> httpx.Response:
        wanted = [{"number": one.number, "amount": float(one.balance)} for one in invoices]
        return await self.browser.post(
            "/v1/invoice-payments",
            json={"invoices": wanted, "type": "CARD", "method_id": self.card, **more},
            headers={"Idempotency-Key": key} if key else a_key(),
        )

    async def until(self, id_: str, *states: str, within: float = 60.0) -> Answer:
        async def look() -> Answer:
            return (await self.browser.get(f"/v1/invoice-payments/{id_}")).json()

        return await until(look, lambda run: run.get("state") in (states or RESTS), within=within)

    async def kept(self, id_: str, system: str = "cards") -> Decimal:
        return await kept(self.whole.stage, id_, system)


@asynccontextmanager
async def a_payer(
    whole: Whole, *, dealer: Dealer | None = None, user: User | None = None
) -> AsyncGenerator[PayerOf]:
    """An owner of a new dealer, or of this one, with a card that pays."""
    of = dealer or await a_dealer(whole.sessions)
    person = user or await an_owner(whole.sessions, of)
    method = await a_method(whole.sessions, partner_code=of.partner_code)
    async with whole.signed_in(person) as caller:
        yield PayerOf(whole, caller, of, method.id)
