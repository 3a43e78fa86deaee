"""A checkout worked out to the cent, with no effect (shop spec 3 and 4; rulings "Money"; decision "A quote is the order").

The mock run shows a quote, the real run freezes the same one. What would refuse the order is told in it, so that a screen
can say all of it at once; `check_placeable` turns the first refusal into the error of the real run.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from domain.base import Frozen
from domain.billing.payment_methods import PaymentMethod
from domain.billing.payments import PaymentType
from domain.billing.taxes import Tax
from domain.checkout.cart import Line, LineFault, Sums
from domain.checkout.coupons import CouponTaken, CouponUnmet
from domain.checkout.draft import Gateway, PaymentChoice, PostalAddress
from domain.checkout.limits import Allowance
from domain.errors import Conflict
from domain.money import Money


class QuoteLine(Frozen):
    """`now` and `later` part the quantity by the stock of the moment. A line with a fault has no part in the sums."""

    variant_id: str
    product_id: str
    sku: str
    name: str
    image: str
    quantity: int
    now: int
    later: int
    restock_on: date | None = None
    list_price: Money | None = None
    unit_price: Money | None
    total: Money
    fault: LineFault | None = None
    vehicle: str | None = None


class QuotedMethod(Frozen):
    """`name` is without the prefix, `erp_name` with it; `price` is the freight of this cart."""

    id: str
    name: str
    erp_name: str
    price: Money
    is_pick_up: bool


class QuotedPayment(Frozen):
    """`shown` is "Visa •••• 4242", "COD" or "TERMS". `amount` is what was agreed to, by default the total: nothing
    else can be taken."""

    gateway: Gateway
    type: PaymentType
    method_id: str | None = None
    shown: str
    amount: Money


CREDIT_FRESH_FOR = timedelta(seconds=60)
"""How old the ERP's account may be by which credit is judged."""


class Credit(Frozen):
    """What the business may still buy on TERMS: `limit − balance − open_orders − owed`, with what is being ordered at this
    moment among the open ones (rulings "Credit limit"). `owed` is to be paid again: a bank had returned it (decision 56)."""

    limit: Money
    balance: Money
    open_orders: Money
    owed: Money = Decimal(0)

    @property
    def available(self) -> Decimal:
        return max(self.limit - self.balance - self.open_orders - self.owed, Decimal(0))


class Refusal(Frozen):
    """Why the order cannot be placed like this."""

    code: str
    detail: str


class Figures(Frozen):
    """Everything of a quote but its hash. `discount` is what the goods cost less than at their list prices;
    `coupon` comes off that; `po_ordered` is the number of an order that has this PO number already. `acting_for` is
    the code of the business where a rep orders. `allowance` is that of a purchaser with limits; `needs_approval`:
    an owner must approve the order."""

    token: str
    partner_code: str
    partner_name: str
    channel: str
    placed_by: str
    placed_by_name: str
    acting_for: str | None = None
    po_number: str | None = None
    po_required: bool = False
    po_ordered: str | None = None
    lines: tuple[QuoteLine, ...]
    currency: str = "USD"
    list_total: Money
    discount: Money
    subtotal: Money
    coupon: CouponTaken | None = None
    coupon_refused: CouponUnmet | None = None
    coupon_near: CouponUnmet | None = None
    freight: Money
    net: Money
    taxes: tuple[Tax, ...]
    tax: Money
    total: Money
    shipping_method: QuotedMethod | None
    shipping_address: PostalAddress | None
    billing_address: PostalAddress | None
    payment: QuotedPayment | None
    credit_available: Money | None = None
    allowance: Allowance | None = None
    needs_approval: bool = False
    refusals: tuple[Refusal, ...] = ()


class Quote(Figures):
    """`quote_hash` changes with whatever the buyer agreed to: lines, parts, prices, freight, taxes, addresses, method, PO
    number, payment and amount. `figures_hash` is the same without PO number and payment, for who names these with the order."""

    quote_hash: str
    figures_hash: str = ""


class NotPlaceable(Conflict):
    """The order cannot be placed like this. The leaves below say why."""


class EmptyCart(NotPlaceable):
    code = "empty_cart"
    detail = "Your cart is empty."


class AccountBlocked(NotPlaceable):
    """The ERP has blocked the business (decision 57)."""

    code = "account_blocked"
    detail = "Your account is on hold. Please ask your sales rep."


class LinesFaulty(NotPlaceable):
    code = "lines_faulty"
    detail = "Some of the items cannot be ordered any more. Please remove them from your cart."


class ShippingMissing(NotPlaceable):
    code = "shipping_missing"
    detail = "Please choose a shipping address and a shipping method."


class BillingMissing(NotPlaceable):
    code = "billing_missing"
    detail = "Please enter a billing address."


class PoNumberMissing(NotPlaceable):
    """Only where the business wants one with each order (rulings "Later rulings")."""

    code = "po_number_missing"
    detail = "Your business wants a PO number with each order. Please enter one."


class PaymentMissing(NotPlaceable):
    code = "payment_missing"
    detail = "Please choose a payment method."


class PaymentNotAllowed(NotPlaceable):
    """Outside reps order by TERMS or COD only (rulings "People and rights"); a method that is not ready, hidden or absent; one
    that would be charged where nothing is to be paid."""

    code = "payment_not_allowed"
    detail = "This payment method cannot be used for this order."


class PartialPaymentNotAllowed(NotPlaceable):
    """Shop spec 8."""

    code = "PARTIAL_PAYMENT_NOT_ALLOWED"
    detail = "The payment does not cover the total of this order. Partial payments are not allowed."


class AmountAboveTotal(NotPlaceable):
    """More than the order costs is never taken (decision 37)."""

    code = "AMOUNT_ABOVE_TOTAL"
    detail = "The payment is above the total of this order. Please check your order again."


class OverCreditLimit(NotPlaceable):
    """Rulings "Credit limit"."""

    code = "over_credit_limit"
    detail = (
        "This order is above the credit that is left on your account. Please choose another payment method or ask your "
        "sales rep."
    )


class OverOrderLimit(NotPlaceable):
    """The owner's limit for each order of this purchaser (decision 61)."""

    code = "over_order_limit"
    detail = "This order is above what you may order at once. Please ask an owner of your business."


class OverMonthLimit(NotPlaceable):
    """The owner's limit for each month of this purchaser, with what waits for an approval."""

    code = "over_month_limit"
    detail = (
        "This order is above what you may order this month. Please ask an owner of your business."
    )


class QuoteChanged(Conflict):
    """The client agreed to another quote; `quote` in the answer is the present one."""

    code = "quote_changed"
    detail = "Prices or stock have changed. Please check your order again."


class PoNumberRepeated(Conflict):
    """Another order has this PO number, and the buyer was not told yet; `order` in the answer is its number."""

    code = "po_number_repeated"
    detail = "Another order has this PO number already."


REFUSALS: tuple[type[NotPlaceable], ...] = (
    EmptyCart,
    AccountBlocked,
    LinesFaulty,
    ShippingMissing,
    BillingMissing,
    PoNumberMissing,
    PaymentMissing,
    PaymentNotAllowed,
    PartialPaymentNotAllowed,
    AmountAboveTotal,
    OverCreditLimit,
    OverOrderLimit,
    OverMonthLimit,
)
"""In the order in which they are told."""


def without_held(line: Line, held: int) -> Line:
    """The line when so many pieces of its stock are held for orders that are being placed."""
    stock = line.sellable.stock
    free = stock.model_copy(update={"on_hand": stock.on_hand - held})
    sellable = line.sellable.model_copy(update={"stock": free})
    return line.model_copy(update={"sellable": sellable})


def line_of(line: Line) -> QuoteLine:
    """A line of the cart as it is quoted."""
    sellable, figure = line.sellable, line.sellable.figure
    return QuoteLine(
        variant_id=sellable.variant_id,
        product_id=sellable.product_id,
        sku=sellable.sku,
        name=sellable.name,
        image=sellable.image,
        quantity=line.quantity,
        now=line.now,
        later=line.later,
        restock_on=sellable.stock.restock_on if line.later else None,
        list_price=figure.msrp,
        unit_price=figure.amount,
        total=line.total,
        fault=line.fault,
        vehicle=line.vehicle.name if line.vehicle else None,
    )


def is_meant(method: PaymentMethod, choice: PaymentChoice) -> bool:
    """Whether it is the one that was chosen, ready, and not hidden from those who order."""
    return (
        (method.id, method.type) == (choice.method_id, choice.type)
        and method.status == "ready"
        and not method.is_hidden
    )


def list_total_of(lines: Sequence[QuoteLine], sums: Sums) -> Decimal:
    """The goods at their list prices; at what they cost where that is more, or where there is no list price."""
    full = sum(
        (
            max(one.list_price or Decimal(0), one.unit_price or Decimal(0)) * one.quantity
            for one in lines
            if not one.fault
        ),
        Decimal(0),
    )
    return max(full, sums.subtotal)


def refusals_of(
    lines: Sequence[QuoteLine],
    total: Decimal,
    *,
    has_shipping: bool,
    has_billing: bool,
    has_po_number: bool,
    payment: QuotedPayment | None,
    is_payment_allowed: bool,
    credit: Credit | None,
    is_blocked: bool = False,
    allowance: Allowance | None = None,
) -> tuple[Refusal, ...]:
    """All reasons against the order at once. `credit` is None where nothing is known of it, which is no credit."""
    found: set[type[NotPlaceable]] = set()
    if not lines:
        found.add(EmptyCart)
    if is_blocked:
        found.add(AccountBlocked)
    if any(line.fault for line in lines):
        found.add(LinesFaulty)
    if not has_shipping:
        found.add(ShippingMissing)
    if not has_billing:
        found.add(BillingMissing)
    if not has_po_number:
        found.add(PoNumberMissing)
    if not is_payment_allowed:
        found.add(PaymentNotAllowed)
    elif payment is None:
        found.add(PaymentMissing)
    elif payment.amount < total:
        found.add(PartialPaymentNotAllowed)
    elif payment.amount > total:
        found.add(AmountAboveTotal)
    if payment and payment.type is PaymentType.TERMS:
        left = credit.available if credit else Decimal(0)
        if total > max(left, Decimal(0)):
            found.add(OverCreditLimit)
    if allowance and allowance.is_over_order(total):
        found.add(OverOrderLimit)
    if allowance and allowance.is_over_month(total):
        found.add(OverMonthLimit)
    return tuple(Refusal(code=one.code, detail=one.detail) for one in REFUSALS if one in found)


def sealed(figures: Figures) -> Quote:
    """With the hash over what the buyer agrees to."""
    said = _agreed_to(figures)
    plain = {name: part for name, part in said.items() if name not in _NAMED_WITH_THE_ORDER}
    return Quote(**dict(figures), quote_hash=_digest(said), figures_hash=_digest(plain))


def hash_of(figures: Figures) -> str:
    """SHA-256 (hex). Names, pictures, dates of restocking and what is left of the credit are told, and not agreed to."""
    return _digest(_agreed_to(figures))


def _agreed_to(figures: Figures) -> dict[str, Any]:
    return figures.model_dump(
        mode="json",
        include={
            "token": True,
            "partner_code": True,
            "po_number": True,
            "lines": {"__all__": {"variant_id", "quantity", "now", "later", "unit_price", "total"}},
            "currency": True,
            "subtotal": True,
            "coupon": {"code", "amount"},
            "freight": True,
            "taxes": True,
            "total": True,
            "shipping_method": {"id"},
            "shipping_address": True,
            "billing_address": True,
            "payment": {"type", "method_id", "amount"},
        },
    )


_NAMED_WITH_THE_ORDER = frozenset({"po_number", "payment"})


def _digest(said: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def check_placeable(quote: Quote) -> None:
    """Raises the first refusal as its error."""
    for refusal in quote.refusals:
        raise next(one for one in REFUSALS if one.code == refusal.code)


def agreed(quote: Quote, quote_hash: str | None) -> None:
    """Raises QuoteChanged when the client agreed to another quote, or to other figures."""
    if quote_hash not in (None, quote.quote_hash, quote.figures_hash):
        raise QuoteChanged(extra={"quote": quote.model_dump(mode="json")})


def needs_agreement(frozen: Quote, fresh: Quote) -> bool:
    """Whether the buyer must agree anew: anything differs but pieces that can be sent sooner."""
    now = {line.variant_id: line for line in fresh.lines}
    lines = tuple(
        line.model_copy(update={"now": found.now, "later": found.later})
        if (found := now.get(line.variant_id)) is not None and found.now >= line.now
        else line
        for line in frozen.lines
    )
    return hash_of(frozen.model_copy(update={"lines": lines})) != fresh.quote_hash


def blocking(quote: Quote) -> Refusal | None:
    """What speaks for good against an order that was submitted. Credit is judged when it is held."""
    return next((one for one in quote.refusals if one.code != OverCreditLimit.code), None)
