"""What the mails that come with a paper say: the same as the paper, in words."""

from decimal import Decimal

from domain.billing.invoice_payment import InvoicePaymentView
from domain.orders.orders import Order, OrderLine
from domain.paper import orders
from domain.paper.buyer import Buyer
from domain.paper.words import money, written
from domain.plans.receipts import Receipt

MOST_LINES = 20


def order_mail(order: Order, buyer: str, portal_url: str, said: str | None = None) -> str:
    """The confirmation. `buyer` is the name of the business, `said` what comes before all else."""
    facts = _facts(
        ("Business", _account(buyer, order.partner_code)),
        ("PO number", order.po_number),
        ("Placed by", order.placed_by_name),
        ("Payment", order.payment_shown),
    )
    lines = "\n".join(_line(one) for one in order.lines[:MOST_LINES])
    left_out = len(order.lines) - MOST_LINES
    more = f"\nand {left_out} more" if left_out > 0 else ""
    sums = "\n".join(_sum(name, amount) for name, amount in orders.sums_of(order))
    return "\n\n".join(
        [
            *([said] if said else []),
            f"Thank you for your order {order.number}.",
            facts,
            f"{lines}{more}",
            sums,
            "Ship to:\n" + "\n".join(written(order.shipping_address)),
            "Bill to:\n" + "\n".join(written(order.billing_address)),
            f"See where it is: {portal_url}/order/{order.id}",
        ]
    )


def bought_for(receipt: Receipt, buyer: Buyer) -> str:
    """For whom plans were bought, by whom, how they were paid and where they are taxed."""
    business = receipt.partner_code and _account(buyer.name, receipt.partner_code)
    facts = _facts(
        ("Business", business),
        ("Bought by", receipt.bought_by),
        ("Paid with", receipt.payment_shown),
    )
    return f"{facts}\n\nTaxed at:\n" + "\n".join(written(receipt.address))


def paid_for(payment: InvoicePaymentView, buyer: Buyer, *, is_paid: bool) -> str:
    """For whom invoices were to be paid, and by whom and how where they were."""
    shown = payment.payment.shown if payment.payment else None
    return _facts(
        ("Business", _account(buyer.name, payment.partner_code)),
        ("Paid by", payment.paid_by if is_paid else None),
        ("Paid with", shown if is_paid else None),
    )


def _account(name: str, partner_code: str) -> str:
    return f"{name} ({partner_code})"


def _facts(*known: tuple[str, str | None]) -> str:
    """A line for each; what is not known has none."""
    return "\n".join(f"{name}: {value}" for name, value in known if value)


def _line(line: OrderLine) -> str:
    later = f" ({line.later} follow)" if line.later else ""
    return f"{line.quantity} x {line.sku} {line.name}{later}: ${money(line.total)}"


def _sum(name: str, amount: Decimal) -> str:
    return f"{name}: {'-' if amount < 0 else ''}${money(abs(amount))}"
