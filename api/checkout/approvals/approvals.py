"""What waits for an owner: the list with purchases of plans; of an order the owner's answer, and the requester's yes to new
figures (decision 61)."""

from fastapi import APIRouter, Response
from pydantic import BaseModel

from api.checkout.approvals.command import Note, OnApproval, OnPlacement, QuoteHash
from api.checkout.approvals.waiting import WaitingOrder, waiting_for
from api.platform.deps import PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.runs.flow_answers import PlacementAnswer
from api.runs.messages import ANSWERS
from db.base import reading
from domain.base import Body
from domain.checkout.placement import Reason
from workflows.checkout.placement import PlacementWorkflow

router = APIRouter(tags=["approvals"])

MOST_WAITING = 100


class ApproveBody(Body):
    """`note` is a word for whoever ordered."""

    note: Reason = ""


class RejectBody(Body):
    """`note` says why."""

    note: Note


class AgreeBody(Body):
    """`quote_hash` is the `cart_hash` of the figures that are agreed to."""

    quote_hash: QuoteHash


class WaitingOrders(BaseModel):
    """The oldest first, at most 100."""

    results: list[WaitingOrder]


@router.get("/v1/approvals")
async def list_approvals(portal: PortalDep, actor: SignedIn) -> WaitingOrders:
    """What waits for an owner's approval: an owner sees all of the dealer, anybody else their own."""
    async with reading(portal.sessions) as session:
        return WaitingOrders(results=await waiting_for(session, actor, limit=MOST_WAITING))


@router.post(
    "/v1/approvals/{token}/approve",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def approve_order(command: OnApproval, body: ApproveBody) -> Response:
    """Say yes to an order of the dealer's: stock and credit are held, then it is paid and placed."""
    return await command.send(
        PlacementWorkflow.approve_order,
        command.approval(body.note),
        body,
        audit="approved an order",
    )


@router.post(
    "/v1/approvals/{token}/reject",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def reject_order(command: OnApproval, body: RejectBody) -> Response:
    """Say no to an order of the dealer's. Its requester has the cart back."""
    return await command.send(
        PlacementWorkflow.reject, command.answer(body.note), body, audit="rejected an order"
    )


@router.post(
    "/v1/placements/{token}/agree",
    response_model=PlacementAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def agree_to_placement(command: OnPlacement, body: AgreeBody) -> Response:
    """The requester's yes to prices or stock that changed while the order waited. An owner is asked again."""
    return await command.send(
        PlacementWorkflow.agree,
        command.agreement(body.quote_hash),
        body,
        audit="agreed to new prices",
    )
