"""Placing an order: the spec's completion of a checkout, and what may be asked of a placement (shop spec 4.7 and 7)."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, StringConstraints

from api.checkout.cart_changes import recording_refusals
from api.checkout.placing import Submit, Submitted, submit
from api.checkout.schemas import CartToken, Id
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.platform.schemas import SpecBody
from api.runs.flow_answers import PlacementAnswer
from api.runs.flows import ANSWERS, RequiredKey, answer_of, once_or_joined, person_of, reach, tell
from db.billing.payment_methods import methods_of
from db.checkout.cart import find_cart
from db.operations.audit import record_by
from db.runs.flows import find_owner
from domain.base import Body
from domain.billing.payment_methods import allowed_for
from domain.billing.payments import PaymentType
from domain.checkout.cart import check_may_buy
from domain.checkout.draft import PaymentChoice, check_named
from domain.checkout.placement import How, OrderRef, PlacementAsk, Reason
from domain.checkout.quote import PaymentNotAllowed, is_meant
from domain.errors import NotFound
from domain.identity.people import Actor
from workflows.placement import PlacementWorkflow

router = APIRouter(tags=["placements"])

Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class SelectedPayment(SpecBody):
    """`methodId` names a saved card or bank account; COD and TERMS have none."""

    type: PaymentType
    method_id: Id | None = None


class Completing(SpecBody):
    """Without `selectedPayment` the payment of the draft counts. With `quoteHash` the order is placed at those figures, or
    not at all."""

    selected_payment: SelectedPayment | None = None
    quote_hash: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class Completion(BaseModel):
    """`order` is there from the moment it is stored. `placement` is null until a worker has taken it up: follow
    `placement:TOKEN` then."""

    order: OrderRef | None
    placement: PlacementAnswer | None


class _Completion(BaseModel):
    """The same with the view as it is kept."""

    order: OrderRef | None
    placement: Any


class ChosenPayment(Body):
    """Another way to pay the same order. `method_id` names a saved card or bank account."""

    type: PaymentType
    method_id: Id | None = None


class CancelBody(Body):
    reason: Reason = ""


class SettlePlacement(Body):
    """`retry` has the last effect tried again, `cancel` takes everything back; `confirmed` and `undone` say that it was
    settled by hand. `note` is kept with the change."""

    how: How
    note: Note


@router.post(
    "/api/products-checkout/{token:cart_token}/complete-b2b-checkout",
    response_model=Completion,
    responses={202: {"model": Completion, "description": "Taken; the outcome comes by events"}},
    dependencies=[MovesMoney],
)
async def complete_b2b_checkout(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    completing: Completing,
    key: IdempotencyKey = None,
) -> Response:
    """Places the cart: once, however often it is sent. Answers the order, or where its placement stands by now.

    Refused before anything is reserved when the order can not be placed like this; the draft stays.
    """
    chosen = completing.selected_payment
    wish = Submit(
        token=token,
        payment=PaymentChoice(type=chosen.type, method_id=chosen.method_id) if chosen else None,
        quote_hash=completing.quote_hash,
    )

    async def work() -> tuple[int, BaseModel]:
        async with recording_refusals(portal, actor, "complete_b2b_checkout"):
            return _completion(await submit(portal, actor, wish))

    if key is None:
        status, answer = await work()
        return Response(answer.model_dump_json(), status, media_type="application/json")
    operation = f"complete_b2b_checkout {token}"
    return await once_or_joined(portal, actor, key, operation, completing, work, join=work)


@router.get(
    "/v1/placements/{token}",
    response_model=PlacementAnswer,
    responses={204: {"description": "A cart of the caller's that was never placed"}},
)
async def get_placement(portal: PortalDep, actor: SignedIn, token: CartToken) -> Response:
    """The placement as it stands; nothing while the caller's cart was never placed."""
    async with portal.sessions() as session:
        if await find_owner(session, "placement", token) is None:
            if await find_cart(session, token, actor.person.id, actor.business_code) is None:
                raise NotFound
            return Response(status_code=204)
        await reach(session, actor, "placement", token)
    found = await answer_of(portal, "placement", token)
    return Response(found.model_dump_json(), media_type="application/json")


@router.post(
    "/v1/placements/{token}/payment",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def choose_placement_payment(
    portal: PortalDep, actor: SignedIn, token: CartToken, body: ChosenPayment, key: RequiredKey
) -> Response:
    """Pay the same order in another way, after a payment was declined or while it waits to be confirmed."""
    choice = PaymentChoice(type=body.type, method_id=body.method_id)

    async def asking() -> dict[str, Any]:
        return {"payment": choice, "shown": await _payable(portal, actor, token, choice)}

    return await _ask(portal, actor, token, body, key, PlacementWorkflow.choose_payment, asking)


@router.post(
    "/v1/placements/{token}/cancel",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def cancel_placement(
    portal: PortalDep, actor: SignedIn, token: CartToken, body: CancelBody, key: RequiredKey
) -> Response:
    """Give the order up, until the ERP has accepted it. Money that was held is let go, the cart is free again."""

    async def asking() -> dict[str, Any]:
        return {"reason": body.reason}

    return await _ask(portal, actor, token, body, key, PlacementWorkflow.cancel, asking)


@router.post(
    "/v1/placements/{token}/settle",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def settle_placement(
    portal: PortalDep, actor: SignedIn, token: CartToken, body: SettlePlacement, key: RequiredKey
) -> Response:
    """For administrators: what is done about a placement that can not go on by itself, or waits for the ERP."""

    async def asking() -> dict[str, Any]:
        return {"reason": body.note, "how": body.how}

    return await _ask(portal, actor, token, body, key, PlacementWorkflow.settle_by_hand, asking)


PAST = {
    PlacementWorkflow.choose_payment: "chose another payment",
    PlacementWorkflow.cancel: "cancelled an order's placement",
    PlacementWorkflow.settle_by_hand: "settled an order's placement",
}


async def _ask(
    portal: Portal,
    actor: Actor,
    token: str,
    body: Body,
    key: str,
    update: Any,
    asking: Callable[[], Awaitable[dict[str, Any]]],
) -> Response:
    """Sends one wish to the run, once for each key, and keeps in the audit who had it."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "placement", token)
    person = person_of(actor)

    async def send() -> tuple[int, BaseModel]:
        ask = PlacementAsk(
            actor_id=person.user_id,
            actor=person.name,
            acting_for=person.acting_for,
            **await asking(),
        )
        return await tell(portal, owner, update, ask, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        more = body.model_dump(mode="json", exclude_none=True)
        async with portal.sessions.begin() as session:
            await record_by(session, actor, PAST[update], on=("placement", token), more=more)
        return answered

    operation = f"{update.__name__} {token}"
    return await once_or_joined(portal, actor, key, operation, body, work, join=send)


async def _payable(portal: Portal, actor: Actor, token: str, choice: PaymentChoice) -> str:
    """How the method is written. Raises NotFound for a run of another business, and PaymentNotAllowed."""
    check_may_buy(actor)
    check_named(choice)
    async with portal.sessions() as session:
        owner = await reach(session, actor, "placement", token)
        if owner.partner is None or owner.partner != actor.business_code:
            raise NotFound
        if not allowed_for(actor).allows(choice.type):
            raise PaymentNotAllowed
        if choice.method_id is None:
            return choice.type.value
        methods = await methods_of(session, owner.partner)
    method = next((one for one in methods if is_meant(one, choice)), None)
    if method is None:
        raise PaymentNotAllowed
    return method.shown


def _completion(submitted: Submitted) -> tuple[int, BaseModel]:
    run = submitted.placement
    return 200 if submitted.is_settled else 202, _Completion(
        order=submitted.order, placement=run.model_dump(mode="json") if run else None
    )
