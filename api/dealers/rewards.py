"""What installers earned, and what is due to their dealer (devices spec 5 and 7; rulings "Later rulings")."""

from datetime import UTC, date, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BeforeValidator, StringConstraints

from api.dealers.access import DealerId, SubscriberId, authorize_dealer
from api.dealers.answers import (
    PayoutOut,
    PayoutsPage,
    RewardOut,
    RewardsPage,
    RewardSumOut,
    RewardSums,
    amount_out,
)
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.dealers.dealers import has_subscriber, names_of
from db.dealers.payouts import list_months
from db.dealers.rewards import (
    RewardScope,
    list_rewards,
    sum_rewards,
    sums_by_installer,
)
from domain.dealers.payouts import month_state
from domain.dealers.rewards import InstallerRequired, amounts_of, days, first_day, last_day
from domain.errors import NotFound
from domain.identity.people import Actor, Role

router = APIRouter(prefix="/v1/dealers", tags=["rewards"])

MOST_SUMS = 1000
"""Installers times months in one answer."""

InstallerIds = Annotated[
    list[
        Annotated[
            str,
            StringConstraints(strip_whitespace=True, max_length=64, pattern=r"^[A-Za-z0-9_-]*$"),
        ]
    ],
    Query(max_length=20),
]
FirstDay = Annotated[date, BeforeValidator(first_day)]
LastDay = Annotated[date, BeforeValidator(last_day)]
Limit = Annotated[int, Query(ge=1, le=100), counted(25, most=100)]
Offset = Annotated[int, Query(ge=0, le=100_000), counted(0, least=0, most=100_000)]


@router.get("/{id}/device-rewards")
async def list_device_rewards(
    portal: PortalDep,
    actor: SignedIn,
    id: DealerId,
    installer_id: InstallerIds = [],  # noqa: B006 (FastAPI copies defaults)
    subscriber_id: SubscriberId = None,
    from_date: FirstDay | None = None,
    to_date: LastDay | None = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> RewardsPage:
    """Devices with what they earned, the newest first, of any of the named installers. Without one all of the dealer's,
    for those who run it; an installer names themselves. Days are whole days in UTC. Raises NotFound, InstallerRequired, Invalid."""
    stretch = days(from_date, to_date)
    async with reading(portal.sessions) as session:
        await authorize_dealer(session, actor, id)
        whose = RewardScope(installers=_whose(actor, installer_id), subscriber_id=subscriber_id)
        found = await list_rewards(session, id, whose, stretch, limit=limit, offset=offset)
        count, total = await sum_rewards(session, id, whose, stretch)
        names = await names_of(session, [one.installer_id for one in found])
    results = [
        RewardOut(
            activation_id=one.flow_id,
            kind=one.kind,
            device_key=one.device_key,
            product_name=one.product_name,
            plan=one.plan_slug,
            installer_id=one.installer_id,
            installer=names.get(one.installer_id, ""),
            amount=one.amount,
            shared_among=one.shared_among,
            earned_at=one.earned_at,
        )
        for one in found
    ]
    return RewardsPage(results=results, count=count, total=total)


@router.get("/{id}/reward-sums")
async def list_reward_sums(
    portal: PortalDep,
    actor: SignedIn,
    id: DealerId,
    from_date: FirstDay | None = None,
    to_date: LastDay | None = None,
) -> RewardSums:
    """What was earned by installer and UTC month, and what a device earns; an installer sees their own. Raises NotFound,
    Invalid."""
    stretch = days(from_date, to_date)
    async with reading(portal.sessions) as session:
        await authorize_dealer(session, actor, id)
        whose = RewardScope(installers=() if _sees_all(actor) else (actor.person.id,))
        sums = await sums_by_installer(session, id, whose, stretch, limit=MOST_SUMS)
        _, total = await sum_rewards(session, id, whose, stretch)
        names = await names_of(session, sorted({one.installer_id for one in sums}))
    results = [
        RewardSumOut(**one.model_dump(), installer=names.get(one.installer_id, "")) for one in sums
    ]
    amounts = [amount_out(one) for one in amounts_of(portal.reward_policy)]
    return RewardSums(results=results, total=total, amounts=amounts)


@router.get("/{id}/payouts")
async def list_payouts(
    portal: PortalDep,
    actor: SignedIn,
    id: DealerId,
    from_date: FirstDay | None = None,
    to_date: LastDay | None = None,
    subscriber_id: SubscriberId = None,
    limit: Limit = 25,
    offset: Offset = 0,
) -> PayoutsPage:
    """What the dealer's people earned in each UTC month that these days touch, and whether it was paid; the newest first. What
    was earned before the portal paid rewards is settled elsewhere, and not among it. Of a subscriber who does not work there
    it is nothing. Raises NotFound, Invalid."""
    days(from_date, to_date)
    now = datetime.now(UTC)
    async with reading(portal.sessions) as session:
        await authorize_dealer(session, actor, id)
        if subscriber_id is not None and not await has_subscriber(session, id, subscriber_id):
            return PayoutsPage(results=[], count=0)
        months, count = await list_months(
            session,
            id,
            _month(from_date),
            _month(to_date),
            begins=portal.payouts_from,
            limit=limit,
            offset=offset,
        )
    results = [
        PayoutOut(
            **one.model_dump(exclude={"state"}),
            state=one.state or month_state(one.month, one.amount, now),
        )
        for one in months
    ]
    return PayoutsPage(results=results, count=count)


def _month(day: date | None) -> str | None:
    return f"{day:%Y-%m}" if day else None


def _sees_all(actor: Actor) -> bool:
    return bool(actor.roles & {Role.OWNER, Role.INSIDE_REP, Role.ADMIN})


def _whose(actor: Actor, named: list[str]) -> tuple[str, ...]:
    """Raises InstallerRequired, or NotFound for an installer who names somebody else."""
    if "" in named or (not named and not _sees_all(actor)):
        raise InstallerRequired
    if not _sees_all(actor) and set(named) != {actor.person.id}:
        raise NotFound
    return tuple(named)
