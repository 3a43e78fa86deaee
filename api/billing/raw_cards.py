"""The one place where a card number enters the portal (rulings "Where the specs pull against good practice").

The screens never come here: they show the provider's own form. A number and its code are read into types that do not print,
given to the provider within the request, and dropped; no body is logged, hashed or kept. `RAW_CARDS=false` shuts both calls.
"""

import re
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field, SecretStr

from api.billing.card_answers import SavedCard, card_answer
from api.billing.payment_method_answers import SavedMethodOut, method_out
from api.billing.saving_cards import (
    CardFields,
    CountryCode,
    HolderName,
    Line,
    Month,
    Year,
    card_day,
    check_expiry,
    managing,
    save,
)
from api.partners.named_business import BusinessCode
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.schemas import SpecBody
from domain.billing.payment_methods import BillingAddress, PaymentMethod, RawCardsOff
from domain.errors import Invalid
from domain.identity.people import Actor
from providers.cards.saved import RawCard

router = APIRouter(tags=["payment methods"])


class NewCard(SpecBody):
    """The card create payload (shop spec 3). The year has four digits; the country follows the site where none is given."""

    is_default: bool = False
    number: Annotated[SecretStr, Field(max_length=40)]
    exp_month: Month
    exp_year: Year
    cvv: Annotated[SecretStr, Field(max_length=10)]
    name: HolderName
    street_address_1: Annotated[Line, Field(alias="streetAddress1")] = ""
    street_address_2: Annotated[Line, Field(alias="streetAddress2")] = ""
    city: Line = ""
    state: Line = ""
    postal_code: Line = ""
    country_code: CountryCode = ""
    sap_bp_code: BusinessCode | None = None

    def billing(self, country: str) -> BillingAddress:
        lines = self.model_dump(include=set(BillingAddress.model_fields) - {"country_code"})
        return BillingAddress(**lines, country_code=country)


@router.post("/v1/card", response_model=SavedCard, dependencies=[MovesMoney])
async def create_card(
    body: NewCard, actor: SignedIn, request: Request, portal: PortalDep, key: IdempotencyKey = None
) -> Response:
    """Saves a card by its number. Only its token, brand, last four digits and expiry are kept."""

    async def work() -> tuple[int, SavedCard]:
        taken = await _take(portal, actor, request, body, key)
        return 200, card_answer(taken, await card_day(portal))

    return await answer_once(
        portal.sessions, actor, key, "create_card", None, work, store_body_hash=False
    )


@router.post("/api/create-credit-card", response_model=SavedMethodOut, dependencies=[MovesMoney])
async def create_credit_card(
    body: NewCard, actor: SignedIn, request: Request, portal: PortalDep, key: IdempotencyKey = None
) -> Response:
    """As `POST /v1/card`."""

    async def work() -> tuple[int, SavedMethodOut]:
        taken = await _take(portal, actor, request, body, key)
        return 200, method_out(taken, await card_day(portal))

    return await answer_once(
        portal.sessions, actor, key, "create_credit_card", None, work, store_body_hash=False
    )


async def _take(
    portal: Portal, actor: Actor, request: Request, body: NewCard, key: str | None
) -> PaymentMethod:
    """Raises RawCardsOff before anything is looked at."""
    if not portal.raw_cards:
        raise RawCardsOff
    code = await managing(portal, actor, body.sap_bp_code)
    check_expiry(body.exp_year, await card_day(portal))
    _check_numbers(body)
    card = RawCard(
        number=body.number,
        cvv=body.cvv,
        exp_month=body.exp_month,
        exp_year=body.exp_year,
        name=body.name,
        billing=body.billing(body.country_code or actor.site.country),
    )
    fields = CardFields(is_default=body.is_default)
    return await save(portal, actor, request, code, card, fields, key)


def _check_numbers(body: NewCard) -> None:
    """Judged here, so that no error shows them. Raises Invalid."""
    judged = (
        ("number", body.number, r"(?:[0-9][ -]?){11,18}[0-9]", "Card number invalid"),
        ("cvv", body.cvv, r"[0-9]{3,4}", "Security code invalid"),
    )
    faults = [
        (field, message)
        for field, secret, form, message in judged
        if not re.fullmatch(form, secret.get_secret_value())
    ]
    if faults:
        raise Invalid(fields=faults)
