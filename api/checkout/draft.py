"""What a checkout is filled in with before its completion (shop spec 4.3 and 7, "Checkout").

Each call changes the draft that stays with the cart, and answers the cart as it is then.
"""

from decimal import Decimal
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import AfterValidator, Field, StringConstraints, model_validator
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.cart_answers import Checkout
from api.checkout.cart_changes import change_cart
from api.checkout.schemas import CartToken
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.platform.schemas import Id, SpecBody
from db.checkout.draft import (
    choose_billing_address,
    write_billing_address,
    write_payment,
    write_po_number,
)
from db.checkout.shipping import addresses_of
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.card_numbers import masked
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import StoredCart
from domain.checkout.draft import Gateway, NoSuchBillingAddress, PoNumber, PostalAddress, payment_of
from domain.contact import CompanyName
from domain.partners.partners import AddressKind, of_kind

router = APIRouter(tags=["checkout"])

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Amount = Annotated[Decimal, Field(gt=0, max_digits=12, decimal_places=2)]
"""US dollars."""


class BillTo(SpecBody):
    company_name: Annotated[CompanyName, Field(min_length=1, max_length=100)]
    street_address1: Said
    city: Said
    country_area: Said
    postal_code: Annotated[
        str,
        StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9_ -]{3,12}$"),
        AfterValidator(masked),
    ]
    country: Literal["CA", "US", "MX", "AU"]


class BillingChoice(SpecBody):
    """One of the billing addresses of the business, or a typed one."""

    billing_address_id: Id | None = None
    billing_address: BillTo | None = None

    @model_validator(mode="after")
    def _one(self) -> "BillingChoice":
        if (self.billing_address_id is None) is (self.billing_address is None):
            raise ValueError("either billingAddressId or billingAddress")
        return self


class PoNumberChoice(SpecBody):
    """Letters, digits, spaces and `~!@#$%^&.*()_-`; an empty text clears it."""

    po_number: PoNumber


class CartPaymentChoice(SpecBody):
    """`CARD` for cards, `ACH_COD` for bank accounts, COD and TERMS. Without `type` the method is selected at completion.
    `amount` is what the buyer agrees to pay; the total where it is left out."""

    gateway: Gateway
    amount: Amount | None = None
    type: PaymentType | None = None
    method_id: MethodId | None = None


@router.post(
    "/api/products-checkout/{token:cart_token}/update-b2b-billing-address", response_model=Checkout
)
async def update_b2b_billing_address(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: BillingChoice,
    key: IdempotencyKey = None,
) -> Response:
    """One of the billing addresses of the business, or a typed one; a conflict for any other."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        typed, id_ = choice.billing_address, choice.billing_address_id
        if typed is not None:
            await write_billing_address(session, held.token, _postal(typed))
        if id_ is not None:
            known = await addresses_of(session, held.partner_code)
            if id_ not in {address.id for address in of_kind(known, AddressKind.BILLING)}:
                raise NoSuchBillingAddress
            await choose_billing_address(session, held.token, id_)

    return await change_cart(portal, actor, token, key, "update_billing", choice, change)


@router.post("/api/products-checkout/{token:cart_token}/set-b2b-po-number", response_model=Checkout)
async def set_b2b_po_number(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: PoNumberChoice,
    key: IdempotencyKey = None,
) -> Response:
    """The buyer's own number for the order. It can be left out."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        await write_po_number(session, held.token, choice.po_number)

    return await change_cart(portal, actor, token, key, "set_po_number", choice, change)


@router.post(
    "/api/products-checkout/{token:cart_token}/set-b2b-payment",
    response_model=Checkout,
    dependencies=[MovesMoney],
)
async def set_b2b_payment(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: CartPaymentChoice,
    key: IdempotencyKey = None,
) -> Response:
    """How the order will be paid, and how much of it. Whether the method can be used is judged when the order is quoted."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        payment = payment_of(choice.gateway, choice.type, choice.method_id, choice.amount)
        await write_payment(session, held.token, payment)

    return await change_cart(portal, actor, token, key, "set_payment", choice, change)


def _postal(typed: BillTo) -> PostalAddress:
    return PostalAddress(
        name=typed.company_name,
        street=typed.street_address1,
        city=typed.city,
        country_area=typed.country_area,
        postal_code=typed.postal_code,
        country=typed.country,
    )
