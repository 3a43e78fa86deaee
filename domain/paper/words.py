"""How papers and mails put what we keep as codes."""

from decimal import Decimal

from domain.address import AddressLines
from domain.billing.taxes import Tax

_COUNTRIES = {"CA": "Canada", "US": "United States"}


def country_name(code: str) -> str:
    return _COUNTRIES.get(code.upper(), code)


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
