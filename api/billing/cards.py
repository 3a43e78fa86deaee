"""Saved cards, in both families of calls, and what a browser needs to add one (shop spec 3, 4.6, 4.8 and 7).

Adding goes by the provider's own form, whose token `attach-stripe-card-to-user` takes; `raw_cards.py` takes numbers.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BeforeValidator, StringConstraints

from api.billing.card_answers import CardList, SavedCard, card_answer
from api.billing.payment_method_answers import (
    MethodsOut,
    SavedMethodOut,
    method_out,
    methods_out,
)
from api.billing.saving_cards import (
    CardFields,
    card_day,
    change,
    managing,
    own_card,
    remove,
    save,
)
from api.partners.credit import refresh_credit
from api.partners.named_business import BusinessCode, check_named, check_named_dealer
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.schemas import Camel, QueryBody, SpecBody
from db.base import reading
from db.billing.bank_verifications import verifications_of
from db.billing.payment_methods import methods_of
from db.checkout.credit import credit_of
from db.platform.clock import utc_day
from domain.billing.payment_methods import (
    CardIdMissing,
    MethodId,
    NoCardUpdates,
    allowed_for,
    check_may_manage,
    visible_methods,
)

router = APIRouter(tags=["payment methods"])

CardId = Annotated[
    MethodId | None,
    BeforeValidator(lambda typed: None if isinstance(typed, str) and not typed.strip() else typed),
]
"""Without one, or with a blank one, a card is missing."""
Token = Annotated[str, StringConstraints(pattern=r"^pm_[A-Za-z0-9_]{1,200}$")]


class OfBusiness(QueryBody):
    sap_bp_code: BusinessCode | None = None


class AttachedCard(CardFields):
    """`paymentMethodId` is the token that the provider's form gave."""

    payment_method_id: Token


class CardChanges(CardFields):
    """`paymentMethodId` is our id of the card; what else is given is changed."""

    payment_method_id: CardId = None


class NamedCard(SpecBody):
    payment_method_id: CardId = None
    sap_bp_code: BusinessCode | None = None


class ProviderKey(Camel):
    """`detail` is the card provider's public key; `frameUrl` the page of its form, null where its script makes it."""

    detail: str
    frame_url: str | None


@router.post("/api/users-payment-methods")
async def users_payment_methods(
    actor: SignedIn, portal: PortalDep, body: OfBusiness | None = None
) -> MethodsOut:
    """How the caller can pay. Saved methods are told to whoever may manage them, and to nobody else."""
    cards = portal.features.card_payments
    allowed = allowed_for(actor, cards=cards)
    code = actor.business_code
    if allowed.terms:
        await refresh_credit(portal, code)
    async with reading(portal.sessions) as session:
        await check_named(session, actor, body.sap_bp_code if body else None)
        methods = visible_methods(actor, await methods_of(session, code), cards=cards)
        accounts = [method.id for method in methods if method.type == "BANK_ACCOUNT"]
        verifications = await verifications_of(session, accounts)
        credit = await credit_of(session, code) if code and allowed.terms else None
        today = await utc_day(session)
    available = float(credit.available) if credit is not None else None
    return methods_out(methods, today, verifications, allowed, available)


@router.get("/api/products-checkout/{sap_bp_code}/get-stripe-key")
async def get_stripe_key(
    sap_bp_code: BusinessCode, actor: SignedIn, portal: PortalDep
) -> ProviderKey:
    """What a browser needs to show the card provider's form."""
    await managing(portal, actor, sap_bp_code)
    return ProviderKey(detail=portal.cards.public_key, frame_url=portal.cards.frame_url)


@router.post(
    "/api/attach-stripe-card-to-user", response_model=SavedMethodOut, dependencies=[MovesMoney]
)
async def attach_stripe_card_to_user(
    body: AttachedCard,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    key: IdempotencyKey = None,
) -> Response:
    """Saves the card behind a token for the business. The same token again is the same card."""
    code = await managing(portal, actor, body.sap_bp_code)

    async def work() -> tuple[int, SavedMethodOut]:
        saved = await save(portal, actor, request, code, body.payment_method_id, body, key)
        return 200, method_out(saved, await card_day(portal))

    return await answer_once(portal.sessions, actor, key, "attach_stripe_card_to_user", body, work)


@router.patch("/api/update-credit-card", dependencies=[MovesMoney])
async def update_credit_card(
    body: CardChanges, actor: SignedIn, request: Request, portal: PortalDep
) -> SavedMethodOut:
    """Changes name, expiry, address, default, and whether it is offered."""
    code = await managing(portal, actor, body.sap_bp_code)
    if body.payment_method_id is None:
        raise CardIdMissing
    if not body.model_fields_set - {"payment_method_id", "sap_bp_code"}:
        raise NoCardUpdates
    fields = CardFields.model_validate(
        body.model_dump(exclude={"payment_method_id"}, exclude_unset=True)
    )
    changed = await change(portal, actor, request, code, body.payment_method_id, fields)
    return method_out(changed, await card_day(portal))


@router.delete("/api/delete-credit-card", status_code=204, dependencies=[MovesMoney])
async def delete_credit_card(
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    payment_method_id: Annotated[CardId, Query(alias="paymentMethodId")] = None,
    sap_bp_code: Annotated[BusinessCode | None, Query(alias="sapBpCode")] = None,
    body: NamedCard | None = None,
) -> None:
    """Deletes it; named in the query or in the body."""
    said = body or NamedCard()
    code = await managing(portal, actor, sap_bp_code or said.sap_bp_code)
    method_id = payment_method_id or said.payment_method_id
    if method_id is None:
        raise CardIdMissing
    await remove(portal, actor, request, code, method_id)


@router.get("/v1/card")
async def list_cards(
    actor: SignedIn,
    portal: PortalDep,
    dealer_id: Annotated[str | None, Query(max_length=64)] = None,
) -> CardList:
    """The cards of the business. A rep names the dealer that they act for."""
    async with reading(portal.sessions) as session:
        await check_named_dealer(session, actor, dealer_id)
        methods = await methods_of(session, check_may_manage(actor))
        today = await utc_day(session)
    cards = [card_answer(one, today) for one in methods if one.type == "CARD"]
    return CardList(results=cards, count=len(cards))


@router.get("/v1/card/{id}")
async def get_card(id: str, actor: SignedIn, portal: PortalDep) -> SavedCard:
    code = await managing(portal, actor, None)
    return card_answer(await own_card(portal, code, _named(id)), await card_day(portal))


@router.patch("/v1/card/{id}", dependencies=[MovesMoney])
async def update_card(
    id: str,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    body: CardFields | None = None,
) -> SavedCard:
    """The body is the object of changed fields itself (rulings "Calls")."""
    code = await managing(portal, actor, body.sap_bp_code if body else None)
    method_id = _named(id)
    if body is None or not body.model_fields_set - {"sap_bp_code"}:
        raise NoCardUpdates
    changed = await change(portal, actor, request, code, method_id, body)
    return card_answer(changed, await card_day(portal))


@router.delete("/v1/card/{id}", status_code=204, dependencies=[MovesMoney])
async def delete_card(id: str, actor: SignedIn, request: Request, portal: PortalDep) -> None:
    code = await managing(portal, actor, None)
    await remove(portal, actor, request, code, _named(id))


def _named(id: str) -> str:
    """Raises CardIdMissing."""
    if not id.strip():
        raise CardIdMissing
    return id
