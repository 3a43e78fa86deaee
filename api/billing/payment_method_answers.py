"""Saved cards and bank accounts as the shop's calls answer them (shop spec 3)."""

from collections.abc import Mapping
from datetime import date

from pydantic import BaseModel, Field

from api.platform.schemas import Camel
from domain.base import Utc
from domain.billing.bank_verification import BankVerification
from domain.billing.payment_methods import (
    Allowed,
    BillingAddress,
    MethodStatus,
    MethodType,
    PaymentMethod,
    is_valid,
)
from domain.billing.payments import is_at_card_provider


class BillingAddressOut(Camel):
    street_address_1: str = Field(alias="streetAddress1")
    street_address_2: str = Field(alias="streetAddress2")
    city: str
    state: str
    postal_code: str
    country_code: str


class VerificationOut(Camel):
    """How far the deposits to a bank account are; `reason` is why that ended badly, a code of ours or the bank's words.
    `takesCode`: it may be one deposit whose text holds a code."""

    state: str
    takes_code: bool
    tries_left: int
    reason: str | None
    expires_at: Utc


class SavedMethodOut(Camel):
    """`isValid`: it can be paid with now. `verification` is a bank account's."""

    id: str
    type: MethodType
    is_main: bool
    is_hidden: bool
    is_valid: bool
    brand: str
    last4: str
    exp_month: int | None
    exp_year: int | None
    name: str
    country: str
    status: MethodStatus
    shown: str
    billing_address: BillingAddressOut
    verification: VerificationOut | None


class AllowedOut(BaseModel):
    cards: bool
    bank: bool
    cod: bool
    terms: bool


class MethodsOut(Camel):
    """`creditAvailable` in dollars is what may still be ordered on terms; null for whoever may not."""

    results: list[SavedMethodOut]
    allowed: AllowedOut
    credit_available: float | None


def method_out(
    method: PaymentMethod, today: date, verification: BankVerification | None = None
) -> SavedMethodOut:
    return SavedMethodOut(
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
        status=method.status,
        shown=method.shown,
        billing_address=_address_out(method.billing),
        verification=_verification_out(verification, method.provider_id) if verification else None,
    )


def methods_out(
    methods: tuple[PaymentMethod, ...],
    today: date,
    verifications: Mapping[str, BankVerification],
    allowed: Allowed,
    credit_available: float | None,
) -> MethodsOut:
    return MethodsOut(
        results=[method_out(one, today, verifications.get(one.id)) for one in methods],
        allowed=AllowedOut(**allowed.model_dump()),
        credit_available=credit_available,
    )


def _address_out(billing: BillingAddress) -> BillingAddressOut:
    return BillingAddressOut(**billing.model_dump())


def _verification_out(verification: BankVerification, token: str) -> VerificationOut:
    return VerificationOut(
        state=verification.state,
        takes_code=is_at_card_provider(token),
        tries_left=verification.tries_left,
        reason=verification.reason,
        expires_at=verification.expires_at,
    )
