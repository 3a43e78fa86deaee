"""Saved cards as the newer family of calls answers them, in snake case (shop spec 3)."""

from datetime import date
from typing import Literal

from pydantic import BaseModel

from domain.billing.payment_methods import BillingAddress, PaymentMethod, is_valid


class SavedCard(BaseModel):
    """`is_valid`: it can be paid with now."""

    id: str
    type: Literal["CARD", "BANK_ACCOUNT"]
    is_main: bool
    is_hidden: bool
    is_valid: bool
    brand: str
    last4: str
    exp_month: int | None
    exp_year: int | None
    name: str
    country: str
    billing_address: BillingAddress


class CardList(BaseModel):
    """All cards of the business, the main one first."""

    results: list[SavedCard]
    count: int


def card_answer(method: PaymentMethod, today: date) -> SavedCard:
    return SavedCard(
        id=method.id,
        type=method.type,
        is_main=method.is_main,
        is_hidden=method.is_hidden,
        is_valid=is_valid(method, today),
        brand=method.brand,
        last4=method.last4,
        exp_month=method.exp_month,
        exp_year=method.exp_year,
        name=method.name,
        country=method.country,
        billing_address=method.billing,
    )
