"""What installers earned: written once for each completed activation, never changed (docs/decisions/0043)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Index,
    Numeric,
    Text,
    exists,
    func,
    or_,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.people import PersonRow
from db.plans.plans import SubscriptionRow
from db.runs.flows import FlowRow
from domain.activation.configuring import Replaced, Rewards
from domain.base import Frozen
from domain.dealers.rewards import Completed, Days, Reward, RewardKind, taken_back
from domain.money import Money

LOOKED_BACK = timedelta(days=90)
"""A run that ended longer ago is rewarded no more: no outage of the workers lasts that long."""

REWARDS_STEP = "device-rewards"
"""The runs that have this step earn something (the step table of the activation)."""


class RewardedRunRow(Base):
    """A run that was judged, whether it earned something or nothing."""

    __tablename__ = "rewarded_run"

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    rewarded_at: Mapped[datetime] = mapped_column(server_default=func.now())


class RewardRow(Base):
    """No foreign keys: what was earned outlives the run, and stands whoever leaves. What is taken back is a row of its
    own."""

    __tablename__ = "reward"
    __table_args__ = (
        CheckConstraint("(kind = 'earned') = (amount > 0) and amount <> 0", name="amount"),
        CheckConstraint("kind in ('earned', 'taken_back')", name="kind"),
        Index("ix_reward_dealer_earned", "dealer_id", "earned_at", "flow_id"),
        Index("ix_reward_installer_earned", "dealer_id", "installer_id", "earned_at"),
        Index("ix_reward_device", "device_key", "earned_at"),
        Index(
            "ix_reward_unpaid",
            "dealer_id",
            "earned_at",
            postgresql_where=text("payout_month is null"),
        ),
    )

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    installer_id: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text, primary_key=True, server_default=RewardKind.EARNED)
    dealer_id: Mapped[str] = mapped_column(Text)
    device_key: Mapped[str] = mapped_column(Text)
    product_name: Mapped[str] = mapped_column(Text)
    plan_slug: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    shared_among: Mapped[int]
    earned_at: Mapped[datetime]
    payout_month: Mapped[str | None] = mapped_column(Text)
    """The month of the payout that it was paid with."""


class RewardScope(Frozen):
    """Whose rewards: of any of these installers, and of this subscriber of the device network; of all without either."""

    installers: tuple[str, ...] = ()
    subscriber_id: str | None = None


class RewardSum(Frozen):
    """What one installer earned in a UTC month (YYYY-MM), with how many devices."""

    installer_id: str
    month: str
    amount: Money
    devices: int


async def take_unrewarded(session: AsyncSession, *, limit: int = 50) -> tuple[Completed, ...]:
    """Completed activations of dealers that were not judged yet, the oldest first; locked for the transaction, past
    those that another worker holds."""
    judged = select(RewardedRunRow.flow_id).where(RewardedRunRow.flow_id == FlowRow.id)
    query = (
        select(FlowRow)
        .where(
            FlowRow.kind == "activation",
            FlowRow.outcome == "completed",
            FlowRow.ended_at > func.now() - LOOKED_BACK,
            FlowRow.dealer_id.is_not(None),
            ~judged.exists(),
        )
        .order_by(FlowRow.ended_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    flows = list(await session.scalars(query))
    plans = await _plans_of(session, [flow.device_key for flow in flows if flow.device_key])
    return tuple(_completed(flow, plans) for flow in flows)


async def save_rewards(session: AsyncSession, run: Completed, rewards: Sequence[Reward]) -> bool:
    """With what its swap of a device takes back. Idempotent by the run: whether it was not judged before."""
    flow_id = run.flow_id
    judged = await session.scalar(
        insert(RewardedRunRow)
        .values(flow_id=flow_id)
        .on_conflict_do_nothing()
        .returning(RewardedRunRow.flow_id)
    )
    if judged is not None and rewards:
        await session.execute(insert(RewardRow), [reward.model_dump() for reward in rewards])
    if judged is not None and run.swapped is not None:
        await take_back_swapped(session, run.swapped, run.ended_at)
    return judged is not None


async def take_back_swapped(session: AsyncSession, device_key: str, swapped_at: datetime) -> None:
    """What the device earned so shortly before; once, however often it is swapped."""
    await _take_back(session, RewardRow.device_key == device_key, swapped_at)


async def take_back_paid_back(
    session: AsyncSession, purchase_id: str, paid_back_at: datetime
) -> None:
    """What devices earned so shortly before with plans of this purchase, which nobody has paid for; once."""
    with_its_plan = exists().where(
        SubscriptionRow.purchase_id == purchase_id,
        SubscriptionRow.device_key == RewardRow.device_key,
        SubscriptionRow.plan_slug == RewardRow.plan_slug,
        SubscriptionRow.created_at <= RewardRow.earned_at,
        or_(
            SubscriptionRow.superseded_at.is_(None),
            SubscriptionRow.superseded_at > RewardRow.earned_at,
        ),
    )
    await _take_back(session, with_its_plan, paid_back_at)


async def _take_back(
    session: AsyncSession, which: ColumnElement[bool], undone_at: datetime
) -> None:
    rows = await session.scalars(
        select(RewardRow).where(
            which, RewardRow.kind == RewardKind.EARNED, RewardRow.earned_at <= undone_at
        )
    )
    earned = [Reward.model_validate(row, from_attributes=True) for row in rows]
    undone = [back for one in earned if (back := taken_back(one, undone_at)) is not None]
    if undone:
        await session.execute(
            insert(RewardRow).on_conflict_do_nothing(), [back.model_dump() for back in undone]
        )


async def list_rewards(
    session: AsyncSession,
    dealer_id: str,
    whose: RewardScope,
    days: Days,
    *,
    limit: int,
    offset: int,
) -> tuple[Reward, ...]:
    """The newest first."""
    rows = await session.scalars(
        select(RewardRow)
        .where(*_within(dealer_id, whose, days))
        .order_by(
            RewardRow.earned_at.desc(), RewardRow.flow_id, RewardRow.installer_id, RewardRow.kind
        )
        .limit(limit)
        .offset(offset)
    )
    return tuple(Reward.model_validate(row, from_attributes=True) for row in rows)


async def sum_rewards(
    session: AsyncSession, dealer_id: str, whose: RewardScope, days: Days
) -> tuple[int, Decimal]:
    """How many there are, and what they come to."""
    query = select(func.count(), func.coalesce(func.sum(RewardRow.amount), 0)).where(
        *_within(dealer_id, whose, days)
    )
    count, total = (await session.execute(query)).one()
    return count, Decimal(total)


async def sums_by_installer(
    session: AsyncSession, dealer_id: str, whose: RewardScope, days: Days, *, limit: int
) -> tuple[RewardSum, ...]:
    """For each installer and month, the newest month first."""
    month = _month()
    query = (
        select(
            RewardRow.installer_id,
            month.label("month"),
            func.sum(RewardRow.amount).label("amount"),
            func.count().filter(RewardRow.kind == RewardKind.EARNED).label("devices"),
        )
        .where(*_within(dealer_id, whose, days))
        .group_by(RewardRow.installer_id, month)
        .order_by(month.desc(), RewardRow.installer_id)
        .limit(limit)
    )
    rows = (await session.execute(query)).all()
    return tuple(RewardSum.model_validate(row, from_attributes=True) for row in rows)


def _month() -> ColumnElement[str]:
    return func.to_char(func.timezone("UTC", RewardRow.earned_at), "YYYY-MM")


def _within(dealer_id: str, whose: RewardScope, days: Days) -> list[ColumnElement[bool]]:
    wanted = [RewardRow.dealer_id == dealer_id]
    if whose.installers:
        wanted.append(RewardRow.installer_id.in_(whose.installers))
    if whose.subscriber_id is not None:
        them = select(PersonRow.id).where(PersonRow.subscriber_id == whose.subscriber_id)
        wanted.append(RewardRow.installer_id.in_(them))
    if days.start is not None:
        wanted.append(RewardRow.earned_at >= days.start)
    if days.before is not None:
        wanted.append(RewardRow.earned_at < days.before)
    return wanted


async def _plans_of(session: AsyncSession, device_keys: list[str]) -> dict[str, str]:
    """Device → the type of the plan that it has."""
    rows = await session.execute(
        select(SubscriptionRow.device_key, SubscriptionRow.plan_slug).where(
            SubscriptionRow.device_key.in_(device_keys),
            SubscriptionRow.superseded_at.is_(None),
            SubscriptionRow.ends_at > func.now(),
        )
    )
    return dict(rows.all())


class _Facts(Frozen):
    rewards: Rewards | None = None
    replaced: Replaced | None = None


class _Device(Frozen):
    product_name: str | None = None


class _EndedView(Frozen):
    """What an activation's view says of rewards."""

    plan: tuple[str, ...] = ()
    facts: _Facts = _Facts()
    device: _Device = _Device()


def _completed(flow: FlowRow, plans: dict[str, str]) -> Completed:
    view = _EndedView.model_validate(flow.view)
    named = view.facts.rewards
    took_part = (
        (named and named.installer_id) or flow.owner_id,
        named.involved_installer_id if named else None,
    )
    earns = REWARDS_STEP in view.plan
    assert flow.dealer_id is not None
    assert flow.ended_at is not None
    return Completed(
        flow_id=flow.id,
        dealer_id=flow.dealer_id,
        device_key=flow.device_key or "",
        product_name=view.device.product_name,
        plan_slug=plans.get(flow.device_key or ""),
        installers=tuple(one for one in took_part if one) if earns else (),
        swapped=view.facts.replaced.old_device_key if view.facts.replaced else None,
        ended_at=flow.ended_at,
    )


async def reward_of(session: AsyncSession, flow_id: str, installer_id: str) -> Decimal | None:
    """What this person has of this activation: nothing is left of what was taken back. None where nothing was earned."""
    return await session.scalar(
        select(func.sum(RewardRow.amount)).where(
            RewardRow.flow_id == flow_id, RewardRow.installer_id == installer_id
        )
    )
