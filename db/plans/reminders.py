"""Plans that end soon, and whose owners nobody has told."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.plans.plans import SubscriptionRow, subscription_of
from domain.plans.plans import Subscription

TAKEN_FOR = timedelta(minutes=5)
"""Longer than the mails to the owners of a business take."""

_UNREMINDED = text(
    """
    select id from subscription
    where superseded_at is null and reminded_at is null and ends_at > now()
      and ends_at <= now() + case term when 'month_to_month' then interval '7 days' else interval '30 days' end
      and not id = any(:but) and coalesce(taken_until, now()) <= now()
    order by ends_at limit :limit for update skip locked
    """
)


async def take_unreminded(
    session: AsyncSession, *, but: Collection[str] = (), limit: int = 50
) -> tuple[Subscription, ...]:
    """Plans that end within thirty days, those of a month within seven, of which nobody was told, `but` for those with
    these ids, and whom nobody writes to now; locked for the transaction."""
    ids = list(await session.scalars(_UNREMINDED, {"limit": limit, "but": list(but)}))
    rows = await session.scalars(
        select(SubscriptionRow).where(SubscriptionRow.id.in_(ids)).order_by(SubscriptionRow.ends_at)
    )
    return tuple(subscription_of(row) for row in rows)


async def take_for_reminding(session: AsyncSession, ids: Sequence[str]) -> None:
    """They are the caller's for a while: others leave them alone though nothing is locked."""
    await session.execute(
        update(SubscriptionRow)
        .where(SubscriptionRow.id.in_(ids))
        .values(taken_until=func.now() + TAKEN_FOR)
    )


async def put_back(session: AsyncSession, ids: Sequence[str]) -> None:
    """For the next look."""
    await session.execute(
        update(SubscriptionRow).where(SubscriptionRow.id.in_(ids)).values(taken_until=None)
    )


async def mark_reminded(session: AsyncSession, ids: Sequence[str]) -> None:
    await session.execute(
        update(SubscriptionRow).where(SubscriptionRow.id.in_(ids)).values(reminded_at=func.now())
    )
