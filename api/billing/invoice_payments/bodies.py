"""What a payment of invoices is asked with."""

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from api.billing.invoices.queries import DocumentId
from api.partners.named_business import BusinessCode
from api.platform.schemas import SpecBody
from domain.base import Body
from domain.billing.invoice_allocation import (
    MOST_AMOUNT,
    MOST_INVOICES,
    MOST_MEMOS,
    AllocationRequest,
    DocumentRequest,
)
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.checkout.draft import Gateway


def _number(value: object) -> object:
    if isinstance(value, str | bool):
        raise ValueError("an amount is a number")
    return value


Amount = Annotated[
    Decimal, BeforeValidator(_number), Field(gt=0, le=MOST_AMOUNT, max_digits=12, decimal_places=2)
]
"""US dollars."""
PlanHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class InvoicePart(SpecBody):
    """So much is paid towards this invoice, memos included. What settles it gets its discount."""

    id: DocumentId
    payment_amount: Amount


class MemoPart(SpecBody):
    """So much of this credit memo may be applied."""

    id: DocumentId
    amount: Amount


class MethodChosen(SpecBody):
    """`methodId` names a saved card or bank account."""

    type: PaymentType
    method_id: MethodId | None = None


class PayInvoiceBody(SpecBody):
    """`gateway` is `CARD` for cards and `ACH_COD` for bank accounts. Where memos cover everything no method is needed."""

    invoices: Annotated[tuple[InvoicePart, ...], Field(min_length=1, max_length=MOST_INVOICES)]
    credit_memos: Annotated[tuple[MemoPart, ...], Field(max_length=MOST_MEMOS)] = ()
    selected_payment: MethodChosen | None = None
    gateway: Gateway | None = None
    sap_bp_code: BusinessCode | None = None

    @property
    def request(self) -> AllocationRequest:
        return AllocationRequest(
            invoices=tuple(
                DocumentRequest(number=p.id, amount=p.payment_amount) for p in self.invoices
            ),
            memos=tuple(DocumentRequest(number=p.id, amount=p.amount) for p in self.credit_memos),
        )


class DocumentPart(Body):
    """So much of an invoice or a credit memo."""

    number: DocumentId
    amount: Amount


class WholePart(Body):
    """So much of an invoice or a credit memo; without an amount all that is open."""

    number: DocumentId
    amount: Amount | None = None


class QuoteBody(Body):
    """What would be paid, and of which memos so much may be applied."""

    invoices: Annotated[tuple[WholePart, ...], Field(min_length=1, max_length=MOST_INVOICES)]
    credit_memos: Annotated[tuple[WholePart, ...], Field(max_length=MOST_MEMOS)] = ()


class InvoicePaymentBody(Body):
    """So much is paid towards each invoice, and so much of each memo may be applied. With `plan_hash` it is paid at the
    figures of that quote, or not at all."""

    invoices: Annotated[tuple[DocumentPart, ...], Field(min_length=1, max_length=MOST_INVOICES)]
    credit_memos: Annotated[tuple[DocumentPart, ...], Field(max_length=MOST_MEMOS)] = ()
    type: PaymentType | None = None
    method_id: MethodId | None = None
    plan_hash: PlanHash | None = None

    @property
    def request(self) -> AllocationRequest:
        return AllocationRequest(
            invoices=tuple(
                DocumentRequest(number=p.number, amount=p.amount) for p in self.invoices
            ),
            memos=tuple(
                DocumentRequest(number=p.number, amount=p.amount) for p in self.credit_memos
            ),
        )


class OtherMethodBody(Body):
    type: PaymentType
    method_id: MethodId


class CancelInvoicePaymentBody(Body):
    """Nothing but the request."""
