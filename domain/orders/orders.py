"""Orders: what was bought, and how far it has come (shop spec 3; rulings "Money and devices").

Orders are ours. The ERP adds its number, shipments and an invoice for each of them, in any order and more than once: a status
follows from the facts that are known, so the order in which they came makes no difference.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from domain.address import AddressLines
from domain.base import Frozen, Utc
from domain.billing.payments import PaymentType
from domain.billing.taxes import Tax
from domain.errors import NotFound
from domain.money import Money
from domain.orders.shipping import METHOD_PREFIX

NUMBER_PREFIX = "T-"
FIRST_NUMBER = 100_001


class OrderStatus(StrEnum):
    """From the record on. `cancelled` is before the hand-off, or told by the ERP."""

    PLACED = "placed"
    HANDED_OVER = "handed_over"
    CONFIRMED = "confirmed"
    PART_SHIPPED = "part_shipped"
    SHIPPED = "shipped"
    INVOICED = "invoiced"
    CANCELLED = "cancelled"


OPEN = frozenset(OrderStatus) - {OrderStatus.INVOICED, OrderStatus.CANCELLED}
"""Not yet invoiced: these count against the credit limit."""


class OrderWaitsFor(StrEnum):
    """What an order waits for: us, the ERP's yes, the warehouse, stock that is to come, or the invoice."""

    HAND_OVER = "hand_over"
    ACCEPTANCE = "acceptance"
    SHIPMENT = "shipment"
    STOCK = "stock"
    INVOICE = "invoice"


class OrderEventKind(StrEnum):
    PLACED = "placed"
    HANDED_OVER = "handed_over"
    ACCEPTED = "accepted"
    SHIPPED = "shipped"
    INVOICED = "invoiced"
    WITHDRAWN = "withdrawn"
    CANCELLED = "cancelled"


class OrderAddress(AddressLines):
    """As it was when the order was placed."""


class OrderLine(Frozen):
    """`now` pieces were on hand when it was ordered, `later` follow; both together are `quantity`. `vehicle` is the name of what
    it was bought for."""

    variant_id: str
    product_id: str
    sku: str
    name: str
    image: str = ""
    quantity: int
    now: int
    later: int
    unit_price: Money
    total: Money
    vehicle: str | None = None


class NewOrder(Frozen):
    """An order as it is placed. `token` is the cart's: there is one order for each. `shipping_method` is the ERP's
    name; `payment_shown` stands for the payment on paper ("Visa •••• 4242"). `placed_by` is the id of the person
    who ordered, `coupon_amount` what a coupon took off the goods, `acting_as` the name of the person whom a rep
    stood for."""

    token: str
    workflow_id: str | None = None
    partner_code: str
    placed_by: str
    placed_by_name: str = ""
    acting_as: str | None = None
    po_number: str | None = None
    lines: tuple[OrderLine, ...]
    subtotal: Money
    coupon_code: str | None = None
    coupon_amount: Money = Decimal(0)
    freight: Money
    tax: Money
    taxes: tuple[Tax, ...] = ()
    total: Money
    shipping_method: str
    shipping_address: OrderAddress
    billing_address: OrderAddress
    payment_type: PaymentType
    payment_shown: str
    channel: str
    created_at: Utc

    @property
    def pieces(self) -> int:
        return sum(line.quantity for line in self.lines)


class Parcel(Frozen):
    """Pieces of one SKU in a shipment."""

    sku: str
    quantity: int


class Shipment(Frozen):
    """`invoice_number` once the ERP has told of its invoice."""

    number: str
    carrier: str
    tracking_number: str
    shipped_at: Utc
    parcels: tuple[Parcel, ...]
    invoice_number: str | None = None


class Withdrawal(Frozen):
    """A shipment that will not be sent. `amount` is what was paid for it."""

    number: str
    reason: str
    withdrawn_at: Utc
    parcels: tuple[Parcel, ...]
    amount: Money


class OrderEvent(Frozen):
    """What happened to an order. `note` is a number or a reason."""

    kind: OrderEventKind
    at: Utc
    note: str | None = None


class OrderFacts(Frozen):
    """Everything that the status follows from. `sent` are pieces by SKU, over all shipments, `withdrawn` those that will not
    be. `shipments` are the numbers of those that left, `invoiced` of those with an invoice of their own; with an invoice and none
    of these the whole order is invoiced."""

    erp_number: str | None = None
    is_accepted: bool = False
    is_cancelled: bool = False
    invoice_number: str | None = None
    ordered: Mapping[str, int]
    sent: Mapping[str, int]
    withdrawn: Mapping[str, int] = {}
    shipments: frozenset[str] = frozenset()
    invoiced: frozenset[str] = frozenset()

    @property
    def is_all_sent(self) -> bool:
        return all(self.sent.get(sku, 0) >= n for sku, n in self.to_send.items())

    @property
    def is_invoiced(self) -> bool:
        if self.invoice_number is None:
            return False
        return not self.invoiced or (self.is_all_sent and self.shipments <= self.invoiced)

    @property
    def to_send(self) -> dict[str, int]:
        """Pieces by SKU without those that stay unsent."""
        return {sku: n - self.withdrawn.get(sku, 0) for sku, n in self.ordered.items()}


class Order(NewOrder):
    """A placed order with what has become of it; `history` in the order of its times. `invoice_number` is the first of its
    invoices, by number."""

    id: str
    number: str
    status: OrderStatus
    erp_number: str | None
    invoice_number: str | None
    shipments: tuple[Shipment, ...]
    withdrawals: tuple[Withdrawal, ...] = ()
    history: tuple[OrderEvent, ...]
    updated_at: Utc

    @property
    def invoice_numbers(self) -> tuple[str, ...]:
        numbers = {one.invoice_number for one in self.shipments} | {self.invoice_number}
        return tuple(sorted(number for number in numbers if number))

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The spec's list of key and value: what others call this order by. Only what is known."""
        known = (
            ("po_number", self.po_number),
            ("channel", self.channel),
            ("sap_order_number", self.erp_number),
            ("invoice_number", ", ".join(self.invoice_numbers)),
            ("payment_method", self.payment_shown),
        )
        return tuple((key, value) for key, value in known if value)


class OrderSummary(Frozen):
    """An order in a list."""

    id: str
    number: str
    token: str
    status: OrderStatus
    partner_code: str
    placed_by_name: str
    po_number: str | None
    erp_number: str | None
    invoice_number: str | None
    pieces: int
    total: Money
    payment_shown: str
    shipping_method: str
    created_at: Utc


class OrderMissing(NotFound):
    """Absent, or of another business: the two are never told apart."""

    code = "order_missing"
    detail = "Not Found"


def number_of(count: int) -> str:
    """Our number of the order that is the `count`-th of all."""
    return f"{NUMBER_PREFIX}{count}"


def shown_method(name: str) -> str:
    """Without the prefix (shop spec 3)."""
    return name.removeprefix(METHOD_PREFIX).strip()


def pieces_by_sku(lines: Sequence[OrderLine | Parcel]) -> dict[str, int]:
    """Two lines of one SKU are summed."""
    found: dict[str, int] = {}
    for line in lines:
        found[line.sku] = found.get(line.sku, 0) + line.quantity
    return found


def sent_by_line(order: Order) -> tuple[int, ...]:
    """Pieces of each line that have left; lines of one SKU are filled in their order."""
    parcels = [parcel for shipment in order.shipments for parcel in shipment.parcels]
    return _spread(parcels, [(line.sku, line.quantity) for line in order.lines])


def following_by_line(order: Order) -> tuple[int, ...]:
    """Pieces of each line that will leave: neither sent nor withdrawn, none of an order that is cancelled."""
    if order.status is OrderStatus.CANCELLED:
        return (0,) * len(order.lines)
    sent = sent_by_line(order)
    open_ = [(line.sku, line.quantity - gone) for line, gone in zip(order.lines, sent, strict=True)]
    parcels = [parcel for one in order.withdrawals for parcel in one.parcels]
    taken = _spread(parcels, open_)
    return tuple(open_pieces - away for (_, open_pieces), away in zip(open_, taken, strict=True))


def awaited_by_line(order: Order) -> tuple[int, ...]:
    """Pieces of each line that were on backorder and that will still leave."""
    following = following_by_line(order)
    return tuple(min(line.later, left) for line, left in zip(order.lines, following, strict=True))


def _spread(parcels: Sequence[Parcel], lines: Sequence[tuple[str, int]]) -> tuple[int, ...]:
    """How many of the pieces fall to each line of a SKU and so many pieces; lines of one SKU are filled in their order."""
    left = pieces_by_sku(parcels)
    found: list[int] = []
    for sku, pieces in lines:
        here = min(pieces, left.get(sku, 0))
        left[sku] = left.get(sku, 0) - here
        found.append(here)
    return tuple(found)


_WAITS: Mapping[OrderStatus, OrderWaitsFor] = {
    OrderStatus.PLACED: OrderWaitsFor.HAND_OVER,
    OrderStatus.HANDED_OVER: OrderWaitsFor.ACCEPTANCE,
    OrderStatus.CONFIRMED: OrderWaitsFor.SHIPMENT,
    OrderStatus.PART_SHIPPED: OrderWaitsFor.STOCK,
    OrderStatus.SHIPPED: OrderWaitsFor.INVOICE,
}


def waits_for(status: OrderStatus) -> OrderWaitsFor | None:
    """None once nothing more will come."""
    return _WAITS.get(status)


def status_from(facts: OrderFacts) -> OrderStatus:
    """The furthest that the facts speak for; a cancelled order stays cancelled."""
    if facts.is_cancelled or all(n <= 0 for n in facts.to_send.values()):
        return OrderStatus.CANCELLED
    if facts.is_invoiced:
        return OrderStatus.INVOICED
    if any(facts.sent.values()):
        return OrderStatus.SHIPPED if facts.is_all_sent else OrderStatus.PART_SHIPPED
    if facts.is_accepted:
        return OrderStatus.CONFIRMED
    return OrderStatus.HANDED_OVER if facts.erp_number else OrderStatus.PLACED
