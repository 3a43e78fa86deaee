"""Payments of invoices beside a bare workflow with as many activities: one invoice each, charged once and posted at the ERP.

What is prepared, untimed: an invoice at the ERP and in the mirror, and the submit that `api/billing/invoice_payments/paying.py`
keeps for a payer. The ceiling is that of `bench/placements.py`.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx

from api.billing.invoice_payments.paying import Submit, begin, submit_payment
from bench.confirmations import count_as_mailed
from bench.placements import PARTNER, Activities, Buyer, activities_in
from db.billing.invoices.documents import mirror
from db.billing.payment_methods import methods_of
from dev.stack import Stack
from domain.billing.invoice_allocation import AllocationRequest, DocumentRequest
from domain.billing.invoice_payment import RECEIPT, InvoicePaymentStart
from domain.billing.invoices.documents import DocumentLine, EarlyPay, Invoice
from domain.billing.payments import PayBy, PaymentType
from workflows import ids

TOTAL = Decimal("100.00")


class InvoicePayer:
    """Pays by the saved card of the business."""

    def __init__(self, buyer: Buyer, running: Stack) -> None:
        self.portal, self.actor = buyer.portal, buyer.actor
        self._erp = f"{running.simulators_url}/erp"

    async def wanted(self, count: int) -> list[InvoicePaymentStart]:
        """So many payments of one invoice each, kept and not begun."""
        invoices = [_an_invoice() for _ in range(count)]
        await self._issue(invoices)
        pay_by = await self._card()
        return [
            await submit_payment(
                self.portal,
                self.actor,
                Submit(
                    id=uuid.uuid4().hex,
                    request=AllocationRequest(
                        invoices=(DocumentRequest(number=one.number, amount=TOTAL),)
                    ),
                    pay_by=pay_by,
                ),
            )
            for one in invoices
        ]

    async def unmailed(self, count: int) -> list[InvoicePaymentStart]:
        """As `wanted`, and nobody is mailed what comes of them."""
        starts = await self.wanted(count)
        keys = [f"{start.id}-{RECEIPT}" for start in starts]
        await count_as_mailed(self.portal.sessions, self.actor.person.email, keys)
        return starts

    async def pay(self, starts: Sequence[InvoicePaymentStart], at_once: int) -> None:
        """All of them, to their ends. Raises ValueError for one that was not confirmed."""
        places = asyncio.Semaphore(at_once)

        async def one(start: InvoicePaymentStart) -> None:
            async with places:
                await begin(self.portal, start)
                reply = await self._handle(start).result()
            if reply["state"] != "confirmed":
                raise ValueError(f"a payment of invoices ended as {reply['state']}")

        await asyncio.gather(*map(one, starts))

    async def activities_of(self, start: InvoicePaymentStart) -> Activities:
        return activities_in(await self._handle(start).fetch_history())

    def _handle(self, start: InvoicePaymentStart):
        return self.portal.temporal.get_workflow_handle(ids.invoice_payment_id(start.id))

    async def _card(self) -> PayBy:
        async with self.portal.sessions() as session:
            methods = await methods_of(session, PARTNER)
        card = next(one for one in methods if one.type == PaymentType.CARD.value)
        return PayBy(type=PaymentType.CARD, method_id=card.id)

    async def _issue(self, invoices: Sequence[Invoice]) -> None:
        async with httpx.AsyncClient(timeout=30) as erp:
            for one in invoices:
                document = one.model_dump(mode="json")
                body = {"kind": "invoice", "document": document, "is_told": False}
                (await erp.post(f"{self._erp}/_documents", json=body)).raise_for_status()
        async with self.portal.sessions.begin() as session:
            for one in invoices:
                await mirror(session, one)


def _an_invoice() -> Invoice:
    today = datetime.now(UTC).date()
    return Invoice(
        number=f"INV-BENCH-{uuid.uuid4().hex[:12]}",
        partner_code=PARTNER,
        version=1,
        create_date=today,
        due_date=today + timedelta(days=30),
        subtotal=TOTAL,
        freight=Decimal(0),
        tax=Decimal(0),
        total=TOTAL,
        paid=Decimal(0),
        payoff=TOTAL * Decimal("0.98"),
        early_pay=(EarlyPay(number_of_days=10, percent=Decimal(2)),),
        lines=(DocumentLine(sku="T-1", name="Thing", quantity=1, unit_price=TOTAL, total=TOTAL),),
    )
