"""The plan that an activation waits for, or waited for last, as everybody on the activation may see it."""

from sqlalchemy.ext.asyncio import AsyncSession

from db.plans.plans import find_plan
from db.runs import flows
from domain.activation.activation import BoughtPlan
from domain.base import Frozen
from domain.money import Money
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.plans import Term
from domain.plans.purchases import LineStatus, PurchaseView


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


async def plan_of_run(
    session: AsyncSession, bought: BoughtPlan | None, device_key: str, *, shows_price: bool
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
        total=line.total if shows_price else None,
        status=line.status,
        has_receipt=view.receipt,
    )
