"""Placing an order: the spec's completion of a checkout, and what may be asked of a placement (shop spec 4.7 and 7)."""

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel

from api.checkout.approvals.command import Note, OnPlacement, QuoteHash
from api.checkout.cart_changes import recording_refusals
from api.checkout.placing import Submit, Submitted, submit_order
from api.checkout.schemas import CartToken
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn
from api.platform.idempotency import claimed
from api.platform.moves_money import MovesMoney
from api.platform.schemas import SpecBody
from api.runs.flow_answers import PlacementAnswer
from api.runs.flows import look_at_run
from api.runs.messages import ANSWERS
from db.base import reading
from db.checkout.cart import find_cart
from db.runs.flows import find_owner
from domain.base import Body
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.checkout.draft import PaymentChoice, PoNumber
from domain.checkout.placement import BEGINS, How, OrderRef, PlacementMessage, Reason
from domain.errors import NotFound
from workflows.checkout.placement import PlacementWorkflow

router = APIRouter(tags=["placements"])


class SelectedPayment(SpecBody):
    """`methodId` names a saved card or bank account; COD and TERMS have none."""

    type: PaymentType
    method_id: MethodId | None = None


class Completing(SpecBody):
    """Without `selectedPayment` the payment of the draft counts. Ours: with `quoteHash`, a quote's or that of its figures, the
    order is placed at those figures, or not at all; `poNumber` takes the place of the draft's, and one that another order has
    is refused until the buyer `knowsPo`; `approvalReason` is for the owner where one must approve the order."""

    selected_payment: SelectedPayment | None = None
    po_number: PoNumber | None = None
    knows_po: bool = False
    quote_hash: QuoteHash | None = None
    approval_reason: Reason = ""


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
    method_id: MethodId | None = None


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

    Refused before anything is reserved when the order cannot be placed like this; the draft stays.
    """
    chosen = completing.selected_payment
    submit = Submit(
        token=token,
        payment=PaymentChoice(type=chosen.type, method_id=chosen.method_id) if chosen else None,
        names_po="po_number" in completing.model_fields_set,
        po_number=completing.po_number,
        knows_po=completing.knows_po,
        quote_hash=completing.quote_hash,
        reason=completing.approval_reason,
    )

    operation = f"complete_b2b_checkout {token}"
    async with claimed(portal.sessions, actor, key, operation, completing, joins=True) as held:
        if held.replayed is not None:
            return held.replayed
        async with recording_refusals(portal, actor, "complete_b2b_checkout"):
            submitted = await submit_order(portal, actor, submit)
        return await held.answer(*_completion(submitted))


@router.get(
    "/v1/placements/{token}",
    response_model=PlacementAnswer,
    responses={204: {"description": "A cart of the caller's that was never placed"}},
)
async def get_placement(portal: PortalDep, actor: SignedIn, token: CartToken) -> Response:
    """The placement as it stands; nothing while the caller's cart was never placed."""
    async with reading(portal.sessions) as session:
        if await find_owner(session, "placement", token) is None:
            if await find_cart(session, token, actor.person.id, actor.business_code) is None:
                raise NotFound
            return Response(status_code=204)
        found = await look_at_run(session, actor, "placement", token)
    return Response(found.model_dump_json(), media_type="application/json")


@router.post(
    "/v1/placements/{token}/payment",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def choose_placement_payment(command: OnPlacement, body: ChosenPayment) -> Response:
    """Pay the same order in another way: after a payment was declined, while it is under way or waits to be confirmed, and
    when nobody knows what became of it."""
    choice = PaymentChoice(type=body.type, method_id=body.method_id)
    return await command.send(
        PlacementWorkflow.choose_payment,
        command.paying_by(choice),
        body,
        audit="chose another payment",
    )


@router.post(
    "/v1/placements/{token}/cancel",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def cancel_placement(command: OnPlacement, body: CancelBody) -> Response:
    """Give the order up, until the ERP has accepted it. Money that was held is let go, the cart is free again."""
    ask = PlacementMessage(**command.sender, reason=body.reason)
    return await command.send(
        PlacementWorkflow.cancel, ask, body, audit="cancelled an order's placement", begins=True
    )


@router.post(
    "/v1/placements/{token}/settle",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def settle_placement(command: OnPlacement, body: SettlePlacement) -> Response:
    """For administrators: what is done about a placement that cannot go on by itself, or waits for the ERP."""
    ask = PlacementMessage(**command.sender, reason=body.note, how=body.how)
    return await command.send(
        PlacementWorkflow.resolve_by_hand,
        ask,
        body,
        audit="settled an order's placement",
        begins=body.how in BEGINS,
    )


def _completion(submitted: Submitted) -> tuple[int, BaseModel]:
    run = submitted.placement
    return 200 if submitted.is_at_rest else 202, _Completion(
        order=submitted.order, placement=run.model_dump(mode="json") if run else None
    )
