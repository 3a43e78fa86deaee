"""Plans and their prices for each channel, and the subscriptions of devices."""

from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    Numeric,
    Text,
    and_,
    func,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.base import Frozen
from domain.devices.devices import Product
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.plans import (
    ENDING_WITHIN,
    Plan,
    PlanType,
    Subscription,
    SubscriptionState,
    Term,
    plan_id,
)

MOST_PLANS = 200
MONEY = Numeric(12, 2)


class PlanTypeRow(Base):
    __tablename__ = "plan_type"

    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    display_name: Mapped[str] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text)
    image: Mapped[str] = mapped_column(Text)
    image_description: Mapped[str] = mapped_column(Text)
    popular: Mapped[bool]
    rank: Mapped[int]
    is_retired: Mapped[bool] = mapped_column(server_default="false")


class PlanPriceRow(Base):
    """What a plan costs for a whole term in one channel. Every term has its list price in `msrp`."""

    __tablename__ = "plan_price"
    __table_args__ = (CheckConstraint("amount > 0", name="amount"),)

    slug: Mapped[str] = mapped_column(
        ForeignKey("plan_type.slug", ondelete="CASCADE"), primary_key=True
    )
    term: Mapped[str] = mapped_column(Text, primary_key=True)
    channel: Mapped[str] = mapped_column(Text, primary_key=True)
    amount: Mapped[Decimal] = mapped_column(MONEY)


class SubscriptionRow(Base):
    """At most one row of a device is live; one that was renewed or changed is superseded and kept."""

    __tablename__ = "subscription"
    __table_args__ = (
        CheckConstraint("worth >= 0", name="worth"),
        CheckConstraint("ends_at > starts_at", name="times"),
        Index(
            "uq_subscription_live",
            "device_key",
            unique=True,
            postgresql_where=text("superseded_at is null"),
        ),
        Index(
            "ix_subscription_partner_ends",
            "partner_code",
            "ends_at",
            "id",
            postgresql_where=text("superseded_at is null"),
        ),
        Index(
            "ix_subscription_owner_ends",
            "owner_id",
            "ends_at",
            "id",
            postgresql_where=text("superseded_at is null"),
        ),
        Index(
            "ix_subscription_ends",
            "ends_at",
            postgresql_where=text("superseded_at is null and reminded_at is null"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    device_key: Mapped[str] = mapped_column(Text)
    product_name: Mapped[str] = mapped_column(Text)
    plan_id: Mapped[str] = mapped_column(Text)
    plan_slug: Mapped[str] = mapped_column(Text)
    plan_name: Mapped[str] = mapped_column(Text)
    rank: Mapped[int]
    term: Mapped[str] = mapped_column(Text)
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    worth: Mapped[Decimal] = mapped_column(MONEY)
    partner_code: Mapped[str | None] = mapped_column(Text)
    dealer_id: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[str | None] = mapped_column(Text)
    purchase_id: Mapped[str | None] = mapped_column(Text, index=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    superseded_at: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    suspended_at: Mapped[datetime | None]
    taken_until: Mapped[datetime | None]
    """Somebody is writing about its end."""


class Holders(Frozen):
    """Whose subscriptions and receipts are meant: those of a business, of one person without any, or everybody's."""

    partner_code: str | None = None
    owner_id: str | None = None
    everybodys: bool = False


async def plans_for(
    session: AsyncSession, channel: str, *, retired: bool = False
) -> tuple[Plan, ...]:
    """All plans with all their terms at the prices of a channel, by rank and term. Where the channel has no price, the
    list price holds."""
    query = (
        select(PlanTypeRow, PlanPriceRow)
        .join(PlanPriceRow, PlanPriceRow.slug == PlanTypeRow.slug)
        .where(PlanPriceRow.channel.in_({channel, DEFAULT_CHANNEL}))
    )
    if not retired:
        query = query.where(PlanTypeRow.is_retired.is_(False))
    rows = await session.execute(query.limit(2 * MOST_PLANS))
    listed: dict[tuple[str, str], tuple[PlanTypeRow, dict[str, Decimal]]] = {}
    for kind, price in rows:
        _, amounts = listed.setdefault((kind.slug, price.term), (kind, {}))
        amounts[price.channel] = price.amount
    found = [
        _plan(kind, Term(term), amounts, channel)
        for (_, term), (kind, amounts) in listed.items()
        if DEFAULT_CHANNEL in amounts
    ]
    return tuple(sorted(found, key=lambda plan: (plan.rank, plan.months)))


async def find_plan(session: AsyncSession, id_: str, channel: str) -> Plan | None:
    """A plan for a term, a retired one too."""
    plans = await plans_for(session, channel, retired=True)
    return next((plan for plan in plans if plan.id == id_), None)


def _plan(kind: PlanTypeRow, term: Term, amounts: dict[str, Decimal], channel: str) -> Plan:
    words = {name: getattr(kind, name) for name in PlanType.model_fields}
    return Plan(
        **words,
        id=plan_id(kind.slug, term),
        term=term,
        months=term.months,
        list_amount=amounts[DEFAULT_CHANNEL],
        amount=amounts.get(channel, amounts[DEFAULT_CHANNEL]),
    )


async def present_subscriptions(
    session: AsyncSession, device_keys: list[str]
) -> dict[str, Subscription]:
    """The live row of each device that has one, ended ones too."""
    rows = await session.scalars(
        select(SubscriptionRow).where(
            SubscriptionRow.device_key.in_(device_keys), SubscriptionRow.superseded_at.is_(None)
        )
    )
    return {row.device_key: subscription_of(row) for row in rows}


async def list_subscriptions(
    session: AsyncSession,
    holders: Holders,
    *,
    state: SubscriptionState | None,
    starts_with: str,
    now: datetime | None = None,
    ending_within: timedelta,
    limit: int,
    after: tuple[datetime, str] | None = None,
) -> tuple[Subscription, ...]:
    """The live rows, those that end first first; `now` is the database's unless it is given. `after` is the (ends_at, id) of
    the last row of the page before."""
    query = select(SubscriptionRow).where(_matching(holders, starts_with))
    ends = SubscriptionRow.ends_at
    if state is not None:
        query = query.where(_in_states(now, ending_within)[state])
    if after is not None:
        query = query.where(tuple_(ends, SubscriptionRow.id) > after)
    rows = await session.scalars(query.order_by(ends, SubscriptionRow.id).limit(limit))
    return tuple(subscription_of(row) for row in rows)


async def count_subscriptions(
    session: AsyncSession, holders: Holders, starts_with: str, now: datetime
) -> dict[SubscriptionState, int]:
    """How many live rows there are in each state."""
    states = _in_states(now, ENDING_WITHIN)
    counted = [func.count().filter(fits) for fits in states.values()]
    query = select(*counted).select_from(SubscriptionRow).where(_matching(holders, starts_with))
    row = (await session.execute(query)).one()
    return dict(zip(states, row, strict=True))


def _matching(holders: Holders, starts_with: str) -> ColumnElement[bool]:
    found: list[ColumnElement[bool]] = [SubscriptionRow.superseded_at.is_(None)]
    if not holders.everybodys:
        column = SubscriptionRow.partner_code if holders.partner_code else SubscriptionRow.owner_id
        found.append(column == (holders.partner_code or holders.owner_id))
    if starts_with:
        found.append(SubscriptionRow.device_key.startswith(starts_with, autoescape=True))
    return and_(*found)


def _in_states(
    now: datetime | None, ending_within: timedelta
) -> dict[SubscriptionState, ColumnElement[bool]]:
    ends, at = SubscriptionRow.ends_at, func.now() if now is None else now
    soon, runs = at + ending_within, SubscriptionRow.suspended_at.is_(None)
    return {
        SubscriptionState.ACTIVE: and_(ends > soon, runs),
        SubscriptionState.ENDING: and_(ends > at, ends <= soon, runs),
        SubscriptionState.SUSPENDED: and_(ends > at, ~runs),
        SubscriptionState.ENDED: ends <= at,
    }


async def devices_subscribed(
    session: AsyncSession, holders: Holders, starts_with: str, *, limit: int
) -> tuple[Subscription, ...]:
    """The live rows of devices whose serial number begins so, by that number."""
    column = SubscriptionRow.partner_code if holders.partner_code else SubscriptionRow.owner_id
    rows = await session.scalars(
        select(SubscriptionRow)
        .where(
            column == (holders.partner_code or holders.owner_id),
            SubscriptionRow.superseded_at.is_(None),
            SubscriptionRow.device_key.startswith(starts_with, autoescape=True),
        )
        .order_by(SubscriptionRow.device_key)
        .limit(limit)
    )
    return tuple(subscription_of(row) for row in rows)


async def subscribe(session: AsyncSession, subscription: Subscription) -> None:
    """Makes it the device's live one; the one before is kept. Idempotent by its id."""
    known = await session.scalar(
        select(SubscriptionRow.id).where(SubscriptionRow.id == subscription.id)
    )
    if known is not None:
        return
    await session.execute(
        update(SubscriptionRow)
        .where(
            SubscriptionRow.device_key == subscription.device_key,
            SubscriptionRow.superseded_at.is_(None),
        )
        .values(superseded_at=func.now())
    )
    await session.execute(insert(SubscriptionRow).values(**subscription.model_dump()))


_MOVE = text(
    """
    update subscription set device_key = :new, product_name = coalesce(:product, product_name)
    where device_key = :old and superseded_at is null
      and not exists (select 1 from subscription s where s.device_key = :new and s.superseded_at is null)
    """
)


async def move_subscription(
    session: AsyncSession, old: str, new: str, product: Product | None
) -> None:
    """The plan goes on with the device that took the other one's place, unless that has one of its own. `product` is the
    new device's; None while the device network does not tell. Idempotent."""
    values = {"old": old, "new": new, "product": product}
    await session.execute(_MOVE, values)


async def devices_of_purchase(session: AsyncSession, purchase_id: str) -> tuple[str, ...]:
    """The devices that have, or had, a plan by this purchase."""
    rows = await session.scalars(
        select(SubscriptionRow.device_key)
        .where(SubscriptionRow.purchase_id == purchase_id)
        .order_by(SubscriptionRow.device_key)
        .limit(MOST_PLANS)
    )
    return tuple(rows)


async def plans_of_purchase(session: AsyncSession, purchase_id: str) -> tuple[Subscription, ...]:
    """Those that no other has replaced, each with the device that it is on by now. The network knows a plan by its id, whichever
    device has it."""
    rows = await session.scalars(
        select(SubscriptionRow)
        .where(SubscriptionRow.purchase_id == purchase_id, SubscriptionRow.superseded_at.is_(None))
        .order_by(SubscriptionRow.id)
        .limit(MOST_PLANS)
    )
    return tuple(subscription_of(row) for row in rows)


async def device_of_plan(session: AsyncSession, subscription_id: str) -> str | None:
    """The device that it is on by now; None once another plan has replaced it."""
    return await session.scalar(
        select(SubscriptionRow.device_key).where(
            SubscriptionRow.id == subscription_id, SubscriptionRow.superseded_at.is_(None)
        )
    )


async def mark_suspended(
    session: AsyncSession, subscription_id: str, *, is_suspended: bool
) -> None:
    """As the device network has it: since now, unless it was suspended before, or no more. Idempotent."""
    since = func.coalesce(SubscriptionRow.suspended_at, func.now()) if is_suspended else None
    plan = update(SubscriptionRow).where(SubscriptionRow.id == subscription_id)
    await session.execute(plan.values(suspended_at=since))


def subscription_of(row: SubscriptionRow) -> Subscription:
    return Subscription.model_validate(row, from_attributes=True)
