"""Plans, what a device may have, and the subscriptions of a business's devices (shop spec 2 and 7; decision 32)."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.devices.holder import persons_try
from api.devices.ownership import authorized_answer, known_facts, known_soon, refuse_foreign
from api.plans.holders import holders_of
from api.plans.narrowed import StartsWith, State
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from api.platform.paging import from_cursor, to_cursor
from db.base import reading
from db.catalogue.viewers import find_viewer
from db.plans.plans import (
    count_subscriptions,
    find_plan,
    list_subscriptions,
    plans_for,
    present_subscriptions,
)
from db.platform.clock import database_now
from domain.base import Frozen, Utc
from domain.catalogue.pricing import CURRENCY
from domain.devices.devices import DeviceKey, parse_device_key
from domain.devices.ownership import asker_of, is_paid_by_another
from domain.identity.people import Actor
from domain.money import Money
from domain.plans.plans import (
    ENDING_WITHIN,
    Plan,
    PlanMissing,
    Subscription,
    SubscriptionState,
    Term,
    change_of,
    is_highest,
    state_of,
    upgrades,
)
from domain.plans.plans import Change as PlanChange

router = APIRouter(tags=["plans"])

PlanId = Annotated[str, Path(min_length=1, max_length=80, pattern=r"^[a-z0-9_-]+$")]


class PlanTerm(Frozen):
    """A plan for a term. `id` is its plan_id; amounts are for the whole term, before tax, in `currency` of the list."""

    id: str
    term: Term
    months: int
    list_amount: Money
    amount: Money


class PlanGroup(Frozen):
    """A plan with the terms it is sold for, shortest first."""

    slug: str
    name: str
    display_name: str
    description: str
    image: str
    image_description: str
    popular: bool
    rank: int
    terms: tuple[PlanTerm, ...]


class Plans(BaseModel):
    """The plans at the prices of the caller's channel, lowest first."""

    channel: str
    currency: str
    results: list[PlanGroup]


class SubscriptionOut(BaseModel):
    """The plan of one device. `days_left` are whole days; it can be renewed at any time, and upgraded unless it `is_highest`."""

    id: str
    device_key: str
    product_name: str
    plan_id: str
    plan_slug: str
    plan_name: str
    term: Term
    starts_at: Utc
    ends_at: Utc
    state: SubscriptionState
    days_left: int
    is_highest: bool
    purchase_id: str | None


class Subscriptions(BaseModel):
    """`counts` tell of all devices that fit, whatever state is asked for; only the first page has them."""

    results: list[SubscriptionOut]
    counts: dict[SubscriptionState, int] | None
    end_cursor: str | None


class UpgradePlan(Frozen):
    """`change` says what buying it means for the device."""

    id: str
    name: str
    image: str
    term: Term
    months: int
    list_amount: Money
    amount: Money
    change: PlanChange


class UpgradeGroup(Frozen):
    """`type` is the slug of a plan."""

    type: str
    name: str
    display_name: str
    description: str
    image: str
    image_description: str
    popular: bool
    plans: tuple[UpgradePlan, ...]


class Upgrades(BaseModel):
    """What a device may have now, lowest first. `present` is the plan that it has, if the caller's business bought it."""

    device_key: str
    currency: str
    present: SubscriptionOut | None
    results: list[UpgradeGroup]


@router.get("/v1/plans")
async def list_plans(portal: PortalDep, actor: SignedIn) -> Plans:
    """Every plan that is sold, with its terms."""
    async with reading(portal.sessions) as session:
        channel, plans = await _plans(session, actor)
    return Plans(channel=channel, currency=CURRENCY, results=list(grouped(plans)))


@router.get("/v1/plan/{id}")
async def get_plan(portal: PortalDep, actor: SignedIn, id: PlanId) -> Plan:
    """One plan for a term, those that are sold no more too."""
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        plan = await find_plan(session, id, viewer.channel)
    if plan is None:
        raise PlanMissing
    return plan


@router.get("/api/plans/upgrade")
async def list_upgrades(
    portal: PortalDep, actor: SignedIn, device_key: Annotated[DeviceKey, Query()]
) -> Upgrades:
    """The plans that a device may have now, grouped by type. Somebody else's device is not found."""
    key = parse_device_key(device_key)
    async with persons_try(portal, actor, key, None):
        device = await authorized_answer(portal, actor, key, lambda: known_soon(portal, key))
        if is_paid_by_another(asker_of(actor), await known_facts(portal, key)):
            await refuse_foreign(portal, actor, key)
    async with reading(portal.sessions) as session:
        now = await database_now(session)
        _, plans = await _plans(session, actor)
        present = (await present_subscriptions(session, [key])).get(key)
    fitting = upgrades(plans, device.product_name, present, now)
    return Upgrades(
        device_key=key,
        currency=CURRENCY,
        present=_shown(present, now) if present else None,
        results=list(_by_type(fitting, present, now)),
    )


@router.get("/v1/subscriptions")
async def list_subscriptions_of_business(
    portal: PortalDep,
    actor: SignedIn,
    state: State = None,
    starts_with: StartsWith = "",
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Subscriptions:
    """The devices of the caller's business with their plans; those that end first come first."""
    holders, begin = holders_of(actor), starts_with.upper()
    async with reading(portal.sessions) as session:
        now = await database_now(session)
        counts = None if cursor else await count_subscriptions(session, holders, begin, now)
        found = await list_subscriptions(
            session,
            holders,
            state=state,
            starts_with=begin,
            now=now,
            ending_within=ENDING_WITHIN,
            limit=limit + 1,
            after=from_cursor(cursor) if cursor else None,
        )
    shown, more = found[:limit], len(found) > limit
    return Subscriptions(
        results=[_shown(one, now) for one in shown],
        counts=counts,
        end_cursor=to_cursor(shown[-1].ends_at, shown[-1].id) if more else None,
    )


def grouped(plans: tuple[Plan, ...]) -> tuple[PlanGroup, ...]:
    """Plans by type, in the order in which they come."""
    groups: dict[str, list[Plan]] = {}
    for plan in plans:
        groups.setdefault(plan.slug, []).append(plan)
    return tuple(
        PlanGroup(
            **members[0].model_dump(include=set(PlanGroup.model_fields) - {"terms"}),
            terms=tuple(
                PlanTerm(**plan.model_dump(include=set(PlanTerm.model_fields))) for plan in members
            ),
        )
        for members in groups.values()
    )


async def _plans(session: AsyncSession, actor: Actor) -> tuple[str, tuple[Plan, ...]]:
    viewer = await find_viewer(session, actor)
    return viewer.channel, await plans_for(session, viewer.channel)


def _by_type(
    plans: tuple[Plan, ...], present: Subscription | None, now: datetime
) -> list[UpgradeGroup]:
    groups: dict[str, list[Plan]] = {}
    for plan in plans:
        groups.setdefault(plan.slug, []).append(plan)
    fields = set(UpgradeGroup.model_fields) - {"type", "plans"}
    own = set(UpgradePlan.model_fields) - {"change"}
    return [
        UpgradeGroup(
            type=slug,
            **members[0].model_dump(include=fields),
            plans=tuple(
                UpgradePlan(
                    **plan.model_dump(include=own), change=change_of(plan.rank, present, now)
                )
                for plan in members
            ),
        )
        for slug, members in groups.items()
    ]


def _shown(subscription: Subscription, now: datetime) -> SubscriptionOut:
    fields = set(SubscriptionOut.model_fields) - {"state", "days_left", "is_highest"}
    return SubscriptionOut(
        **subscription.model_dump(include=fields),
        state=state_of(
            subscription.ends_at, now, is_suspended=subscription.suspended_at is not None
        ),
        days_left=max((subscription.ends_at - now).days, 0),
        is_highest=is_highest(subscription),
    )
