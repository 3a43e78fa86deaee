"""Taxes on plans, by the address of who pays (rulings "Money"). The rates are demo data, and are shown as such.

A plan is a service for whoever uses it, so the states of the U.S. tax it too, unlike goods for resale (`domain/billing/taxes.py`).
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from domain.billing.taxes import Rate, Tax, taxes_on
from domain.checkout.draft import PostalAddress
from domain.errors import Conflict
from domain.money import to_cents

SALES_TAX = "Sales tax"
GST_HST = frozenset({"GST", "HST"})
"""The taxes that receipts are filtered by (shop spec 3, "filter options")."""

_STATES: Mapping[str, str] = {
    "AL": "4", "AR": "6.5", "AZ": "5.6", "CA": "7.25", "CO": "2.9", "CT": "6.35", "DC": "6", "FL": "6", "GA": "4",
    "HI": "4", "IA": "6", "ID": "6", "IL": "6.25", "IN": "7", "KS": "6.5", "KY": "6", "LA": "5", "MA": "6.25",
    "MD": "6", "ME": "5.5", "MI": "6", "MN": "6.875", "MO": "4.225", "MS": "7", "NC": "4.75", "ND": "5", "NE": "5.5",
    "NJ": "6.625", "NM": "4.875", "NV": "6.85", "NY": "4", "OH": "5.75", "OK": "4.5", "PA": "6", "PR": "10.5",
    "RI": "7", "SC": "6", "SD": "4.2", "TN": "7", "TX": "6.25", "UT": "4.85", "VA": "4.3", "VT": "6", "WA": "6.5",
    "WI": "5", "WV": "6", "WY": "4",
}  # fmt: skip
"""Per cent. States that are not here have no such tax."""

_POSTAL_CODES: Mapping[str, re.Pattern[str]] = {
    "US": re.compile(r"[0-9]{5}(-[0-9]{4})?"),
    "CA": re.compile(r"[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]"),
}


class ShipToRefused(Conflict):
    """Begins as the spec has it (shop spec 8): the calls of the spec take it for a decline by its text."""

    code = "ship_to_refused"
    detail = "The Ship To zip code is not valid for this country."


def check_ship_to(address: PostalAddress) -> None:
    """Raises ShipToRefused where no tax can be found by the address."""
    form = _POSTAL_CODES.get(address.country)
    if form is not None and not form.fullmatch(address.postal_code.strip().upper()):
        raise ShipToRefused


def plan_taxes(amount: Decimal, address: PostalAddress) -> tuple[Tax, ...]:
    """The taxes on one line, each rounded to cents by itself."""
    if address.country != "US":
        return taxes_on(amount, address.country, address.country_area)
    percent = _STATES.get(address.country_area.upper())
    if percent is None:
        return ()
    rate = Rate(name=SALES_TAX, percent=Decimal(percent))
    tax = to_cents(amount * rate.percent / 100)
    return (Tax(name=rate.name, percent=rate.percent, amount=tax),)


def summed_taxes(taxes: Sequence[Tax]) -> tuple[Tax, ...]:
    """One tax for each name and rate, with the sum of its amounts."""
    found: dict[tuple[str, Decimal], Decimal] = {}
    for tax in taxes:
        key = (tax.name, tax.percent)
        found[key] = found.get(key, Decimal(0)) + tax.amount
    return tuple(Tax(name=name, percent=rate, amount=sum_) for (name, rate), sum_ in found.items())
