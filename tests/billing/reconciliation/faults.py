"""Money that is right on both sides, and one fault of each kind in it: in a stand-in's ledger or in our own rows."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from activities.billing.payments import PaymentActivities
from db.dealers.payouts import PayoutRow
from db.orders.orders import order_of_token
from domain.billing.invoice_payment import InvoicePaymentStart
from domain.billing.invoices.documents import Invoice
from domain.billing.payments import PayingFlow, PaymentRequest
from domain.billing.reconciliation.differences import DifferenceKind as Kind
from domain.dealers.payouts import payout_id
from domain.orders.orders import Order
from settings import DEVELOPMENT_CARD_SECRET_KEY
from tests.billing.invoice_payments import runs as invoice_payments
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.billing.payments.factories import a_method, a_payment_request
from tests.billing.reconciliation.rounds import Found, change
from tests.checkout.placements import runs as placements
from tests.drivers.factories import a_dealer, a_name, a_partner
from tests.drivers.outside.erp_records import an_entered_order
from tests.drivers.stage import SIMULATED, Stage
from tests.plans.purchases import runs as purchases

KEY = {"Authorization": f"Bearer {DEVELOPMENT_CARD_SECRET_KEY}"}


@dataclass(frozen=True)
class Made:
    """What runs made, all of it right: four orders, the last one on terms and not sent, three payments of invoices, a purchase of
    plans."""

    stage: Stage
    orders: tuple[Order, ...]
    paid: tuple[InvoicePaymentStart, ...]

    @property
    def paying(self) -> Any:
        """The card provider's memory."""
        return self.stage.app.state.cards.paying

    @property
    def pay(self) -> PaymentActivities:
        systems = self.stage.systems
        return PaymentActivities(
            systems.cards, systems.gateway, self.stage.sessions, portal_url="http://portal.test"
        )

    async def request(self, flow: PayingFlow = PayingFlow.PURCHASE, **more: Any) -> PaymentRequest:
        method = await a_method(self.stage.sessions, **more)
        return a_payment_request(method, capture=True).model_copy(update={"flow": flow})

    async def bought(self, **more: Any) -> tuple[str, str]:
        """A payment of a plan that a device has: our id and the provider's."""
        request = await self.request(**more)
        await self.pay.authorise(request)
        await a_plan(self.stage, request.flow_id)
        return request.payment_id, self.intent_of(request.payment_id)

    async def charged(self, request: PaymentRequest) -> str:
        """At the provider alone; its name of it."""
        cards, tag = self.stage.systems.cards, a_name()
        fact = await cards.prepare(
            request, method_id=f"pm_demo_visa_{tag}", customer_id=f"cus_demo_{tag}", key=tag
        )
        await cards.confirm(fact.provider_id, key=f"{tag}:confirm", return_url="http://portal.test")
        return fact.provider_id

    def intent_of(self, payment_id: str) -> str:
        intents = self.paying.all("intent")
        named = [one for one in intents if one["metadata"].get("payment_id") == payment_id]
        return named[0]["id"] if named else ""

    def rewrite(self, intent_id: str, **changes: Any) -> None:
        """The intent as the provider would have it."""
        self.paying.put("intent", self.paying.find("intent", intent_id) | changes)

    async def post(self, path: str, **sent: Any) -> Any:
        answer = await self.stage.http.post(f"{SIMULATED}{path}", **sent)
        answer.raise_for_status()
        return answer.json()

    async def issue(self, kind: str, document: dict[str, Any]) -> None:
        """By the ERP, which tells nobody."""
        await self.post(
            "/erp/_documents", json={"kind": kind, "document": document, "is_told": False}
        )

    def forget(self, table: str, reference: str) -> None:
        """The ERP loses it."""
        with self.stage.app.state.file.transaction() as db:
            db.execute(f"delete from {table} where reference = ?", (reference,))
            shown = "json_extract(body, '$.U_Reference') = ?"
            db.execute(f"delete from erp_shown where {shown}", (reference,))


async def made(stage: Stage) -> Made:
    running = [await placements.begun(stage) for _ in range(3)]
    running.append(await placements.begun(stage, type_="TERMS", po_number="ERP-WAITS"))
    memo = [await invoice_payments.begun(stage, "", "REFUSED", memo="30.00")]
    paying = [await invoice_payments.begun(stage) for _ in range(2)]
    buying = await purchases.begun(stage, at_once=True)
    for run in running:
        await placements.ended(run, "confirmed")
    for run in (*memo, *paying):
        await invoice_payments.ended(run, "confirmed")
    await purchases.ended(buying, "confirmed")
    orders: list[Order] = []
    async with stage.sessions() as session:
        for run in running:
            order = await order_of_token(session, run.token)
            assert order is not None
            orders.append(order)
    made = Made(stage, tuple(orders), tuple(run.start for run in (*memo, *paying)))
    for _ in range(2):
        await made.bought()
    return made


async def a_plan(stage: Stage, purchase_id: str) -> None:
    await change(
        stage,
        """insert into subscription (id, device_key, product_name, plan_id, plan_slug, plan_name,
            rank, term, starts_at, ends_at, worth, purchase_id)
        values (:id, :id, 'FT-X1', 'basic', 'basic', 'Basic', 1, '1_year', now(),
            now() + interval '1 year', 10, :purchase)""",
        id=uuid.uuid4().hex,
        purchase=purchase_id,
    )


async def charge_without_payment(made: Made) -> Found:
    intent = await made.charged(await made.request())
    return {(Kind.CHARGE_WITHOUT_PAYMENT, f"card:{intent}")}


async def payment_without_charge(made: Made) -> Found:
    payment, intent = await made.bought()
    made.paying.remove("intent", intent)
    return {(Kind.PAYMENT_WITHOUT_CHARGE, payment)}


async def charged_twice(made: Made) -> Found:
    request = await made.request()
    await made.pay.authorise(request)
    await a_plan(made.stage, request.flow_id)
    await made.charged(request)
    return {(Kind.CHARGED_TWICE, request.payment_id)}


async def another_amount(made: Made) -> Found:
    payment, intent = await made.bought()
    made.rewrite(intent, amount_received=10498)
    return {(Kind.AMOUNT_DIFFERS, payment)}


async def another_currency(made: Made) -> Found:
    payment, intent = await made.bought()
    made.rewrite(intent, currency="cad")
    return {(Kind.CURRENCY_DIFFERS, payment)}


async def another_customer(made: Made) -> Found:
    payment, intent = await made.bought()
    made.rewrite(intent, customer="cus_somebody")
    return {(Kind.CUSTOMER_DIFFERS, payment)}


async def void_here(made: Made) -> Found:
    request = await made.request()
    await made.pay.authorise(request)
    await change(
        made.stage,
        "update payment set status = 'VOIDED', captured = 0 where id = :id",
        id=request.payment_id,
    )
    return {(Kind.VOIDED_AND_CAPTURED, request.payment_id)}


async def refund_there(made: Made) -> Found:
    payment, intent = await made.bought()
    await made.post(
        "/cards/v1/refunds", headers=KEY, data={"payment_intent": intent, "amount": "100"}
    )
    return {(Kind.REFUND_UNKNOWN_HERE, payment)}


async def refund_here(made: Made) -> Found:
    payment, _ = await made.bought()
    await change(made.stage, "update payment set refunded = 1 where id = :id", id=payment)
    return {(Kind.REFUND_UNKNOWN_THERE, payment)}


async def chargeback(made: Made) -> Found:
    """Of two, neither of which was told: the bank was asked of one, and that is none."""
    payment, intent = await made.bought()
    await made.post("/cards/_disputes", json={"payment_intent": intent, "told": False})
    _, asked = await made.bought()
    dispute = await made.post("/cards/_disputes", json={"payment_intent": asked, "told": False})
    await made.pay.look_up_dispute(dispute["id"])
    return {(Kind.CHARGEBACK_UNHEARD, payment)}


async def debit_returned(made: Made) -> Found:
    await made.post("/gateway/_control", json={"bank_days": 0})
    request = await made.request(bank="insufficient")
    await made.pay.authorise(request)
    return {(Kind.RETURN_UNHEARD, request.payment_id)}


async def bank_charge_without_payment(made: Made) -> Found:
    request = await made.request(bank="good")
    reference = request.payment_id
    await made.stage.systems.gateway.authorise(request, account=f"ba_demo_good_{a_name()}")
    return {(Kind.CHARGE_WITHOUT_PAYMENT, f"bank:{reference}")}


async def another_amount_of_a_debit(made: Made) -> Found:
    request = await made.request(bank="good")
    await made.pay.authorise(request)
    await a_plan(made.stage, request.flow_id)
    debits: Any = made.stage.app.state.gateway
    (debit,) = debits.all("transaction", request.flow_id)
    debits.put("transaction", debit | {"captured": debit["captured"] - 1}, request.flow_id)
    return {(Kind.AMOUNT_DIFFERS, request.payment_id)}


async def behind(made: Made) -> Found:
    payment, _ = await made.bought()
    await change(
        made.stage,
        "update payment set status = 'AUTHORISED', captured = 0 where id = :id",
        id=payment,
    )
    return {(Kind.PAYMENT_BEHIND, payment)}


async def order_lost_there(made: Made) -> Found:
    number = made.orders[0].number
    made.forget("erp_order", number)
    return {(Kind.ORDER_NOT_IN_ERP, number)}


async def order_alive_in_the_erp(made: Made) -> Found:
    number = made.orders[2].number
    await change(
        made.stage,
        "update shop_order set cancelled_at = now() where number = :number",
        number=number,
    )
    return {(Kind.ORDER_ALIVE_IN_ERP, number), (Kind.PAYMENT_WITHOUT_ORDER, number)}


async def order_cancelled_in_the_erp(made: Made) -> Found:
    number = made.orders[3].number
    with made.stage.app.state.file.transaction() as db:
        db.execute(
            "update erp_shown set body = json_set(body, '$.Cancelled', 'tYES')"
            " where json_extract(body, '$.U_Reference') = ?",
            (number,),
        )
    return {(Kind.ORDER_CANCELLED_IN_ERP, number)}


async def order_unknown_here(made: Made) -> Found:
    order = made.orders[0]
    reference = f"T-{a_name()}"
    await made.post("/erp/_orders", json=an_entered_order(reference, order.partner_code))
    return {(Kind.ERP_ORDER_UNKNOWN, reference)}


async def order_not_paid(made: Made) -> Found:
    """What was paid for it is noted as another's."""
    order, other = made.orders[1], a_name()
    await change(
        made.stage,
        """update payment set flow = 'purchase', flow_id = :other
        where flow_id = (select token from shop_order where number = :number)""",
        number=order.number,
        other=other,
    )
    return {(Kind.ORDER_NOT_PAID, order.number), (Kind.PAYMENT_WITHOUT_PLAN, other)}


async def payment_without_order(made: Made) -> Found:
    request = await made.request(PayingFlow.PLACEMENT)
    await made.pay.authorise(request)
    return {(Kind.PAYMENT_WITHOUT_ORDER, request.payment_id)}


async def invoice_not_mirrored(made: Made) -> Found:
    invoice = an_invoice(await a_partner(made.stage.sessions))
    await made.issue("invoice", invoice.model_dump(mode="json"))
    return {(Kind.INVOICE_NOT_MIRRORED, invoice.number)}


async def posting_missing(made: Made) -> Found:
    paid = made.paid[1]
    reference = f"{paid.id}:{paid.plan.allocations[0].number}"
    made.forget("erp_payment", reference)
    return {(Kind.POSTING_MISSING, reference)}


async def posting_doubled(made: Made) -> Found:
    """The invoice is booked twice under one reference, and told by nobody."""
    paid = made.paid[2]
    number = paid.plan.allocations[0].number
    answer = await made.stage.http.get(f"{SIMULATED}/erp/_documents/{number}")
    document = answer.json()["document"]
    await made.issue("invoice", {**document, "settled_with": document["settled_with"] * 2})
    return {
        (Kind.POSTING_DOUBLED, f"{paid.id}:{number}"),
        (Kind.INVOICE_NOT_MIRRORED, number),
    }


async def posting_unknown(made: Made) -> Found:
    invoice: Invoice = an_invoice(await a_partner(made.stage.sessions))
    await invoice_payments.issued(made.stage, invoice)
    reference = f"{a_name()}:{invoice.number}"
    await made.post(
        "/erp/_payments",
        json={
            "reference": reference,
            "business_partner": invoice.partner_code,
            "invoice_number": invoice.number,
            "amount": 10.0,
            "paid_on": "2026-11-20",
        },
    )
    return {
        (Kind.POSTING_UNKNOWN, reference),
        (Kind.INVOICE_NOT_MIRRORED, invoice.number),
    }


async def memo_overapplied(made: Made) -> Found:
    memo = a_memo(await a_partner(made.stage.sessions), applied=31)
    await invoice_payments.issued(made.stage, memo)
    return {(Kind.MEMO_OVERAPPLIED, memo.number)}


async def allocations_unlike_the_charge(made: Made) -> Found:
    paid = made.paid[0]
    await change(
        made.stage, "update invoice_payment set charged = charged + 1 where id = :id", id=paid.id
    )
    return {(Kind.ALLOCATIONS_DIFFER, paid.id)}


async def balance_unlike_its_documents(made: Made) -> Found:
    invoice = an_invoice(await a_partner(made.stage.sessions))
    await invoice_payments.issued(made.stage, invoice)
    code = invoice.partner_code
    await made.post("/erp/_control", json={"code": code, "is_bare": True, "balance": 7.0})
    return {(Kind.BALANCE_DIFFERS, code)}


async def plan_without_payment(made: Made) -> Found:
    purchase = a_name()
    await a_plan(made.stage, purchase)
    return {(Kind.PLAN_WITHOUT_PAYMENT, purchase)}


async def payment_without_plan(made: Made) -> Found:
    request = await made.request()
    await made.pay.authorise(request)
    return {(Kind.PAYMENT_WITHOUT_PLAN, request.flow_id)}


async def transfer_there_alone(made: Made) -> Found:
    sent = {"destination": "acct_demo_complete_stray", "amount": 900}
    transfer = await made.post("/cards/_transfers", json=sent)
    return {(Kind.TRANSFER_UNKNOWN_HERE, transfer["id"])}


async def transfer_here_alone(made: Made) -> Found:
    payout = await a_payout(made, transfer_id=f"tr_{a_name()}")
    return {(Kind.TRANSFER_UNKNOWN_THERE, payout)}


async def transfer_sent_twice(made: Made) -> Found:
    """Somebody sends at the provider's own page what a run had sent."""
    payout = await a_payout(made)
    sent = {"destination": "acct_demo_complete_twice", "amount": 1234, "transfer_group": payout}
    await made.post("/cards/_transfers", json=sent)
    transfer = await made.post("/cards/_transfers", json=sent)
    await change(
        made.stage,
        "update payout set transfer_id = :transfer"
        " where 'payout-' || dealer_id || '-' || month = :payout",
        transfer=transfer["id"],
        payout=payout,
    )
    return {(Kind.TRANSFER_DIFFERS, payout)}


async def a_payout(made: Made, **more: Any) -> str:
    """Paid, as our row says."""
    dealer = await a_dealer(made.stage.sessions)
    row = {"transfer_id": a_name(), **more}
    async with made.stage.sessions.begin() as session:
        now = datetime.now(UTC)
        session.add(
            PayoutRow(
                dealer_id=dealer.id,
                month="2026-10",
                amount=Decimal("12.34"),
                state="paid",
                attempt=1,
                account_id="acct_demo_complete_one",
                asked_at=now,
                changed_at=now,
                paid_at=now,
                **row,
            )
        )
    return payout_id(dealer.id, "2026-10")


FAULTS: tuple[Callable[[Made], Awaitable[Found]], ...] = (
    charge_without_payment,
    payment_without_charge,
    charged_twice,
    another_amount,
    another_currency,
    another_customer,
    void_here,
    refund_there,
    refund_here,
    chargeback,
    debit_returned,
    bank_charge_without_payment,
    another_amount_of_a_debit,
    behind,
    order_lost_there,
    order_unknown_here,
    order_alive_in_the_erp,
    order_cancelled_in_the_erp,
    order_not_paid,
    payment_without_order,
    invoice_not_mirrored,
    posting_missing,
    posting_doubled,
    posting_unknown,
    memo_overapplied,
    allocations_unlike_the_charge,
    balance_unlike_its_documents,
    plan_without_payment,
    payment_without_plan,
    transfer_there_alone,
    transfer_here_alone,
    transfer_sent_twice,
)
