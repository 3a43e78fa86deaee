"""A checkout worked out now, by one function for the mock run and the real one (decision "A quote is the order")."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.payment_methods import methods_of
from db.catalogue.viewers import find_viewer
from db.checkout.cart import check_latest, find_cart
from db.checkout.cart_lines import lines_of
from db.checkout.coupons import lock_coupon, usable_coupons
from db.checkout.credit import credit_of
from db.checkout.limits import allowance_of, lock_limits
from db.checkout.reservations import held_pieces
from db.checkout.shipping import addresses_of, methods_for
from db.orders.orders import number_of_po
from db.partners.businesses import is_blocked, partner_summary
from domain.billing.payment_methods import allowed_for
from domain.billing.payments import PROMISES, PaymentType
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import (
    CartMissing,
    Line,
    StoredCart,
    check_business_chosen,
    check_may_buy,
    sums_of,
)
from domain.checkout.coupons import offer_of
from domain.checkout.draft import (
    Draft,
    Gateway,
    PaymentChoice,
    PostalAddress,
    as_postal,
    check_agrees,
)
from domain.checkout.limits import Allowance, is_limited
from domain.checkout.quote import (
    Figures,
    Quote,
    QuotedMethod,
    QuotedPayment,
    is_meant,
    line_of,
    list_total_of,
    refusals_of,
    sealed,
    without_held,
)
from domain.identity.people import Actor
from domain.money import Money
from domain.orders.shipping import ShippingMethod, freight
from domain.partners.partners import Address, AddressKind, of_kind

Choice = TypeVar("Choice", ShippingMethod, Address)


async def quoted(
    session: AsyncSession,
    actor: Actor,
    token: str,
    selected: PaymentChoice | None = None,
    *,
    cards: bool,
    lock: bool = False,
    submitted_at: datetime | None = None,
) -> Quote:
    """The caller's cart with its draft, at the prices, stock, freight, taxes and credit of this moment. `selected` comes
    before the payment of the draft; with `lock` the cart stays as it is until the transaction ends. One that was submitted at
    `submitted_at` may be put away, and costs what it costs now. `cards` is the switch of the settings. Nothing is written.

    Raises CartMissing, StaleCart, MethodNeeded and what `check_may_buy` raises; everything else that speaks against the
    order is in `refusals`.
    """
    held = await _placeable_cart(
        session, actor, token, lock=lock, is_submitted=submitted_at is not None
    )
    viewer = await find_viewer(session, actor)
    partner = await partner_summary(session, held.partner_code)
    if partner is None:
        raise CartMissing
    lines = await _lines(session, viewer, token)
    method = _chosen(await methods_for(session, held.partner_code), held.shipping_method_id)
    addresses = await addresses_of(session, held.partner_code)
    ship_to = _chosen(of_kind(addresses, AddressKind.SHIPPING), held.shipping_address_id)
    bill_to = _billed(of_kind(addresses, AddressKind.BILLING), held.draft)
    entered = held.draft.coupon_code
    usable = await usable_coupons(
        session, viewer.channel, held.partner_code, token, lines, entered=entered
    )
    coupons = offer_of(lines, usable, entered)
    sums = sums_of(lines, method, ship_to, coupons.amount)
    choice = selected or (held.draft.payment.choice if held.draft.payment else None)
    is_free = bool(lines) and sums.gross == 0
    payment = (
        _promised(choice)
        if is_free
        else await _payment(session, held, selected, sums.gross, anew=submitted_at is not None)
    )
    quote_lines = tuple(line_of(line) for line in lines)
    list_total = list_total_of(quote_lines, sums)
    credit = await credit_of(session, held.partner_code)
    allowance = await _allowance(session, actor, held, submitted_at)
    return sealed(
        Figures(
            token=token,
            partner_code=held.partner_code,
            partner_name=partner.company_name,
            channel=viewer.channel,
            placed_by=actor.person.id,
            placed_by_name=actor.person.name,
            acting_for=held.partner_code if actor.is_acting else None,
            po_number=held.draft.po_number,
            po_required=partner.po_required,
            po_ordered=await number_of_po(session, held.partner_code, held.draft.po_number, token),
            lines=quote_lines,
            list_total=list_total,
            discount=list_total - sums.subtotal,
            subtotal=sums.subtotal,
            coupon=coupons.taken,
            coupon_refused=coupons.refused,
            coupon_near=coupons.near,
            freight=sums.freight,
            net=sums.net,
            taxes=sums.taxes,
            tax=sums.tax,
            total=sums.gross,
            shipping_method=_method_out(method, sums.subtotal) if method else None,
            shipping_address=as_postal(ship_to) if ship_to else None,
            billing_address=bill_to,
            payment=payment,
            credit_available=credit.available if credit else None,
            allowance=allowance,
            needs_approval=allowance is not None and allowance.needs_approval(sums.gross),
            refusals=refusals_of(
                quote_lines,
                sums.gross,
                has_shipping=method is not None and ship_to is not None,
                has_billing=bill_to is not None,
                has_po_number=bool(held.draft.po_number) or not partner.po_required,
                payment=payment,
                is_payment_allowed=is_free or _is_allowed(actor, choice, payment, cards=cards),
                credit=credit,
                is_blocked=await is_blocked(session, held.partner_code),
                allowance=allowance,
            ),
        )
    )


async def counted(
    session: AsyncSession,
    actor: Actor,
    token: str,
    selected: PaymentChoice | None,
    *,
    cards: bool,
    submitted_at: datetime | None = None,
) -> Quote:
    """The quote, worked out under the locks of the buyer's limits and of the coupon that it takes: what others took before
    counts, and what it counts holds until the transaction ends."""
    await lock_limits(session, actor.person.id, actor.dealer_id)
    locked = set[str]()
    while True:
        quote = await quoted(
            session, actor, token, selected, cards=cards, submitted_at=submitted_at
        )
        if quote.coupon is None or quote.coupon.code in locked:
            return quote
        await lock_coupon(session, quote.coupon.code)
        locked.add(quote.coupon.code)


async def _allowance(
    session: AsyncSession, actor: Actor, held: StoredCart, submitted_at: datetime | None
) -> Allowance | None:
    """None for whom no limits bind."""
    if not is_limited(actor.person):
        return None
    return await allowance_of(
        session,
        actor.person.id,
        actor.dealer_id,
        held.partner_code,
        token=held.token,
        at=submitted_at,
    )


async def _placeable_cart(
    session: AsyncSession, actor: Actor, token: str, *, lock: bool, is_submitted: bool
) -> StoredCart:
    """In the order in which a change of a cart asks: the choice of a business, whose cart, the right to buy, which is the
    latest."""
    check_business_chosen(actor)
    held = await find_cart(session, token, actor.person.id, actor.business_code, lock=lock)
    if held is None:
        raise CartMissing
    check_may_buy(actor)
    if not is_submitted:
        await check_latest(session, held)
    return held


async def _lines(session: AsyncSession, viewer: Viewer, token: str) -> tuple[Line, ...]:
    """With the stock that nobody else's order under way holds."""
    lines = await lines_of(session, viewer, token)
    held = await held_pieces(session, [line.id for line in lines])
    return tuple(without_held(line, held.get(line.id, 0)) for line in lines)


def _billed(addresses: Sequence[Address], draft: Draft) -> PostalAddress | None:
    """The typed address, else the chosen one of the business, else its default."""
    if draft.billing_address is not None:
        return draft.billing_address
    address = _chosen(addresses, draft.billing_address_id)
    return as_postal(address) if address else None


async def _payment(
    session: AsyncSession,
    held: StoredCart,
    selected: PaymentChoice | None,
    total: Money,
    *,
    anew: bool,
) -> QuotedPayment | None:
    """None while nothing was chosen, and for a saved method that cannot be used."""
    draft = held.draft.payment
    choice = selected or (draft.choice if draft else None)
    if choice is None:
        return None
    check_agrees(draft, choice)
    shown = choice.type.value
    if choice.method_id is not None:
        method = next(
            (one for one in await methods_of(session, held.partner_code) if is_meant(one, choice)),
            None,
        )
        if method is None:
            return None
        shown = method.shown
    agreed = draft.amount if draft and not anew else None
    return QuotedPayment(
        gateway=choice.gateway,
        type=choice.type,
        method_id=choice.method_id,
        shown=shown,
        amount=total if agreed is None else agreed,
    )


def _promised(choice: PaymentChoice | None) -> QuotedPayment:
    """Of an order of 0.00, which needs no way to pay: whoever orders promises nothing, whatever was chosen."""
    kind = choice.type if choice is not None and choice.type in PROMISES else PaymentType.TERMS
    return QuotedPayment(
        gateway=Gateway.ACH_COD, type=kind, method_id=None, shown=kind.value, amount=Decimal("0.00")
    )


def _is_allowed(
    actor: Actor, choice: PaymentChoice | None, payment: QuotedPayment | None, *, cards: bool
) -> bool:
    """Whether this person may pay like this, and with this method."""
    if choice is None:
        return True
    return payment is not None and allowed_for(actor, cards=cards).allows(choice.type)


def _method_out(method: ShippingMethod, subtotal: Money) -> QuotedMethod:
    return QuotedMethod(
        id=method.id,
        name=method.shown_name,
        erp_name=method.name,
        price=freight(method, subtotal),
        is_pick_up=method.is_pick_up,
    )


def _chosen(choices: Sequence[Choice], id_: str | None) -> Choice | None:
    """The first one where the chosen one is not to be had any more, as the cart shows it."""
    return next((one for one in choices if one.id == id_), choices[0] if choices else None)
