"""What a payment of invoices does: looks again before it charges, posts each invoice at the ERP, lets go (decision 53)."""

import asyncio
from datetime import date

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.identity.rights import is_linked, recipients_of
from db.base import Sessions, reading
from db.billing import invoice_payments
from db.billing.invoices.documents import mirror_all
from db.identity.people import find_user
from db.partners.businesses import buyer_of_code
from db.runs import flows
from domain.base import Frozen
from domain.billing.invoice_allocation import Allocation, AllocationRequest, DocumentRequest
from domain.billing.invoice_payment import (
    RECEIPTED,
    TEXTS,
    InvoiceFiguresChanged,
    InvoicePaymentError,
    InvoicePaymentStart,
    InvoicePaymentView,
    InvoiceStatus,
    MayNotPay,
)
from domain.billing.payments import NOTHING
from domain.errors import PortalError
from domain.identity.people import purchasing_rights
from domain.letters.language import Language
from domain.letters.text import reread
from domain.money import Money
from domain.paper.invoice_payments import payment_paper
from domain.paper.mails import paid_for
from domain.paper.seller import Seller
from providers.erp.payments import ErpPayments
from providers.errors import Refused
from providers.messages.letter import Paper
from providers.messenger import Messenger


class Checked(Frozen):
    """`refused` says why it does not go on."""

    refused: InvoicePaymentError | None = None


def reference_of(payment_id: str, number: str) -> str:
    return f"{payment_id}:{number}"


class PostRequest(Frozen):
    """What one invoice gets, and the day of the submit: its discount is that of this day."""

    payment_id: str
    partner_code: str
    allocation: Allocation
    on: date

    @property
    def reference(self) -> str:
        """By what the ERP knows it: one for each invoice of a payment."""
        return reference_of(self.payment_id, self.allocation.number)


class Posted(Frozen):
    """`refused` is the ERP's reason."""

    number: str
    refused: str | None = None


class PostedInvoices(Frozen):
    """The invoices of a payment that are posted, and what was charged for all of them."""

    numbers: tuple[str, ...]
    charged: Money


class UnpostRequest(Frozen):
    payment_id: str
    number: str

    @property
    def reference(self) -> str:
        return reference_of(self.payment_id, self.number)


class Closing(Frozen):
    """`refunded` are the invoices whose money went back."""

    payment_id: str
    outcome: str
    refunded: tuple[str, ...] = ()


class InvoicePaymentMail(Frozen):
    payment_id: str
    person_id: str
    subject: str
    text: str


class InvoicePaymentActivities:
    def __init__(
        self, erp: ErpPayments, messenger: Messenger, sessions: Sessions, seller: Seller
    ) -> None:
        self._seller = seller
        self._erp = erp
        self._messenger = messenger
        self._sessions = sessions

    @activity.defn(name="check_invoice_payment")
    async def check(self, start: InvoicePaymentStart) -> Checked:
        """Reads rights, the link to the business, holds and open amounts again. Read only."""
        payer = start.payer
        async with reading(self._sessions) as session:
            person = await find_user(session, payer.person_id)
            if person is None or not purchasing_rights(person) or person.is_outside_rep:
                return Checked(refused=_error(MayNotPay))
            if not await is_linked(session, person, payer.partner_code):
                return Checked(refused=_error(MayNotPay))
            if not await _is_open(session, start):
                return Checked(refused=_error(InvoiceFiguresChanged))
        return Checked()

    @activity.defn(name="post_invoice_payment")
    async def post(self, request: PostRequest) -> Posted:
        """Posts one invoice at the ERP, mirrors what it answers, and lets the invoice go. A refusal is an answer.

        Idempotent by payment and invoice. Raises Unavailable while the ERP cannot be asked.
        """
        one = request.allocation
        try:
            documents = await self._erp.post(
                request.reference,
                partner_code=request.partner_code,
                invoice_number=one.number,
                amount=one.charged,
                discount=one.discount,
                memos=[(part.number, part.amount) for part in one.memos],
                paid_on=request.on,
            )
        except Refused as refusal:
            await self._record_outcome(request, InvoiceStatus.REFUSED, refusal.detail)
            return Posted(number=one.number, refused=refusal.detail)
        async with self._sessions.begin() as session:
            # In one transaction: an invoice that is free again shows what was paid.
            await mirror_all(session, documents)
            await invoice_payments.record_outcome(
                session, request.payment_id, one.number, InvoiceStatus.POSTED
            )
        return Posted(number=one.number)

    @activity.defn(name="posted_invoices")
    async def posted(self, payment_id: str) -> PostedInvoices:
        """What an ended payment has at the ERP. Read only."""
        async with reading(self._sessions) as session:
            found = await invoice_payments.posted_of(session, payment_id)
        return PostedInvoices(
            numbers=tuple(number for number, _ in found),
            charged=sum((charged for _, charged in found), NOTHING),
        )

    @activity.defn(name="unpost_invoice_payment")
    async def unpost(self, request: UnpostRequest) -> None:
        """Takes back at the ERP what was posted to one invoice, its discount and its memos too, and mirrors what it answers.

        Idempotent by payment and invoice. Raises Unavailable while the ERP cannot be asked, Refused.
        """
        documents = await self._erp.cancel(request.reference)
        async with self._sessions.begin() as session:
            await mirror_all(session, documents)
            await invoice_payments.mark_returned(session, request.payment_id, request.number)

    @activity.defn(name="close_invoice_payment")
    async def close(self, closing: Closing) -> None:
        """Nothing is held any more. Idempotent."""
        async with self._sessions.begin() as session:
            await invoice_payments.close(
                session, closing.payment_id, closing.outcome, closing.refunded
            )

    @activity.defn(name="mail_invoice_payment")
    async def mail(self, mail: InvoicePaymentMail) -> None:
        """Tells the payer, or the owners of the business where the payer may not see it any more, with the receipt of a payment
        that is shown to have taken money. Nothing is sent to an address that takes no mail. Idempotent by payment,
        subject and address."""
        async with reading(self._sessions) as session:
            run = await flows.find_owner(session, "invoice_payment", mail.payment_id)
            recipients = await recipients_of(session, mail.person_id, run.partner if run else None)
            shown = await flows.find_flow(session, "invoice_payment", mail.payment_id)
            payment = InvoicePaymentView.model_validate(shown.view) if shown else None
            buyer = await buyer_of_code(session, payment.partner_code) if payment else None
        has_receipt = shown is not None and shown.state in RECEIPTED

        async def papers() -> list[Paper]:
            if not has_receipt or payment is None or buyer is None:
                return []
            content = await asyncio.to_thread(payment_paper, payment, buyer, self._seller)
            return [Paper(name=f"payment-{payment.uuid}", content=content)]

        def written(language: Language) -> tuple[str, str]:
            text = reread(language, mail.text, TEXTS)
            if payment is not None and buyer is not None:
                text = f"{text}\n\n{paid_for(payment, buyer, language, is_paid=has_receipt)}"
            return reread(language, mail.subject, TEXTS), text

        await self._messenger.write_to_each(
            recipients,
            written,
            key=f"{mail.payment_id}-{mail.subject}",
            papers=papers,
        )

    async def _record_outcome(
        self, request: PostRequest, status: InvoiceStatus, detail: str
    ) -> None:
        async with self._sessions.begin() as session:
            await invoice_payments.record_outcome(
                session, request.payment_id, request.allocation.number, status, detail
            )


async def _is_open(session: AsyncSession, start: InvoicePaymentStart) -> bool:
    """Whether everything is still held by this payment, and as much is open as it is to clear."""
    allocations = start.plan.allocations
    taken: dict[str, DocumentRequest] = {}
    for part in (part for one in allocations for part in one.memos):
        before = taken[part.number].amount if part.number in taken else 0
        taken[part.number] = DocumentRequest(number=part.number, amount=before + part.amount)
    request = AllocationRequest(
        invoices=tuple(
            DocumentRequest(number=one.number, amount=one.clears) for one in allocations
        ),
        memos=tuple(taken.values()),
    )
    found = await invoice_payments.documents_of(session, start.payer.partner_code, request)
    numbers = [one.number for one in (*request.invoices, *request.memos)]
    if not await invoice_payments.is_held_by(session, start.id, numbers):
        return False
    open_ = {number: one.balance for number, one in (*found.invoices.items(), *found.memos.items())}
    return all(
        one.number in open_ and one.amount <= open_[one.number]
        for one in (*request.invoices, *request.memos)
    )


def _error(error: type[PortalError]) -> InvoicePaymentError:
    return InvoicePaymentError(code=error.code, detail=error.detail)
