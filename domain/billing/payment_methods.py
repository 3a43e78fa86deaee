"""Saved cards and bank accounts (shop spec 3, 4.6 and 4.8; rulings "Money and devices", "People and rights").

They belong to a business. Nothing of a number is known here but its last four digits.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from domain.base import ID_PATTERN, Frozen
from domain.billing.payments import PaymentType
from domain.card_numbers import NO_CARD_NUMBER, may_be_card_number
from domain.errors import Conflict, Forbidden, Gone, Invalid, NotFound
from domain.identity.people import Actor, may_manage_methods, purchasing_rights
from domain.validation import name, no_card_number

EXPIRY_YEARS = 26
"""A card's year of expiry is one of so many, from this one on (shop spec 3)."""

LONGEST_HOLDER = 100


def _no_number(id_: str) -> str:
    if may_be_card_number(id_):
        raise ValueError(NO_CARD_NUMBER)
    return id_


MethodId = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=ID_PATTERN),
    AfterValidator(_no_number),
]
"""A saved card or bank account. It is kept, and told to runs, before it is looked up: the number of a card is refused here."""

MethodType = Literal["CARD", "BANK_ACCOUNT"]
MethodStatus = Literal["ready", "pending", "failed", "returned"]
"""Of a bank account: `pending` until its deposits were named, `failed` when they were not, `returned` when the bank sent
the money back later. A card is `ready`."""


class BillingAddress(Frozen):
    """Of a card or bank account, by the names of shop spec 3; other addresses have `street` and `country_area`."""

    street_address_1: str = ""
    street_address_2: str = ""
    city: str = ""
    state: str = ""
    postal_code: str = ""
    country_code: str = ""


class PaymentMethod(Frozen):
    """`brand` is a card's brand or a bank account's kind (`Checking`, `Savings`); `provider_id` is the provider's token."""

    id: str
    type: MethodType
    partner_code: str
    is_main: bool
    is_hidden: bool
    brand: str
    last4: str
    exp_month: int | None = None
    exp_year: int | None = None
    name: str
    country: str
    billing: BillingAddress = BillingAddress()
    status: MethodStatus
    provider_id: str
    customer_id: str | None = None

    @property
    def shown(self) -> str:
        """As in `Visa •••• 4242`."""
        return f"{self.brand} •••• {self.last4}"


def is_valid(method: PaymentMethod, today: date) -> bool:
    """Whether it can be paid with on this day: verified, and not past the month that stands on it."""
    if method.status != "ready":
        return False
    if method.exp_year is None or method.exp_month is None:
        return True
    return (method.exp_year, method.exp_month) >= (today.year, today.month)


def is_taken(method: PaymentMethod, *, cards: bool) -> bool:
    """Whether its kind pays at all: no card does where the settings' switch for `cards` is off."""
    return cards or method.type != "CARD"


class NewMethod(Frozen):
    """A method as it is saved first. `id` is the caller's, so that a repeat saves nothing; `fingerprint` is the provider's
    name for the number behind it."""

    id: str
    type: MethodType
    partner_code: str
    brand: str
    last4: str
    exp_month: int | None = None
    exp_year: int | None = None
    name: str
    country: str
    billing: BillingAddress = BillingAddress()
    status: MethodStatus
    provider_id: str
    customer_id: str | None = None
    fingerprint: str
    created_by: str | None = None


class MethodChanges(Frozen):
    """What is given is changed."""

    name: str | None = None
    exp_month: int | None = None
    exp_year: int | None = None
    is_hidden: bool | None = None
    billing: BillingAddress | None = None


def holder_fault(text: str) -> str | None:
    """What is wrong with the name on a card, or of an account of one person (shop spec 5, "Name")."""
    return no_card_number(text) or name(text)


def _holder(text: str) -> str:
    if fault := holder_fault(text):
        raise ValueError(fault)
    return text


HolderName = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(min_length=1, max_length=LONGEST_HOLDER),
    AfterValidator(_holder),
]


class Allowed(Frozen):
    """Which ways to pay are open to somebody."""

    cards: bool
    bank: bool
    cod: bool
    terms: bool

    def allows(self, kind: PaymentType) -> bool:
        return {
            PaymentType.CARD: self.cards,
            PaymentType.BANK_ACCOUNT: self.bank,
            PaymentType.COD: self.cod,
            PaymentType.TERMS: self.terms,
        }[kind]


class MethodMissing(NotFound):
    """Absent, deleted, hidden, of another business, or a card where card payments are off."""

    code = "payment_method_missing"
    detail = "This payment method is not available."


class NotYours(Forbidden):
    code = "payment_methods_forbidden"
    detail = "You do not have permission to manage payment methods."


class MainHidden(Conflict):
    """Who orders is offered the default first: it is one of those that are shown."""

    code = "default_payment_method_hidden"
    detail = "The default cannot be hidden. Please choose another default first."


class CardIdMissing(Invalid):
    """Shop spec 8."""

    code = "card_id_missing"
    detail = "Card id is a required field"


class NoCardUpdates(Invalid):
    """Shop spec 8."""

    code = "no_updates"
    detail = "Updates object is required"


class CardExpiryInvalid(Invalid):
    """A year of expiry is one of 26, from this one on (shop spec 3)."""

    code = "card_expiry_invalid"
    detail = "Card expiry invalid"

    def __init__(self) -> None:
        super().__init__(fields=[("expYear", self.detail)])


class CardRefused(Conflict):
    """The provider's clear no; its text is the detail."""

    code = "card_refused"


class RawCardsOff(Gone):
    """Card numbers are not taken here (rulings "Where the specs pull against good practice")."""

    code = "raw_cards_off"
    detail = "Card numbers are not taken here. Please use the card form of the payment provider."


def is_offered(method: PaymentMethod, *, cards: bool) -> bool:
    """Whether it is among those that its business pays with."""
    return not method.is_hidden and is_taken(method, cards=cards)


def check_taken(method: PaymentMethod, *, cards: bool) -> None:
    """Raises MethodMissing for a hidden one, and for one whose kind does not pay: to whoever pays it is none."""
    if not is_offered(method, cards=cards):
        raise MethodMissing


def check_hides(method: PaymentMethod, changes: MethodChanges, *, main: bool) -> None:
    """`main`: it becomes the default with these changes. Raises MainHidden."""
    if changes.is_hidden and (method.is_main or main):
        raise MainHidden


def check_may_manage(actor: Actor) -> str:
    """The code of the business whose methods the actor manages. Raises NotYours."""
    code = actor.business_code
    if code is None or not may_manage_methods(actor):
        raise NotYours
    return code


def allowed_for(actor: Actor, *, cards: bool) -> Allowed:
    """COD and TERMS are for linked businesses; an outside rep pays by nothing else (rulings "People and rights"). `cards`
    is the switch of the settings."""
    code = actor.business_code
    user = actor.user
    if user is None or code is None or not (purchasing_rights(user) or user.is_b2c):
        return Allowed(cards=False, bank=False, cod=False, terms=False)
    saved = may_manage_methods(actor)
    linked = not code.startswith("B2C")
    return Allowed(cards=saved and cards, bank=saved, cod=linked, terms=linked)


def visible_methods(
    actor: Actor, methods: tuple[PaymentMethod, ...], *, cards: bool
) -> tuple[PaymentMethod, ...]:
    """The methods of their business to whom may manage them, and none to anybody else. `cards` is the switch of the settings."""
    if not may_manage_methods(actor):
        return ()
    return tuple(method for method in methods if is_taken(method, cards=cards))
