"""What third parties told us, kept before it is handed on: undelivered rows are the outbox. A repeated event is one row."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Index, Text, func, select, text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from db.platform.outboxes import HandedOn, Taken

CHANNEL = "webhook_event"
"""Notified when an event was kept."""
TAKEN_FOR, LOOKED_AT_AGAIN = timedelta(minutes=1), timedelta(seconds=1)


class WebhookEventRow(HandedOn, Base):
    """`provider` is `card`, `bank` or `erp`; `subject` is what the event is about, in the provider's name or ours; `body`
    holds what we use of it and nothing else."""

    __tablename__ = "webhook_event"
    __table_args__ = (
        Index(
            "ix_webhook_event_undelivered",
            "provider",
            "received_at",
            postgresql_where=text("delivered_at is null"),
        ),
        Index("ix_webhook_event_received_at", "received_at"),
    )

    provider: Mapped[str] = mapped_column(Text, primary_key=True)
    event_id: Mapped[str] = mapped_column(Text, primary_key=True)
    type: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    body: Mapped[dict[str, Any]] = mapped_column(JSONB)
    received_at: Mapped[datetime] = mapped_column(server_default=func.now())


def outbox(provider: str) -> Taken:
    def named(ids: list[str]) -> ColumnElement[bool]:
        return (WebhookEventRow.provider == provider) & WebhookEventRow.event_id.in_(ids)

    return Taken(WebhookEventRow, named, again=LOOKED_AT_AGAIN)


async def save_event(
    session: AsyncSession,
    *,
    provider: str,
    event_id: str,
    type: str,
    subject: str,
    body: dict[str, Any],
    delivered: bool = False,
) -> bool:
    """Whether it was new. Whoever listens is woken when the transaction commits, but of what is `delivered`: in the caller's
    transaction everything that it says is taken over."""
    added = await session.scalar(
        insert(WebhookEventRow)
        .values(
            provider=provider,
            event_id=event_id,
            type=type,
            subject=subject,
            body=body,
            delivered_at=func.now() if delivered else None,
        )
        .on_conflict_do_nothing()
        .returning(WebhookEventRow.event_id)
    )
    if added is None:
        return False
    if not delivered:
        await session.execute(select(func.pg_notify(CHANNEL, provider)))
    return True


async def take_events(
    session: Executes, provider: str, *, limit: int
) -> tuple[dict[str, Any], ...]:
    """The bodies of the oldest that nobody was told of: the caller's for a minute, so that others leave them alone though
    nothing is locked."""
    oldest = (
        select(WebhookEventRow.event_id)
        .where(
            WebhookEventRow.provider == provider,
            WebhookEventRow.delivered_at.is_(None),
            (WebhookEventRow.taken_until.is_(None)) | (WebhookEventRow.taken_until < func.now()),
        )
        .order_by(WebhookEventRow.received_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    rows = await session.execute(
        update(WebhookEventRow)
        .where(WebhookEventRow.provider == provider, WebhookEventRow.event_id.in_(oldest))
        .values(taken_until=func.now() + TAKEN_FOR)
        .returning(WebhookEventRow.received_at, WebhookEventRow.body)
    )
    return tuple(row.body for row in sorted(rows, key=lambda row: row.received_at))
