"""What an activation brought: the plan of its device, whoever pays it, and the caller's reward."""

from fastapi import APIRouter

from api.activation.bought import PlanOfRun, plan_of_run
from api.platform.deps import Caller, PortalDep
from api.runs.flows import FlowId, authorize_run
from db.base import reading
from db.dealers.rewards import reward_of
from db.runs import flows
from domain.activation.activation import BoughtPlan
from domain.base import Frozen
from domain.money import Money

router = APIRouter(prefix="/v1/activations", tags=["activation"])


class OutcomeAnswer(Frozen):
    """`reward` is what the caller earned by it, None until that is known."""

    plan: PlanOfRun | None
    reward: Money | None


@router.get("/{id}/outcome")
async def get_activation_outcome(portal: PortalDep, actor: Caller, id: FlowId) -> OutcomeAnswer:
    """What came of the activation so far, for whoever may look at it."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
        shown = await flows.find_flow(session, "activation", id)
        if shown is None:
            return OutcomeAnswer(plan=None, reward=None)
        facts, device_key = shown.view["facts"], shown.view["device"]["device_key"]
        bought = BoughtPlan.model_validate(facts["purchase"]) if facts.get("purchase") else None
        plan = await plan_of_run(session, bought, device_key, shows_price=actor.user is not None)
        reward = await reward_of(session, id, actor.user.id) if actor.user else None
    return OutcomeAnswer(plan=plan, reward=reward)
