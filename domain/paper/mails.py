"""What the mails that come with a paper say: the same as the paper, in words, in the language of their reader. The paper itself is
English."""

from decimal import Decimal

from domain.address import AddressLines
from domain.billing.invoice_payment import InvoicePaymentView
from domain.billing.taxes import TAX_NAMES
from domain.checkout import placement
from domain.letters.language import Language
from domain.letters.text import Text, reread
from domain.orders.orders import Order, OrderLine
from domain.paper import orders
from domain.paper.buyer import Buyer
from domain.paper.words import paid_with, written
from domain.plans.receipts import Receipt

MOST_LINES = 20

_BUSINESS = Text("Business", "Entreprise")
_FACT = Text("{name}: {value}", "{name} : {value}")
_PO_NUMBER = Text("PO number", "Numéro de bon de commande")
_PLACED_BY = Text("Placed by", "Passée par")
_PAYMENT = Text("Payment", "Paiement")
_BOUGHT_BY = Text("Bought by", "Acheté par")
_PAID_BY = Text("Paid by", "Payé par")
_PAID_WITH = Text("Paid with", "Payé avec")
_MORE = Text("\nand {count} more", "\net {count} de plus")
_THANKS = Text("Thank you for your order {number}.", "Merci de votre commande {number}.")
_SHIP_TO = Text("Ship to:\n{lines}", "Livrer à :\n{lines}")
_BILL_TO = Text("Bill to:\n{lines}", "Facturer à :\n{lines}")
_TAXED_AT = Text("\n\nTaxed at:\n{lines}", "\n\nTaxé à :\n{lines}")
_WHERE = Text("See where it is: {portal}/order/{id}", "Voyez où elle en est : {portal}/order/{id}")
_FOLLOW = Text(" ({count} follow)", " ({count} à venir)")
_LINE = Text(
    "{quantity} x {sku} {name}{later}: ${total:,.2f}",
    "{quantity} x {sku} {name}{later} : {total:,.2f} $",
)
_SUM = Text("{name}: {sign}${amount:,.2f}", "{name} : {sign}{amount:,.2f} $")
_SUMS = (
    Text("Goods", "Marchandises"),
    Text("Coupon {code}", "Coupon {code}"),
    Text("Freight: {method}", "Transport, {method}"),
    Text("{tax} {percent:f} % (demo rate)", "{tax} {percent:f} % (taux de démonstration)"),
    *TAX_NAMES,
)
"""As the paper names them (`orders.sums_of`)."""
_COUNTRIES = (Text("United States", "États-Unis"),)
ORDER = Text("Your order {number}", "Votre commande {number}")
ALREADY_SENT = Text(
    placement.ALREADY_SENT.detail,
    "La commande était déjà partie avant de pouvoir être annulée; elle est donc maintenue.",
)


def order_mail(
    order: Order,
    buyer: str,
    portal_url: str,
    said: str | None = None,
    language: Language | None = None,
) -> str:
    """The confirmation. `buyer` is the name of the business, `said` what comes before all else."""
    facts = _facts(
        language,
        (_BUSINESS, _account(buyer, order.partner_code)),
        (_PO_NUMBER, order.po_number),
        (_PLACED_BY, order.placed_by_name),
        (_PAYMENT, paid_with(order)),
    )
    lines = "\n".join(_line(language, one) for one in order.lines[:MOST_LINES])
    left_out = len(order.lines) - MOST_LINES
    more = _MORE(language, count=left_out) if left_out > 0 else ""
    sums = "\n".join(_sum(language, name, amount) for name, amount in orders.sums_of(order))
    return "\n\n".join(
        [
            *([said] if said else []),
            _THANKS(language, number=order.number),
            facts,
            f"{lines}{more}",
            sums,
            _SHIP_TO(language, lines=_address(language, order.shipping_address)),
            _BILL_TO(language, lines=_address(language, order.billing_address)),
            _WHERE(language, portal=portal_url, id=order.id),
        ]
    )


def bought_for(receipt: Receipt, buyer: Buyer, language: Language | None = None) -> str:
    """For whom plans were bought, by whom, how they were paid and where they are taxed."""
    business = receipt.partner_code and _account(buyer.name, receipt.partner_code)
    facts = _facts(
        language,
        (_BUSINESS, business),
        (_BOUGHT_BY, receipt.bought_by),
        (_PAID_WITH, receipt.payment_shown),
    )
    return facts + _TAXED_AT(language, lines=_address(language, receipt.address))


def paid_for(
    payment: InvoicePaymentView, buyer: Buyer, language: Language | None = None, *, is_paid: bool
) -> str:
    """For whom invoices were to be paid, and by whom and how where they were."""
    shown = payment.payment.shown if payment.payment else None
    return _facts(
        language,
        (_BUSINESS, _account(buyer.name, payment.partner_code)),
        (_PAID_BY, payment.paid_by if is_paid else None),
        (_PAID_WITH, shown if is_paid else None),
    )


def _account(name: str, partner_code: str) -> str:
    return f"{name} ({partner_code})"


def _facts(language: Language | None, *known: tuple[Text, Text | str | None]) -> str:
    """A line for each; what is not known has none."""
    return "\n".join(_FACT(language, name=name, value=value) for name, value in known if value)


def _address(language: Language | None, address: AddressLines) -> str:
    *lines, country = written(address)
    return "\n".join([*lines, reread(language, country, _COUNTRIES)])


def _line(language: Language | None, line: OrderLine) -> str:
    return _LINE(
        language,
        quantity=line.quantity,
        sku=line.sku,
        name=line.name,
        later=_FOLLOW(language, count=line.later) if line.later else "",
        total=line.total,
    )


def _sum(language: Language | None, name: str, amount: Decimal) -> str:
    sign = "-" if amount < 0 else ""
    return _SUM(language, name=reread(language, name, _SUMS), sign=sign, amount=abs(amount))
