"""What somebody with a link may do without an account: see the one invoice and pay it by card (decision 58).

The token comes in the body: it stands in no address, and so in no log.
"""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.billing.invoice_payments.bodies import PlanHash
from api.billing.invoice_payments.commands import choose_method, has_chosen
from api.billing.invoice_payments.paying import Submit, begin, once_at_rest, quoted, submit_payment
from api.billing.invoices.queries import today_of
from api.billing.pay_links.lending import UsablePayLink, lent
from api.platform.deps import Portal, PortalDep, counted_address
from api.platform.moves_money import MovesMoney
from api.platform.schemas import Camel
from api.platform.throttling.links import LinkTries
from api.runs.messages import RequiredKey
from db.base import reading
from db.billing import pay_links
from db.billing.invoice_payments import holders_of, start_of
from db.billing.invoices.documents import find_invoice
from db.partners.businesses import find_partner
from db.runs import flows
from domain.base import EXACT, ID_PATTERN, Body
from domain.billing.invoice_allocation import AllocationRequest, DocumentRequest, InvoicesRefused
from domain.billing.invoice_payment import (
    InvoiceFiguresChanged,
    InvoicePaymentStart,
    InvoicePaymentView,
    plan_hash,
)
from domain.billing.invoices.documents import Invoice, discount_of, last_discount_day, payoff_of
from domain.billing.pay_link import (
    GuestState,
    PayLink,
    PayLinkBusy,
    PayLinkCard,
    PayLinkPaid,
    PayLinkVoid,
    guest_state,
)
from domain.billing.payment_methods import CardRefused
from domain.billing.payments import PayBy, PaymentType
from domain.money import CENT, Money
from domain.partners.partners import PartnerScope
from domain.runs.projection import FlowAnswer
from providers.security.tokens import secret_hash

router = APIRouter(prefix="/v1/pay-links", tags=["pay links"])

Token = Annotated[str, Field(min_length=1, max_length=200, repr=False), EXACT]
CardToken = Annotated[str, Field(min_length=1, max_length=120, pattern=ID_PATTERN), EXACT]


class OpenBody(Body):
    token: Token


class PayBody(Body):
    """`card` is the provider's name of a card that was typed just now; `plan_hash` what was shown: it is paid at these
    figures, or not at all. After a decline the figures stay, and none is needed."""

    token: Token
    card: CardToken
    plan_hash: PlanHash | None = None


class LineSeen(Camel):
    name: str
    quantity: int
    total: Money


class GuestPayment(Camel):
    """What became of the last payment by this link."""

    charged: Money
    refunded: Money
    shown: str
    detail: str | None
    action_url: str | None


class InvoiceSeen(Camel):
    """The one invoice, and where its payment stands. `amount` settles it now; `discount` is what that saves, through
    `discountUntil`. `publicKey` and `frameUrl` are the card provider's, `planHash` what the payer agrees to."""

    state: GuestState
    number: str
    business: str
    made_for: str
    create_date: date
    due_date: date
    lines: list[LineSeen]
    total: Money
    paid: Money
    balance: Money
    amount: Money
    discount: Money
    discount_until: date | None
    currency: str
    plan_hash: str | None
    payment: GuestPayment | None
    public_key: str
    frame_url: str | None


@router.post("/open")
async def open_pay_link(portal: PortalDep, request: Request, body: OpenBody) -> InvoiceSeen:
    """The invoice of the link, and nothing else. Asked again it tells how a payment stands."""
    found = await _used(portal, request, body.token, opens=True)
    return await _seen(portal, found)


@router.post("/pay", dependencies=[MovesMoney])
async def pay_by_link(
    portal: PortalDep, request: Request, body: PayBody, key: RequiredKey
) -> InvoiceSeen:
    """Pays what settles the invoice now, once, with this card; after a decline another card goes on with the same
    payment. Answers where it stands, and under the same key again where that payment stands."""
    found = await _used(portal, request, body.token)
    link = found.link
    await LinkTries(portal.sessions).count_link_payment(link.id)
    named, own_key = secret_hash(f"{link.id} {key}")[:32], f"{link.id}-{key}"
    _, run = await _last_payment(portal, link)
    if run is not None and not run.ended:
        if run.state == "declined" and run.id != named:
            card = await _card(portal, link, body.card)
            await choose_method(portal, found.maker, run.id, _by(card), own_key, name=link.paid_by)
            await once_at_rest(portal, run.id)
        return await _seen(portal, found)
    async with reading(portal.sessions) as session:
        start = await start_of(session, named)
    if start is None and run and await has_chosen(portal, found.maker, run.id, own_key):
        return await _seen(portal, found)
    if start is None:
        start = await _submitted(portal, found, body, named)
    await begin(portal, start)
    await once_at_rest(portal, start.id)
    return await _seen(portal, found)


async def _submitted(
    portal: Portal, found: UsablePayLink, body: PayBody, id_: str
) -> InvoicePaymentStart:
    """The payment of this id, or the link's own that has been kept before it. Raises PayLinkPaid, PayLinkBusy,
    InvoiceFiguresChanged, CardRefused; nothing is charged then."""
    link = found.link
    async with reading(portal.sessions) as session:
        invoice = await _invoice(session, link)
    if invoice.balance <= 0:
        raise PayLinkPaid
    if body.plan_hash is None:
        raise InvoiceFiguresChanged
    card = await _card(portal, link, body.card)
    submit = Submit(
        id=id_,
        request=_all_of(invoice),
        pay_by=_by(card),
        agreed=body.plan_hash,
        link_id=link.id,
        paid_by=link.paid_by,
    )
    try:
        return await submit_payment(portal, found.maker, submit)
    except InvoicesRefused:
        async with reading(portal.sessions) as session:
            is_paid = (await _invoice(session, link)).balance <= 0
        raise (PayLinkPaid if is_paid else PayLinkBusy) from None


async def _used(
    portal: Portal, request: Request, token: str, *, opens: bool = False
) -> UsablePayLink:
    """The link, noted as used. Only a wrong token uses up the limit."""
    try:
        async with portal.sessions.begin() as session:
            found = await lent(session, token)
            if opens:
                await pay_links.note_opened(session, found.link.id)
    except PayLinkVoid:
        await LinkTries(portal.sessions).count_link(counted_address(request))
        raise
    return found


async def _card(portal: Portal, link: PayLink, provider_id: str) -> PayLinkCard:
    """Raises CardRefused, for somebody's saved card too: nobody pays with what is not their own."""
    card = await portal.cards.card(provider_id)
    if card.customer_id is not None:
        raise CardRefused
    async with portal.sessions.begin() as session:
        return await pay_links.lend_card(
            session, link, card.provider_id, f"{card.brand} •••• {card.last4}"
        )


async def _seen(portal: Portal, found: UsablePayLink) -> InvoiceSeen:
    link = found.link
    last, run = await _last_payment(portal, link)
    async with reading(portal.sessions) as session:
        invoice = await _invoice(session, link)
        holder = (await holders_of(session, [invoice.number])).get(invoice.number)
        partner = await find_partner(session, PartnerScope(everything=True), link.partner_code)
        try:
            plan, _ = await quoted(session, found.maker, _all_of(invoice))
            hashed = plan_hash(plan)
        except InvoicesRefused:
            hashed = None
        today = await today_of(session, found.maker)
    state = guest_state(
        is_open=invoice.balance > 0,
        is_held=holder is not None,
        is_own=holder is not None and holder.payment_id == last,
        run=run.state if run else None,
        has_ended=run.ended if run else True,
    )
    payment = _payment(run)
    is_under_way = run is not None and not run.ended and payment is not None
    discount = discount_of(invoice, today)
    return InvoiceSeen(
        state=state,
        number=invoice.number,
        business=partner.company_name if partner else link.partner_code,
        made_for=link.made_for,
        create_date=invoice.create_date,
        due_date=invoice.due_date,
        lines=[
            LineSeen(name=line.name, quantity=line.quantity, total=line.total)
            for line in invoice.lines
        ],
        total=invoice.total,
        paid=invoice.paid,
        balance=invoice.balance,
        amount=payment.charged if is_under_way and payment else payoff_of(invoice, today),
        discount=discount,
        discount_until=last_discount_day(invoice) if discount else None,
        currency="USD",
        plan_hash=hashed,
        payment=payment,
        public_key=portal.cards.public_key,
        frame_url=portal.cards.frame_url,
    )


async def _last_payment(portal: Portal, link: PayLink) -> tuple[str | None, FlowAnswer | None]:
    """The id of the link's last payment, and as far as one has shown it its run."""
    async with reading(portal.sessions) as session:
        last = await pay_links.payment_of(session, link.id)
        return last, await flows.find_flow(session, "invoice_payment", last) if last else None


async def _invoice(session: AsyncSession, link: PayLink) -> Invoice:
    invoice = await find_invoice(session, link.invoice_number, link.partner_code)
    if invoice is None:
        raise PayLinkVoid
    return invoice


def _payment(run: FlowAnswer | None) -> GuestPayment | None:
    if run is None:
        return None
    view = InvoicePaymentView.model_validate(run.view)
    return GuestPayment(
        charged=view.charged,
        refunded=view.refunded,
        shown=view.payment.shown if view.payment else "",
        detail=view.error.detail if view.error else None,
        action_url=view.payment.action_url if view.payment else None,
    )


def _all_of(invoice: Invoice) -> AllocationRequest:
    return AllocationRequest(
        invoices=(DocumentRequest(number=invoice.number, amount=max(invoice.balance, CENT)),)
    )


def _by(card: PayLinkCard) -> PayBy:
    return PayBy(type=PaymentType.CARD, method_id=card.id)
