"""What an activation brought: the plan of its device, whoever pays it, and the caller's reward."""

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Caller, PortalDep
from api.runs.flows import FlowId, authorize_run
from db.dealers.rewards import reward_of
from db.plans.plans import find_plan
from db.runs import flows
from domain.activation.activation import BoughtPlan
from domain.base import Frozen
from domain.money import Money
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.plans import Term
from domain.plans.purchases import LineStatus, PurchaseView

router = APIRouter(prefix="/v1/activations", tags=["activation"])


class PlanOfRun(Frozen):
    """The purchase that the activation waits for, or waited for last, as everybody on the activation may see it: `paid_by`
    is who pays, `state` how far it is. `total` is the device's part with taxes; a guest is not told of it."""

    purchase_id: str
    state: str
    ended: bool
    paid_by: str
    plan_name: str
    term: Term | None
    total: Money | None
    status: LineStatus
    has_receipt: bool


class OutcomeAnswer(Frozen):
    """`reward` is what the caller earned by it, None until that is known."""

    plan: PlanOfRun | None
    reward: Money | None


@router.get("/{id}/outcome")
async def get_activation_outcome(portal: PortalDep, actor: Caller, id: FlowId) -> OutcomeAnswer:
    """What came of the activation so far, for whoever may look at it."""
    async with portal.sessions() as session:
        await authorize_run(session, actor, "activation", id)
        shown = await flows.find_flow(session, "activation", id)
        if shown is None:
            return OutcomeAnswer(plan=None, reward=None)
        facts, device_key = shown.view["facts"], shown.view["device"]["device_key"]
        bought = BoughtPlan.model_validate(facts["purchase"]) if facts.get("purchase") else None
        plan = await _plan(session, bought, device_key, tells_price=actor.user is not None)
        reward = await reward_of(session, id, actor.user.id) if actor.user else None
    return OutcomeAnswer(plan=plan, reward=reward)


async def _plan(
    session: AsyncSession, bought: BoughtPlan | None, device_key: str, *, tells_price: bool
) -> PlanOfRun | None:
    run = await flows.find_flow(session, "purchase", bought.purchase_id) if bought else None
    if run is None:
        return None
    view = PurchaseView.model_validate(run.view)
    line = next((one for one in view.lines if one.device_key == device_key), None)
    if line is None:
        return None
    plan = await find_plan(session, line.plan_id, DEFAULT_CHANNEL)
    return PlanOfRun(
        purchase_id=run.id,
        state=run.state,
        ended=run.ended,
        paid_by=view.placed_by,
        plan_name=line.new_plan_name,
        term=plan.term if plan else None,
        total=line.total if tells_price else None,
        status=line.status,
        has_receipt=view.receipt,
    )
