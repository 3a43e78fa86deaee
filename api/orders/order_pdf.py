"""An order as a PDF."""

from api.platform.answers.paper import Paper, money
from domain.orders.orders import Order, OrderAddress


def order_pdf(order: Order) -> bytes:
    """As it stands: what was ordered, what has left, what it comes to. The same order is the same text."""
    page = Paper(f"Order {order.number}", order.updated_at)
    page.facts(
        [
            ("Business", order.partner_code),
            ("Placed (UTC)", f"{order.created_at:%Y-%m-%d %H:%M}"),
            ("Placed by", order.placed_by_name),
            ("PO number", order.po_number),
            ("Order desk number", order.erp_number),
            ("Invoice", ", ".join(order.invoice_numbers) or None),
            ("Payment", order.payment_shown),
            ("Shipping address", _written(order.shipping_address)),
            ("Billing address", _written(order.billing_address)),
        ]
    )
    sent: dict[str, int] = {}
    for shipment in order.shipments:
        for parcel in shipment.parcels:
            sent[parcel.sku] = sent.get(parcel.sku, 0) + parcel.quantity
    page.rows(
        ("SKU", "Product", "Ordered", "Shipped", "Price", "Total"),
        (38, 62, 18, 18, 22, 22),
        (
            (
                line.sku,
                line.name,
                f"{line.quantity}",
                f"{min(sent.get(line.sku, 0), line.quantity)}",
                money(line.unit_price),
                money(line.total),
            )
            for line in order.lines
        ),
        figures=2,
    )
    page.sums(
        [
            ("Subtotal", order.subtotal),
            (f"Shipping: {order.shipping_method}", order.freight),
            *((f"{tax.name} {tax.percent.normalize():f} %", tax.amount) for tax in order.taxes),
            ("Total (USD)", order.total),
        ]
    )
    page.ln(4)
    page.facts(
        (f"Shipped {one.shipped_at:%Y-%m-%d}", f"{one.carrier}, {one.tracking_number}")
        for one in order.shipments
    )
    return page.written()


def _written(address: OrderAddress) -> str:
    return (
        f"{address.name}, {address.street}, {address.city} {address.country_area}"
        f" {address.postal_code}, {address.country}"
    )
