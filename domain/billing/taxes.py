"""Sales taxes by the province or state that goods go to (rulings "Money"). The rates are demo data, and are shown as such."""

from collections.abc import Mapping
from decimal import Decimal

from domain.base import Frozen
from domain.letters.text import Text
from domain.money import Money, to_cents


class Rate(Frozen):
    """`percent` of what is taxed."""

    name: str
    percent: Decimal


class Tax(Frozen):
    """One tax on one amount."""

    name: str
    percent: Decimal
    amount: Money


def _rates(**percents: str) -> tuple[Rate, ...]:
    return tuple(Rate(name=name, percent=Decimal(percent)) for name, percent in percents.items())


TAX_NAMES = (
    Text("GST", "TPS"),
    Text("HST", "TVH"),
    Text("PST", "TVP"),
    Text("QST", "TVQ"),
)

RATES: Mapping[str, Mapping[str, tuple[Rate, ...]]] = {
    "CA": {
        "AB": _rates(GST="5"),
        "BC": _rates(GST="5", PST="7"),
        "MB": _rates(GST="5", PST="7"),
        "NB": _rates(HST="15"),
        "NL": _rates(HST="15"),
        "NS": _rates(HST="14"),
        "NT": _rates(GST="5"),
        "NU": _rates(GST="5"),
        "ON": _rates(HST="13"),
        "PE": _rates(HST="15"),
        "QC": _rates(GST="5", QST="9.975"),
        "SK": _rates(GST="5", PST="6"),
        "YT": _rates(GST="5"),
    },
}
"""Country, then province or state. Elsewhere nothing is added: goods for resale are not taxed there."""


def taxes_on(amount: Decimal, country: str, area: str) -> tuple[Tax, ...]:
    """The taxes on goods and freight together, each rounded to cents by itself."""
    rates = RATES.get(country, {}).get(area.upper(), ())
    return tuple(
        Tax(name=rate.name, percent=rate.percent, amount=to_cents(amount * rate.percent / 100))
        for rate in rates
    )
