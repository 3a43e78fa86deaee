"""An invoice as a PDF."""

from datetime import UTC, date, datetime, time
from decimal import Decimal

from api.billing.invoices.statement_pdf import KINDS
from domain.billing.invoices.documents import (
    NOTHING,
    Invoice,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import money


def invoice_pdf(invoice: Invoice, today: date, buyer: Buyer, seller: Seller) -> bytes:
    """With what settles it today and, while it is granted, the last day of its discount."""
    page = Sheet(f"Invoice {invoice.number}", datetime.combine(today, time(), UTC), seller)
    saved = discount_of(invoice, today)
    page.facts(
        [
            ("Business", f"{buyer.name} ({invoice.partner_code})"),
            ("Tax no. of the buyer", invoice.tax_number),
            ("Date", f"{invoice.create_date}"),
            ("Due", f"{invoice.due_date}"),
            ("Order", invoice.order_number),
            ("PO number", invoice.po_number),
            ("Shipment", invoice.shipment_number),
            ("Discount until", f"{last_discount_day(invoice)}" if saved else None),
        ]
    )
    page.rows(
        ("SKU", "Product", "Quantity", "Price", "Total"),
        (40, 70, 18, 26, 26),
        (
            (one.sku, one.name, f"{one.quantity}", money(one.unit_price), money(one.total))
            for one in invoice.lines
        ),
        figures=2,
    )
    page.sums(sums_of(invoice, today), due="To pay")
    return page.written()


def sums_of(invoice: Invoice, today: date) -> list[tuple[str, Decimal]]:
    """From the goods to the total, and from there to what is to be paid; the steps between add up to each. What the ERP has not
    told the parts of is one sum."""
    off = invoice.coupon_amount if invoice.coupon_code else NOTHING
    saved, parts = discount_of(invoice, today), invoice.settled_with
    unexplained = invoice.paid + sum((one.change for one in parts), NOTHING)
    surplus = invoice.paid - invoice.total
    return [
        ("Subtotal", invoice.subtotal + off),
        *([(f"Coupon {invoice.coupon_code}", -off)] if invoice.coupon_code else []),
        ("Shipping", invoice.freight),
        ("Tax", invoice.tax),
        ("Total (USD)", invoice.total),
        *((f"{KINDS.get(one.kind, one.kind)} {one.number}, {one.on}", one.change) for one in parts),
        *([("Settled otherwise" if parts else "Paid", -unexplained)] if unexplained else []),
        *([("Paid too much", surplus)] if surplus > 0 else []),
        *([("Discount for paying now", -saved)] if saved else []),
        ("To pay (USD)", payoff_of(invoice, today)),
    ]
