"""Confirmations that are still to be mailed: written where an order is confirmed, gone once the mail is out."""

from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, Index, Text, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.base import Frozen

CHANNEL = "order_mail"
"""Notified when one was kept."""
TAKEN_FOR = timedelta(minutes=1)
"""Longer than one mail may take."""
SLOWEST, MOST_DOUBLED = timedelta(minutes=10), 10


class OrderMailRow(Base):
    """`token` is the cart's, `portal_url` where the buyer looks at the order, `request_id` that of the click that has confirmed it.
    Nobody looks at it before `next_at`: somebody is at it, or the mail server did not take it."""

    __tablename__ = "order_mail"
    __table_args__ = (Index("ix_order_mail_next_at", "next_at"),)

    token: Mapped[str] = mapped_column(
        ForeignKey("shop_order.token", ondelete="CASCADE"), primary_key=True
    )
    portal_url: Mapped[str] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    tries: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    next_at: Mapped[datetime] = mapped_column(server_default=func.now())


class WaitingMail(Frozen):
    token: str
    portal_url: str
    request_id: str | None


_QUEUE = text(
    f"""
    with kept as (
        insert into order_mail (token, portal_url, request_id) values (:token, :portal_url, :request_id)
        on conflict do nothing
    )
    select pg_notify('{CHANNEL}', '')
    """
)


async def queue_mail(
    session: AsyncSession, token: str, portal_url: str, *, request_id: str | None = None
) -> None:
    """The order of this cart is to be confirmed. Whoever listens is woken when the transaction commits. Idempotent while it
    waits; what was mailed once is known by its key (`db/platform/sent_mail.py`)."""
    await session.execute(
        _QUEUE, {"token": token, "portal_url": portal_url, "request_id": request_id}
    )


async def take_mails(session: Executes, *, limit: int) -> tuple[WaitingMail, ...]:
    """Those that wait longest: the caller's for a while, so that others leave them alone though nothing is locked."""
    waiting = (
        select(OrderMailRow.token)
        .where(OrderMailRow.next_at <= func.now())
        .order_by(OrderMailRow.next_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    rows = await session.execute(
        update(OrderMailRow)
        .where(OrderMailRow.token.in_(waiting))
        .values(next_at=func.now() + TAKEN_FOR, tries=OrderMailRow.tries + 1)
        .returning(OrderMailRow.token, OrderMailRow.portal_url, OrderMailRow.request_id)
    )
    return tuple(WaitingMail.model_validate(row, from_attributes=True) for row in rows)


async def mark_mailed(session: Executes, token: str) -> None:
    await session.execute(delete(OrderMailRow).where(OrderMailRow.token == token))


async def put_back(session: Executes, token: str) -> None:
    """For a later look: after a second, then after twice as long each time, up to `SLOWEST`."""
    doubled = func.power(2, func.least(OrderMailRow.tries - 1, MOST_DOUBLED))
    seconds = func.least(doubled, SLOWEST.total_seconds())
    await session.execute(
        update(OrderMailRow)
        .where(OrderMailRow.token == token)
        .values(next_at=func.now() + func.make_interval(0, 0, 0, 0, 0, 0, seconds))
    )
