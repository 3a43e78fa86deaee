"""An order on paper: the confirmation, and the list that goes with the goods."""

from collections.abc import Iterable
from decimal import Decimal

from domain.billing.payments import Refund
from domain.orders.orders import Order, following_by_line, sent_by_line, shown_method
from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import money, paid_with, tax_name, written


def confirmation(
    order: Order, buyer: Buyer, seller: Seller, given_back: Iterable[Refund] = ()
) -> bytes:
    """As it stands: what was ordered, what has left, what it comes to; the lines and what follows them add up; and what of it was
    given back since. The same order is the same text."""
    page = Sheet(f"Order {order.number}", order.updated_at, seller)
    _parties(page, order, buyer)
    page.facts(
        [
            ("PO number", order.po_number),
            ("Placed (UTC)", f"{order.created_at:%Y-%m-%d %H:%M}"),
            ("Placed by", order.placed_by_name),
            ("Order desk number", order.erp_number),
            ("Invoice", ", ".join(order.invoice_numbers) or None),
            ("Shipping method", shown_method(order.shipping_method)),
            ("Payment", paid_with(order).en),
        ]
    )
    page.rows(
        ("SKU", "Product", "Ordered", "Shipped", "Price", "Total"),
        (38, 62, 18, 18, 22, 22),
        (
            (
                line.sku,
                line.name,
                f"{line.quantity}",
                f"{sent}",
                money(line.unit_price),
                money(line.total),
            )
            for line, sent in zip(order.lines, sent_by_line(order), strict=True)
        ),
        figures=2,
    )
    page.sums(sums_of(order))
    page.sums((f"Paid back {one.at:%Y-%m-%d}", -one.amount) for one in given_back)
    page.ln(4)
    page.facts(
        (
            f"Shipped {one.shipped_at:%Y-%m-%d}",
            ", ".join(filter(None, (one.carrier, one.tracking_number))),
        )
        for one in order.shipments
    )
    return page.written()


def sums_of(order: Order) -> list[tuple[str, Decimal]]:
    """From the goods to the total; the steps between add up to it."""
    return [
        ("Goods", order.subtotal),
        *([(f"Coupon {order.coupon_code}", -order.coupon_amount)] if order.coupon_code else []),
        (f"Freight: {shown_method(order.shipping_method)}", order.freight),
        *((f"{tax_name(tax)} (demo rate)", tax.amount) for tax in order.taxes),
        ("Total (USD)", order.total),
    ]


def packing_list(order: Order, buyer: Buyer, seller: Seller) -> bytes:
    """What to look for in the parcels, without prices: pieces that were ordered, that have left, and that follow."""
    page = Sheet(f"Packing list {order.number}", order.updated_at, seller)
    _parties(page, order, buyer)
    page.facts(
        [
            ("PO number", order.po_number),
            ("Order desk number", order.erp_number),
            ("Shipping method", shown_method(order.shipping_method)),
        ]
    )
    for_vehicles = any(line.vehicle for line in order.lines)
    page.rows(
        (
            "SKU",
            "Product",
            *(["Vehicle"] if for_vehicles else []),
            "Ordered",
            "Shipped",
            "To follow",
        ),
        (40, *((56, 30) if for_vehicles else (86,)), 18, 18, 18),
        (
            (
                line.sku,
                line.name,
                *([line.vehicle or ""] if for_vehicles else []),
                f"{line.quantity}",
                f"{sent}",
                f"{follows}",
            )
            for line, sent, follows in zip(
                order.lines, sent_by_line(order), following_by_line(order), strict=True
            )
        ),
        figures=3 if for_vehicles else 2,
    )
    for one in order.shipments:
        page.facts(
            [
                (
                    f"Shipment {one.number}",
                    ", ".join(filter(None, (one.carrier, one.tracking_number))),
                ),
                ("Shipped", f"{one.shipped_at:%Y-%m-%d}"),
                ("Holds", ", ".join(f"{each.quantity} x {each.sku}" for each in one.parcels)),
            ]
        )
    page.ln(6)
    page.facts([("Received by", "_" * 40), ("Date", "_" * 40)])
    return page.written()


def _parties(page: Sheet, order: Order, buyer: Buyer) -> None:
    billing = written(order.billing_address)
    named = billing if buyer.name == order.billing_address.name else (buyer.name, *billing)
    page.blocks(
        ("Buyer", (*named, f"Account {order.partner_code}", *buyer.numbers)),
        ("Ship to", written(order.shipping_address)),
    )
