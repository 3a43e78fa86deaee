"""A plan bought inside an activation: the purchase is a run of its own, and the activation waits for it (decision 32)."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import StringConstraints

from api.activation.command import ActivationCommand, OnActivation, Seq
from api.plans.purchase_start import (
    begin,
    check_agrees,
    once_at_rest,
    pay_by_of,
    purchase_id_of,
    start_of,
)
from api.platform.deps import Portal, SignedIn
from api.platform.moves_money import MovesMoney
from api.runs.flow_answers import ActivationAnswer
from api.runs.flows import authorize_run
from api.runs.messages import ANSWERS, FlowRejected
from db.base import reading
from db.runs import flows
from domain.activation.activation import REJECTIONS, BuyPlan
from domain.base import EXACT, Body
from domain.billing.payment_methods import MethodId
from domain.billing.payments import PaymentType
from domain.checkout.placement import Reason
from domain.identity.people import Actor
from domain.plans.plans import check_may_buy_plans
from domain.plans.purchases import NoCard, PurchaseEnded, PurchaseView, about_purchase
from domain.plans.quote import LinesFailed, PlanLineRequest
from domain.runs.projection import FlowOwner
from workflows.activation import ActivationWorkflow

router = APIRouter(prefix="/v1/activations", tags=["activation"])

PlanId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), EXACT
]
Uuid = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class PlanPurchase(Body):
    """The plan for the activation's device. With `quote_uuid` the purchase that was quoted is joined; it must hold the
    device. Without a method the main one pays. `reason` is for the owner, where one must approve it."""

    seq: Seq
    plan_id: PlanId
    quote_uuid: Uuid | None = None
    type: PaymentType | None = None
    method_id: MethodId | None = None
    reason: Reason = ""


@router.post(
    "/{id}/purchase", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesMoney]
)
async def buy_activation_plan(command: OnActivation, _: SignedIn, body: PlanPurchase) -> Response:
    """Buy the plan at the step of the choice, and wait for the outcome: the purchase goes on whatever becomes of the
    activation. Nothing is charged when the activation refuses."""
    return await command.send(
        ActivationWorkflow.act, _buying(command, body), body, audit="bought a plan", begins=True
    )


async def _buying(command: ActivationCommand, body: PlanPurchase) -> BuyPlan:
    portal, actor, run = command.portal, command.actor, await command.run()
    await _check_step(portal, run)
    code = check_may_buy_plans(actor)
    async with reading(portal.sessions) as session:
        cards = portal.features.card_payments
        pay_by = await pay_by_of(session, code, body.method_id, body.type, cards=cards)
    if pay_by is None:
        raise NoCard
    if body.quote_uuid is not None:
        await _check_quoted(portal, actor, body.quote_uuid, run)
    return BuyPlan(
        actor=command.person,
        seq=body.seq,
        purchase_id=body.quote_uuid or await _quoted(portal, actor, run, body, command.key),
        payment_type=pay_by.type,
        method_id=pay_by.method_id,
        reason=body.reason,
    )


async def _check_step(portal: Portal, run: FlowOwner) -> None:
    """Raises FlowRejected where the activation stands elsewhere: nothing is even quoted then."""
    async with reading(portal.sessions) as session:
        stands = await flows.find_flow(session, "activation", run.id)
    if stands is None or stands.state.partition("/")[0] != "purchase-plan":
        status, detail = REJECTIONS["step_out_of_order"]
        raise FlowRejected(status, "step_out_of_order", detail, stands)


async def _check_quoted(portal: Portal, actor: Actor, uuid: str, run: FlowOwner) -> None:
    """Raises NotFound for a purchase of somebody else's, NotOwnPurchase, PurchaseEnded, LinesFailed where the
    device is none of its."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "purchase", uuid)
        await check_agrees(session, actor, owner)
        stands = await flows.find_flow(session, "purchase", uuid)
    if owner.ended or stands is None:
        raise PurchaseEnded(extra=about_purchase(uuid))
    view = PurchaseView.model_validate(stands.view)
    good = {line.device_key for line in view.lines if line.problem is None}
    if run.device_key not in good:
        raise LinesFailed([line for line in view.lines if line.problem is not None])


async def _quoted(
    portal: Portal, actor: Actor, run: FlowOwner, body: PlanPurchase, key: str
) -> str:
    """Begins a purchase, and waits for its figures as long as a call may. Raises LinesFailed."""
    lines = (PlanLineRequest(device_key=run.device, plan_id=body.plan_id),)
    id_ = purchase_id_of(actor, key)
    async with reading(portal.sessions) as session:
        start = await start_of(portal, session, actor, id_, lines, None)
    await begin(portal, actor, start.model_copy(update={"activation_id": run.id}))
    answer = await once_at_rest(portal, id_)
    if answer is not None:
        view = PurchaseView.model_validate(answer.view)
        if failed := [line for line in view.lines if line.problem is not None]:
            raise LinesFailed(failed)
    return id_
