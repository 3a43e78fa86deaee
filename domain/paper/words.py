"""How papers and mails put what we keep as codes."""

from decimal import Decimal

from domain.address import AddressLines
from domain.billing.payments import PaymentType
from domain.billing.taxes import Tax
from domain.letters.text import Text
from domain.orders.orders import Order

_COUNTRIES = {"CA": "Canada", "US": "United States"}
_PAID_LATER = {
    PaymentType.TERMS: Text("Payment terms", "Conditions de paiement"),
    PaymentType.COD: Text("COD (cash on delivery)", "Paiement à la livraison (COD)"),
}
"""What has no number to name it by, as the checkout calls it."""


def country_name(code: str) -> str:
    return _COUNTRIES.get(code.upper(), code)


def paid_with(order: Order) -> Text:
    """A card and an account are the same in every language."""
    shown = order.payment_shown
    return _PAID_LATER.get(order.payment_type) or Text(shown, shown)


def written(address: AddressLines) -> tuple[str, ...]:
    """Line by line, as on an envelope; what is not known has no line."""
    town = " ".join(one for one in (address.city, address.country_area, address.postal_code) if one)
    return tuple(
        one for one in (address.name, address.street, town, country_name(address.country)) if one
    )


def tax_name(tax: Tax) -> str:
    return f"{tax.name} {tax.percent.normalize():f} %"


def money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
