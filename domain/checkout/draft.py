"""What the calls before completion write of a checkout: PO number, billing address, payment (shop spec 4, 5 and 7).

The draft stays with its cart, so that a reload, another browser or a declined card loses none of it.
"""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from domain.address import AddressLines
from domain.base import Frozen
from domain.billing.payments import PaymentType
from domain.errors import Conflict
from domain.money import Money
from domain.partners.partners import Address
from domain.validation import max_length, po_number

LONGEST_PO = 40
"""Our choice."""


class Gateway(StrEnum):
    """Who moves the money (shop spec 4, "Cart and checkout", 7)."""

    CARD = "CARD"
    ACH_COD = "ACH_COD"


class PostalAddress(AddressLines):
    """Where goods or a bill go, as it is frozen with an order. `id` is that of an address of the business, None for one
    that was typed."""

    id: str | None = None


class PaymentChoice(Frozen):
    """`method_id` is our id of a saved card or bank account, None for COD and TERMS."""

    type: PaymentType
    method_id: str | None = None

    @property
    def gateway(self) -> Gateway:
        return Gateway.CARD if self.type is PaymentType.CARD else Gateway.ACH_COD


class DraftPayment(Frozen):
    """`choice` is None while only the gateway is known. `amount` is what the buyer agreed to pay, None for the total."""

    gateway: Gateway
    choice: PaymentChoice | None = None
    amount: Money | None = None


class Draft(Frozen):
    """What was filled in so far. The billing address is one of the business (`billing_address_id`) or a typed one; `coupon_code`
    is what was entered, whether it holds or not."""

    po_number: str | None = None
    billing_address_id: str | None = None
    billing_address: PostalAddress | None = None
    payment: DraftPayment | None = None
    coupon_code: str | None = None


class NoSuchBillingAddress(Conflict):
    """Absent, of another business, or no billing address."""

    code = "billing_address_missing"
    detail = "This billing address is not available."


class GatewayMismatch(Conflict):
    """Cards are charged by the card gateway, everything else by the ACH/COD gateway."""

    code = "gateway_mismatch"
    detail = "This payment type is not handled by this gateway."


class MethodNeeded(Conflict):
    """Cards and bank accounts are named; COD and TERMS have nothing to name."""

    code = "payment_method_missing"
    detail = "This payment method is not available."


def as_postal(address: Address) -> PostalAddress:
    """An address of the business as it is frozen."""
    return PostalAddress.model_validate(address.model_dump(exclude={"kind", "is_default"}))


def payment_of(
    gateway: Gateway, type_: PaymentType | None, method_id: str | None, amount: Decimal | None
) -> DraftPayment:
    """Raises GatewayMismatch for a type that the gateway does not handle, MethodNeeded where the method is missing or is
    one too many."""
    if type_ is None:
        if method_id is not None:
            raise MethodNeeded
        return DraftPayment(gateway=gateway, amount=amount)
    choice = PaymentChoice(type=type_, method_id=method_id)
    if choice.gateway is not gateway:
        raise GatewayMismatch
    check_named(choice)
    return DraftPayment(gateway=gateway, choice=choice, amount=amount)


def check_agrees(draft: DraftPayment | None, choice: PaymentChoice) -> None:
    """What completion selects must be handled by the gateway that was set. Raises GatewayMismatch or MethodNeeded."""
    if draft is not None and draft.gateway is not choice.gateway:
        raise GatewayMismatch
    check_named(choice)


def check_named(choice: PaymentChoice) -> None:
    """Raises MethodNeeded."""
    needs_method = choice.type in (PaymentType.CARD, PaymentType.BANK_ACCOUNT)
    if needs_method is (choice.method_id is None):
        raise MethodNeeded


def _po_number(text: str) -> str | None:
    """The signs of both documents (rulings)."""
    fault = po_number(text) or max_length(text, LONGEST_PO)
    if fault:
        raise ValueError(fault)
    return text or None


PoNumber = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=400), AfterValidator(_po_number)
]
"""An empty text clears it."""
