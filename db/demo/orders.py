"""Invents two years of orders: 2,600, a median of six lines, a peak in winter, the same on every machine.

What an order has come to follows from its age. So many are cancelled that 2,450 have an invoice, whatever the day.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from random import Random

from db.demo.catalogue.prices import TIERS
from domain.billing.payments import PaymentType
from domain.billing.taxes import taxes_on
from domain.money import to_cents
from domain.orders.orders import NewOrder, OrderAddress, OrderLine
from domain.orders.shipping import ShippingMethod, freight

DEMO_ORDERS = 2_600
DEMO_INVOICES = 2_450
DAYS = 730
SEED = 20_260_202
WINTER = (11, 12, 1, 2)
PEAK = 2.5
"""How much more is ordered on a day of winter."""

_LINES = (1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 14)
_PIECES = (1, 1, 1, 1, 1, 2)
_MADE_FOR = re.compile(r" for (.+) ([0-9]{4})-[0-9]{4}")
_REASONS = ("Ordered twice", "Wrong vehicle", "The customer changed their mind")


@dataclass(frozen=True)
class Buyer:
    """A business that orders. `people` are ids and names."""

    code: str
    channel: str
    shipping: OrderAddress
    billing: OrderAddress
    people: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Article:
    """`price` is the list price."""

    variant_id: str
    product_id: str
    sku: str
    name: str
    image: str
    price: Decimal


@dataclass(frozen=True)
class Past:
    """When things happened to an order; None for what has not. `parcels` are pieces by line and shipment."""

    handed_over_at: datetime | None = None
    accepted_at: datetime | None = None
    shipped: tuple[tuple[datetime, bool], ...] = ()
    """Of each shipment: its time, and whether it has what followed later."""
    invoiced_at: datetime | None = None
    cancelled_at: datetime | None = None
    reason: str | None = None


@dataclass(frozen=True)
class DemoOrder:
    """`place` counts from 1, the oldest first."""

    place: int
    new: NewOrder
    past: Past

    @property
    def id(self) -> str:
        return sha256(self.new.token.encode()).hexdigest()[:32]

    @property
    def erp_number(self) -> str | None:
        return str(4_400_000 + self.place) if self.past.handed_over_at else None


def demo_token(place: int) -> str:
    """Of no cart."""
    return f"demo-order-{place:06d}"


def demo_orders(
    buyers: Sequence[Buyer],
    articles: Sequence[Article],
    methods: Sequence[ShippingMethod],
    now: datetime,
    count: int = DEMO_ORDERS,
) -> Iterator[DemoOrder]:
    """The oldest first. The first buyers order most."""
    chance = Random(SEED)
    weights = [1 / (place + 2) for place in range(len(buyers))]
    times = sorted(_time(chance, now) for _ in range(count))
    orders: list[DemoOrder] = []
    for place, at in enumerate(times, start=1):
        (buyer,) = chance.choices(buyers, weights)
        new = _new(chance, place, buyer, articles, methods, at)
        orders.append(DemoOrder(place=place, new=new, past=_past(chance, new, at, now)))
    cancelled = _cancelled(chance, orders, count * DEMO_INVOICES // DEMO_ORDERS)
    for order in orders:
        yield replace(order, past=cancelled.get(order.place, order.past))


def _time(chance: Random, now: datetime) -> datetime:
    """By day, and more often in winter."""
    while True:
        at = now - timedelta(days=chance.random() * DAYS)
        if at.month in WINTER or chance.random() < 1 / PEAK:
            return at.replace(hour=13 + chance.randrange(9), microsecond=0) - timedelta(days=1)


def _new(
    chance: Random,
    place: int,
    buyer: Buyer,
    articles: Sequence[Article],
    methods: Sequence[ShippingMethod],
    at: datetime,
) -> NewOrder:
    chosen = chance.sample(articles, min(chance.choice(_LINES), len(articles)))
    lines = tuple(_line(chance, buyer, article) for article in chosen)
    (method,) = chance.choices(methods, [8 - 3 * n for n in range(len(methods))])
    subtotal = sum((line.total for line in lines), Decimal(0))
    sending = freight(method, subtotal)
    taxes = taxes_on(subtotal + sending, buyer.shipping.country, buyer.shipping.country_area)
    tax = sum((one.amount for one in taxes), Decimal(0))
    person, name = chance.choice(buyer.people)
    payment, shown = _payment(chance, buyer)
    return NewOrder(
        token=demo_token(place),
        partner_code=buyer.code,
        placed_by=person,
        placed_by_name=name,
        po_number=f"PO-{10_000 + place}" if chance.random() < 0.8 else None,
        lines=lines,
        subtotal=subtotal,
        freight=sending,
        tax=tax,
        taxes=taxes,
        total=subtotal + sending + tax,
        shipping_method=method.name,
        shipping_address=buyer.shipping,
        billing_address=buyer.billing,
        payment_type=payment,
        payment_shown=shown,
        channel=buyer.channel,
        created_at=at,
    )


def _line(chance: Random, buyer: Buyer, article: Article) -> OrderLine:
    quantity = chance.choice(_PIECES)
    later = quantity if chance.random() < 0.04 else 0
    price = to_cents(article.price * (100 - TIERS.get(buyer.channel, 0)) / 100)
    return OrderLine(
        variant_id=article.variant_id,
        product_id=article.product_id,
        sku=article.sku,
        name=article.name,
        image=article.image,
        quantity=quantity,
        now=quantity - later,
        later=later,
        unit_price=price,
        total=price * quantity,
        vehicle=_vehicle(article.name),
    )


def _vehicle(product: str) -> str | None:
    """Of a product that is made for one vehicle, that vehicle in its first year."""
    made_for = _MADE_FOR.search(product)
    return f"{made_for[2]} {made_for[1]}" if made_for else None


def _payment(chance: Random, buyer: Buyer) -> tuple[PaymentType, str]:
    """A quarter of the businesses pay on delivery, the others on terms; anybody now and then by card."""
    if chance.random() < 0.15:
        return PaymentType.CARD, "Visa •••• 4242"
    pays_on_delivery = int(sha256(buyer.code.encode()).hexdigest()[:2], 16) < 64
    kind = PaymentType.COD if pays_on_delivery else PaymentType.TERMS
    return kind, kind.value


def _past(chance: Random, new: NewOrder, at: datetime, now: datetime) -> Past:
    """Handed over at once, accepted within the hour, sent in two days, what is missing within three weeks."""
    accepted = at + timedelta(minutes=chance.randrange(5, 60))
    shipments = [(at + timedelta(hours=chance.randrange(20, 70)), False)]
    if any(line.later for line in new.lines):
        shipments.append((at + timedelta(days=chance.randrange(9, 22)), True))
        if not any(line.now for line in new.lines):
            shipments = shipments[1:]
    invoiced = shipments[-1][0] + timedelta(hours=6)
    return Past(
        handed_over_at=at + timedelta(seconds=20),
        accepted_at=accepted if accepted < now else None,
        shipped=tuple(one for one in shipments if one[0] < now),
        invoiced_at=invoiced if invoiced < now else None,
    )


def _cancelled(chance: Random, orders: Sequence[DemoOrder], invoiced: int) -> dict[int, Past]:
    """By their places, as many as leave so many with an invoice. They were never handed over."""
    could_be = [order for order in orders if order.past.invoiced_at]
    return {
        order.place: Past(
            cancelled_at=order.new.created_at + timedelta(minutes=4),
            reason=chance.choice(_REASONS),
        )
        for order in chance.sample(could_be, max(len(could_be) - invoiced, 0))
    }
