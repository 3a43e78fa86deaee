"""Invoices and credit memos as JSON, in the spec's names (shop spec 3)."""

from datetime import date

from pydantic import BaseModel, Field

from api.catalogue.answers import Net
from api.platform.schemas import Camel
from domain.base import Utc
from domain.billing.invoice_allocation import Holder
from domain.billing.invoices.documents import (
    NOTHING,
    Ageing,
    CreditMemo,
    Invoice,
    ageing_of,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.billing.invoices.search import AgeingSum, is_past_due
from domain.money import Money


class EarlyPayOut(BaseModel):
    """`granted` is true for the first entry alone: later ones grant nothing here."""

    number_of_days: int
    percent: float
    granted: bool


class InPaymentOut(Camel):
    """By whom an invoice is being paid, and since when."""

    payment_id: str
    by: str
    since: Utc


class InvoiceSummaryOut(Camel):
    """An invoice in a list. `id` is its number. `payoffAmount` settles it today, `discount` is what that saves, until
    the end of `discountUntil` in the site's time zone. `paymentAmount` is what a payment would begin with."""

    id: str
    number: str
    sap_bp_code: str
    selected: bool = False
    payment_amount: Money
    attempted_payment_amount: Money
    is_paid: bool
    is_past_due: bool
    paid_against_invoice: Net = Field(alias="paid_against_invoice")
    payoff_amount: Net
    invoice_total: Net = Field(alias="invoice_total")
    balance: Net
    discount: Net
    discount_until: date | None
    create_date: date = Field(alias="create_date")
    due_date: date = Field(alias="due_date")
    early_pay_discount_details: list[EarlyPayOut] = Field(alias="early_pay_discount_details")
    ageing: Ageing | None = Field(description="Null when nothing is open")
    in_payment: InPaymentOut | None
    order_number: str | None
    po_number: str | None


class DocumentLineOut(Camel):
    sku: str
    name: str
    quantity: int
    unit_price: Net
    total_price: Net


class SettledOut(Camel):
    """`kind` and `number` say what it was settled with, or where it went."""

    date: date
    kind: str
    number: str
    amount: Net


class InvoiceCouponOut(Camel):
    """What a coupon took off the goods."""

    code: str
    amount: Net


class InvoiceOut(InvoiceSummaryOut):
    """An invoice with its lines and what was paid against it. `orderId` is null for an order that was not placed here;
    `taxNumber` is the buyer's. `subtotalPrice` is what the lines come to, less the coupon."""

    order_id: str | None
    tax_number: str | None
    shipment_number: str | None
    lines: list[DocumentLineOut]
    coupon: InvoiceCouponOut | None
    subtotal_price: Net
    shipping_price: Net
    tax: Net
    payments: list[SettledOut]


class AgeingOut(Camel):
    """What the business has open in one bucket."""

    bucket: Ageing
    count: int
    amount: Net


class MemoNodeOut(Camel):
    id: str


class CreditMemoOut(Camel):
    """A credit memo. `id` and `node.id` are its number; `balance` can still be applied."""

    id: str
    node: MemoNodeOut
    number: str
    sap_bp_code: str
    create_date: date = Field(alias="create_date")
    reason: str
    invoice_number: str | None
    total: Net
    applied: Net
    balance: Net
    applied_to: list[SettledOut]


def invoice_summary(
    invoice: Invoice, today: date, holder: Holder | None = None
) -> InvoiceSummaryOut:
    is_open = invoice.balance > 0
    payoff = payoff_of(invoice, today)
    return InvoiceSummaryOut(
        id=invoice.number,
        number=invoice.number,
        sap_bp_code=invoice.partner_code,
        payment_amount=payoff,
        attempted_payment_amount=NOTHING,
        is_paid=not is_open,
        is_past_due=is_past_due(invoice, today),
        paid_against_invoice=Net(amount=invoice.paid),
        payoff_amount=Net(amount=payoff),
        invoice_total=Net(amount=invoice.total),
        balance=Net(amount=invoice.balance),
        discount=Net(amount=discount_of(invoice, today)),
        discount_until=last_discount_day(invoice),
        create_date=invoice.create_date,
        due_date=invoice.due_date,
        early_pay_discount_details=[
            EarlyPayOut(
                number_of_days=one.number_of_days, percent=float(one.percent), granted=place == 0
            )
            for place, one in enumerate(invoice.early_pay)
        ],
        ageing=ageing_of(invoice.due_date, today) if is_open else None,
        in_payment=InPaymentOut(**holder.model_dump()) if holder else None,
        order_number=invoice.order_number,
        po_number=invoice.po_number,
    )


def invoice_out(
    invoice: Invoice, today: date, order_id: str | None, holder: Holder | None = None
) -> InvoiceOut:
    summary = invoice_summary(invoice, today, holder)
    return InvoiceOut(
        **{name: getattr(summary, name) for name in InvoiceSummaryOut.model_fields},
        order_id=order_id,
        tax_number=invoice.tax_number,
        shipment_number=invoice.shipment_number,
        lines=[
            DocumentLineOut(
                sku=line.sku,
                name=line.name,
                quantity=line.quantity,
                unit_price=Net(amount=line.unit_price),
                total_price=Net(amount=line.total),
            )
            for line in invoice.lines
        ],
        coupon=(
            InvoiceCouponOut(code=invoice.coupon_code, amount=Net(amount=invoice.coupon_amount))
            if invoice.coupon_code
            else None
        ),
        subtotal_price=Net(amount=invoice.subtotal),
        shipping_price=Net(amount=invoice.freight),
        tax=Net(amount=invoice.tax),
        payments=[
            SettledOut(date=one.on, kind=one.kind, number=one.number, amount=Net(amount=one.amount))
            for one in invoice.settled_with
        ],
    )


def memo_out(memo: CreditMemo) -> CreditMemoOut:
    return CreditMemoOut(
        id=memo.number,
        node=MemoNodeOut(id=memo.number),
        number=memo.number,
        sap_bp_code=memo.partner_code,
        create_date=memo.create_date,
        reason=memo.reason,
        invoice_number=memo.invoice_number,
        total=Net(amount=memo.total),
        applied=Net(amount=memo.applied),
        balance=Net(amount=memo.balance),
        applied_to=[
            SettledOut(date=one.on, kind=one.kind, number=one.number, amount=Net(amount=one.amount))
            for one in memo.applied_to
        ],
    )


def ageing_out(sums: tuple[AgeingSum, ...]) -> list[AgeingOut]:
    return [
        AgeingOut(bucket=one.bucket, count=one.count, amount=Net(amount=one.amount)) for one in sums
    ]
