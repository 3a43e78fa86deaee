"""What a placement freezes when the buyer submits: the quote that was agreed to. The run places exactly that.

It is kept beside the run, so that no history holds it; people see it as one with what moves.
"""

from decimal import Decimal

from domain.base import Frozen, Utc
from domain.billing.payments import PaymentType
from domain.billing.taxes import Tax
from domain.checkout.coupons import CouponTaken
from domain.checkout.draft import PostalAddress
from domain.checkout.placement import PlacementProgress, PlacementStart
from domain.checkout.quote import Quote, QuotedMethod
from domain.money import Money
from domain.orders.orders import NewOrder, OrderAddress, OrderLine


class Snapshot(Frozen):
    """What was agreed to: the run places this and nothing else. `workflow_id` is the run's."""

    workflow_id: str
    start: PlacementStart
    quote: Quote
    created_at: Utc


class PriceBefore(Frozen):
    """What a line cost when the buyer first agreed; `now` of its pieces were to be sent at once."""

    variant_id: str
    unit_price: Money | None
    now: int


class AgreedBefore(Frozen):
    """What the buyer agreed to before prices or stock changed."""

    total: Money
    lines: tuple[PriceBefore, ...]


class PlacementFacts(Frozen):
    """The part of the view that never changes in one run."""

    token: str
    cart_hash: str
    partner_code: str
    partner_name: str
    po_number: str | None
    lines: tuple[OrderLine, ...]
    subtotal: Money
    discount: Money
    coupon: CouponTaken | None = None
    freight: Money
    tax: Money
    taxes: tuple[Tax, ...]
    total: Money
    currency: str
    shipping_method: str
    shipping_address: PostalAddress
    billing_address: PostalAddress
    placed_by: str
    acting_for: str | None
    before: AgreedBefore | None = None


class PlacementView(PlacementFacts, PlacementProgress):
    """A placement as people see it."""


def shown_of(snapshot: Snapshot) -> PlacementFacts:
    """What people see of a snapshot. It was placeable, so nothing is missing."""
    quote = snapshot.quote
    method, ship_to, bill_to = _sending(quote)
    return PlacementFacts(
        token=quote.token,
        cart_hash=quote.quote_hash,
        partner_code=quote.partner_code,
        partner_name=quote.partner_name,
        po_number=quote.po_number,
        lines=_order_lines(quote),
        subtotal=quote.subtotal,
        discount=quote.discount,
        coupon=quote.coupon,
        freight=quote.freight,
        tax=quote.tax,
        taxes=quote.taxes,
        total=quote.total,
        currency=quote.currency,
        shipping_method=method.name,
        shipping_address=ship_to,
        billing_address=bill_to,
        placed_by=quote.placed_by_name,
        acting_for=snapshot.start.acting_for,
    )


def agreed_before(quote: Quote) -> AgreedBefore:
    """Of the quote that another one takes the place of."""
    lines = tuple(
        PriceBefore(variant_id=line.variant_id, unit_price=line.unit_price, now=line.now)
        for line in quote.lines
    )
    return AgreedBefore(total=quote.total, lines=lines)


def requoted(snapshot: Snapshot, quote: Quote) -> Snapshot:
    """The snapshot with this quote in the place of the one that was frozen."""
    frozen = {"total": quote.total, "quote_hash": quote.quote_hash}
    return snapshot.model_copy(
        update={"quote": quote, "start": snapshot.start.model_copy(update=frozen)}
    )


def pieces_now(quote: Quote) -> dict[str, int]:
    """Pieces by article that are to be sent at once."""
    return {line.variant_id: line.now for line in quote.lines if line.now > 0}


def order_of(snapshot: Snapshot, type_: PaymentType, shown: str) -> NewOrder:
    """The order that a snapshot becomes, paid like this."""
    quote = snapshot.quote
    method, ship_to, bill_to = _sending(quote)
    return NewOrder(
        token=quote.token,
        workflow_id=snapshot.workflow_id,
        partner_code=quote.partner_code,
        placed_by=quote.placed_by,
        placed_by_name=quote.placed_by_name,
        acting_as=snapshot.start.acting_for,
        po_number=quote.po_number,
        lines=_order_lines(quote),
        subtotal=quote.subtotal,
        coupon_code=quote.coupon.code if quote.coupon else None,
        coupon_amount=quote.coupon.amount if quote.coupon else Decimal(0),
        freight=quote.freight,
        tax=quote.tax,
        taxes=quote.taxes,
        total=quote.total,
        shipping_method=method.erp_name,
        shipping_address=_order_address(ship_to),
        billing_address=_order_address(bill_to),
        payment_type=type_,
        payment_shown=shown,
        channel=quote.channel,
        created_at=snapshot.created_at,
    )


def _sending(quote: Quote) -> tuple[QuotedMethod, PostalAddress, PostalAddress]:
    """How it is sent, where to, and where the bill goes. A placeable quote has them all."""
    method, ship_to, bill_to = quote.shipping_method, quote.shipping_address, quote.billing_address
    if method is None or ship_to is None or bill_to is None:
        raise ValueError("a quote that is not placeable was frozen")
    return method, ship_to, bill_to


def _order_lines(quote: Quote) -> tuple[OrderLine, ...]:
    return tuple(
        OrderLine.model_validate(line.model_dump(exclude={"restock_on", "list_price", "fault"}))
        for line in quote.lines
    )


def _order_address(address: PostalAddress) -> OrderAddress:
    return OrderAddress.model_validate(address.model_dump(exclude={"id"}))
