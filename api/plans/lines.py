"""Plans in the cart: chosen for devices and not bought yet (shop spec 3, "Subscription cart line"; decision 33)."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.devices.holder import persons_try
from api.devices.ownership import authorize_within_deadline
from api.platform.deps import PortalDep, SignedIn, Transaction
from db.base import reading
from db.plans.lines import choose_plan, drop_plan_lines, lock_plan_lines, plan_lines_of
from db.plans.plans import find_plan, plans_for
from domain.base import Body, Frozen
from domain.devices.devices import DeviceKey, parse_device_key
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.lines import Chosen, check_room
from domain.plans.plans import Plan, PlanMissing, Term, check_may_buy_plans

router = APIRouter(prefix="/v1/plan-lines", tags=["plans"])

PlanId = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[a-z0-9_-]+$")]


class NewPricingPlan(Frozen):
    """The plan that is wanted."""

    slug: str
    term: Term
    display_name: str


class PlanLine(Frozen):
    """A device with the plan chosen for it. Its price is worked out by the mock run. The names are the spec's."""

    device_key: str
    product_name: str | None = Field(serialization_alias="productName")
    plan_id: str
    new_plan_name: str
    new_pricing_plan: NewPricingPlan = Field(serialization_alias="newPricingPlan")


class PlanLines(Frozen):
    """In the order in which the devices came."""

    results: tuple[PlanLine, ...]
    count: int


class Choosing(Body):
    device_key: DeviceKey
    plan_id: PlanId


@router.get("")
async def list_plan_lines(portal: PortalDep, actor: SignedIn) -> PlanLines:
    """What the caller has chosen for the business that they work for."""
    if actor.business_code is None:
        return PlanLines(results=(), count=0)
    async with reading(portal.sessions) as session:
        return await _lines(session, actor.person.id, actor.business_code)


@router.put("")
async def choose_plan_line(
    portal: PortalDep, session: Transaction, actor: SignedIn, choosing: Choosing
) -> PlanLines:
    """Chooses a plan for a device, or another one than before. Naturally idempotent. Raises what
    `check_may_buy_plans` raises, MalformedDeviceKey, UnknownDevice, Throttled, PlanMissing or TooManyChosen."""
    code, person_id = check_may_buy_plans(actor), actor.person.id
    device_key = parse_device_key(choosing.device_key)
    async with persons_try(portal, actor, device_key, None):
        device = (await authorize_within_deadline(portal, actor, device_key)).device
    plan = await find_plan(session, choosing.plan_id, DEFAULT_CHANNEL)
    if plan is None or plan.is_retired:
        raise PlanMissing
    await lock_plan_lines(session, person_id, code)
    check_room(await plan_lines_of(session, person_id, code), device_key)
    product = device.product_name.value if device else None
    chosen = Chosen(device_key=device_key, plan_id=plan.id, product_name=product)
    await choose_plan(session, person_id, code, chosen)
    return await _lines(session, person_id, code)


@router.delete("/{device_key}")
async def drop_plan_line(
    session: Transaction,
    actor: SignedIn,
    device_key: Annotated[str, Path(min_length=1, max_length=40)],
) -> PlanLines:
    """Takes a device out. One that is not there is left out as well."""
    code = actor.business_code
    if code is None:
        return PlanLines(results=(), count=0)
    await drop_plan_lines(session, actor.person.id, code, [device_key.strip().upper()])
    return await _lines(session, actor.person.id, code)


async def _lines(session: AsyncSession, person_id: str, code: str) -> PlanLines:
    plans = {plan.id: plan for plan in await plans_for(session, DEFAULT_CHANNEL, retired=True)}
    chosen = await plan_lines_of(session, person_id, code)
    lines = tuple(_line(one, plans[one.plan_id]) for one in chosen if one.plan_id in plans)
    return PlanLines(results=lines, count=len(lines))


def _line(chosen: Chosen, plan: Plan) -> PlanLine:
    return PlanLine(
        device_key=chosen.device_key,
        product_name=chosen.product_name,
        plan_id=plan.id,
        new_plan_name=plan.name,
        new_pricing_plan=NewPricingPlan(
            slug=plan.slug, term=plan.term, display_name=plan.display_name
        ),
    )
