"""Purchases of plans that are under way: how they stand, and what their buyer may say to them (workflows 1.7)."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from api.plans.purchase_start import pay_by_of
from api.platform.border.queries import counted
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.runs.flow_answers import PurchaseAnswer, Transitions
from api.runs.flows import (
    ANSWERS,
    FlowId,
    RequiredKey,
    answer_of,
    once_or_joined,
    person_of,
    reach,
    tell,
)
from db.operations.audit import record_by
from db.plans.purchases import open_purchases
from db.runs import flows
from domain.base import EXACT, Body, Frozen
from domain.billing.payments import PaymentType
from domain.devices.devices import DeviceKey
from domain.identity.people import Actor
from domain.plans.plans import MOST_LINES, check_may_buy_plans
from domain.plans.purchases import (
    OpenPurchase,
    PayBy,
    PurchaseAsk,
    PurchaseEnded,
    check_type,
    told_of,
)
from workflows.plans.purchase import PurchaseWorkflow

router = APIRouter(prefix="/v1/purchases", tags=["purchases"])

MethodId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), EXACT
]
QuoteHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

PAST = {
    PurchaseWorkflow.confirm: "bought plans",
    PurchaseWorkflow.choose_payment: "chose another payment for plans",
    PurchaseWorkflow.retry: "tried plans again",
    PurchaseWorkflow.give_up: "gave up plans that failed",
    PurchaseWorkflow.cancel: "cancelled a purchase of plans",
}


class ConfirmBody(Body):
    """`quote_hash` is that of the figures which the buyer has seen. Without a method the main one pays."""

    quote_hash: QuoteHash
    type: PaymentType | None = None
    method_id: MethodId | None = None


class PaymentBody(Body):
    type: PaymentType
    method_id: MethodId


class RetryBody(Body):
    """No keys: every device that failed."""

    device_keys: Annotated[tuple[DeviceKey, ...], Field(max_length=MOST_LINES)] = ()


class AskBody(Body):
    """Nothing but the wish."""


class OpenPurchases(Frozen):
    """The latest change first."""

    results: tuple[OpenPurchase, ...]


@router.get("")
async def list_open_purchases(portal: PortalDep, actor: SignedIn) -> OpenPurchases:
    """What the caller has begun to pay for the business that they work for, and not seen the end of."""
    if actor.business_code is None:
        return OpenPurchases(results=())
    async with portal.sessions() as session:
        found = await open_purchases(session, actor.person.id, actor.business_code)
    return OpenPurchases(results=tuple(found))


@router.get("/{id}", response_model=PurchaseAnswer)
async def get_purchase(portal: PortalDep, actor: SignedIn, id: FlowId) -> Response:
    """The purchase as it stands."""
    async with portal.sessions() as session:
        await reach(session, actor, "purchase", id)
    return kept(await answer_of(portal, "purchase", id))


@router.get("/{id}/transitions")
async def list_purchase_transitions(
    portal: PortalDep,
    actor: SignedIn,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with portal.sessions() as session:
        await reach(session, actor, "purchase", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.post(
    "/{id}/confirm", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def confirm_purchase(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: ConfirmBody, key: RequiredKey
) -> Response:
    """Agree to the quote and pay it: once, for the lines without a problem."""
    pay_by = await _pay_by(portal, actor, id, body.method_id, body.type)
    ask = _ask(actor).model_copy(update={"quote_hash": body.quote_hash, "pay_by": pay_by})
    return await ask_purchase(portal, actor, id, body, key, PurchaseWorkflow.confirm, ask)


@router.post(
    "/{id}/payment", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def choose_purchase_payment(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: PaymentBody, key: RequiredKey
) -> Response:
    """Pay by another method after a decline; the figures stay as they were agreed to."""
    pay_by = await _pay_by(portal, actor, id, body.method_id, body.type)
    ask = _ask(actor).model_copy(update={"pay_by": pay_by})
    return await ask_purchase(portal, actor, id, body, key, PurchaseWorkflow.choose_payment, ask)


@router.post(
    "/{id}/retry", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def retry_purchase(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: RetryBody, key: RequiredKey
) -> Response:
    """Try the devices that failed again; nothing is charged for it."""
    ask = _ask(actor).model_copy(update={"device_keys": body.device_keys})
    return await ask_purchase(portal, actor, id, body, key, PurchaseWorkflow.retry, ask)


@router.post(
    "/{id}/give-up", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def give_up_purchase(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Have the devices that failed paid back."""
    return await ask_purchase(portal, actor, id, body, key, PurchaseWorkflow.give_up, _ask(actor))


@router.post(
    "/{id}/cancel", response_model=PurchaseAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def cancel_purchase(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Give the purchase up before it is paid."""
    return await ask_purchase(portal, actor, id, body, key, PurchaseWorkflow.cancel, _ask(actor))


async def ask_purchase(
    portal: Portal,
    actor: Actor,
    id: str,
    body: Body,
    key: str,
    update: Any,
    ask: PurchaseAsk,
) -> Response:
    """Sends one wish to one purchase, once for each key, and keeps in the audit who had it."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "purchase", id)
    check_may_buy_plans(actor)

    async def send() -> tuple[int, BaseModel]:
        return await tell(portal, owner, update, ask, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        async with portal.sessions.begin() as session:
            await record_by(session, actor, PAST[update], on=("purchase", id))
        return answered

    operation = f"{update.__name__}_purchase {id}"
    return await once_or_joined(portal, actor, key, operation, body, work, join=send)


def _ask(actor: Actor) -> PurchaseAsk:
    person = person_of(actor)
    return PurchaseAsk(actor_id=person.user_id, actor=person.name, acting_for=person.acting_for)


async def _pay_by(
    portal: Portal, actor: Actor, id: str, method_id: str | None, kind: PaymentType | None
) -> PayBy | None:
    """The saved method of the business that the purchase is for. Raises MethodMissing, PaymentTypeRefused."""
    if kind is not None:
        check_type(kind)
    async with portal.sessions() as session:
        owner = await reach(session, actor, "purchase", id)
        if owner.ended:
            raise PurchaseEnded(extra=told_of(id))
        code = owner.partner or check_may_buy_plans(actor)
        return await pay_by_of(session, code, method_id, kind)


def kept(answer: BaseModel) -> Response:
    """Views go out as the run itself wrote them."""
    return Response(answer.model_dump_json(), media_type="application/json")
