"""Amounts of money: exact in code and database, plain numbers with two places in JSON (rulings "Money")."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from pydantic import AfterValidator, PlainSerializer

CENT = Decimal("0.01")


def to_cents(amount: Decimal) -> Decimal:
    """Rounded half up to two places: the one place where money is rounded."""
    return amount.quantize(CENT, ROUND_HALF_UP)


Money = Annotated[
    Decimal,
    AfterValidator(to_cents),
    PlainSerializer(float, return_type=float, when_used="json"),
]
"""US dollars."""
