"""What the mails that come with a paper say: the same as the paper, in words."""

from decimal import Decimal

from domain.orders.orders import Order, OrderLine
from domain.paper import orders
from domain.paper.words import money, written

MOST_LINES = 20


def order_mail(order: Order, buyer: str, portal_url: str, said: str | None = None) -> str:
    """The confirmation. `buyer` is the name of the business, `said` what comes before all else."""
    known = [
        ("Business", f"{buyer} ({order.partner_code})"),
        ("PO number", order.po_number),
        ("Placed by", order.placed_by_name),
        ("Payment", order.payment_shown),
    ]
    facts = "\n".join(f"{name}: {value}" for name, value in known if value)
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


def _line(line: OrderLine) -> str:
    later = f" ({line.later} follow)" if line.later else ""
    return f"{line.quantity} x {line.sku} {line.name}{later}: ${money(line.total)}"


def _sum(name: str, amount: Decimal) -> str:
    return f"{name}: {'-' if amount < 0 else ''}${money(abs(amount))}"
