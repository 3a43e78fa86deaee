"""What waits to be handed on: how a row is taken, how many wait, and for how long."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped

from db.base import Executes
from domain.base import Frozen


class HandedOn:
    """A row of an outbox: undelivered, it waits. Whoever hands it on takes it for a while, so that others leave it alone though
    nothing is locked."""

    delivered_at: Mapped[datetime | None]
    taken_until: Mapped[datetime | None]
    """Somebody hands it on, or nobody looks at it, until then."""


@dataclass(frozen=True)
class Taken:
    """The rows of `table` that somebody took, by their ids (`named`). Nobody looks `again` at one before that time is over."""

    table: type[HandedOn]
    named: Callable[[list[str]], ColumnElement[bool]]
    again: timedelta

    async def mark_delivered(self, session: Executes, ids: Iterable[str]) -> None:
        await session.execute(
            update(self.table).where(self.named(list(ids))).values(delivered_at=func.now())
        )

    async def put_back(self, session: Executes, ids: Iterable[str]) -> None:
        """For a next look, after those that came meanwhile had theirs."""
        await session.execute(
            update(self.table)
            .where(self.named(list(ids)))
            .values(taken_until=func.now() + self.again)
        )


class OutboxFigures(Frozen):
    """`oldest_seconds` is 0 where nothing waits."""

    name: str
    rows: int
    oldest_seconds: float


async def outbox_figures(session: AsyncSession) -> tuple[OutboxFigures, ...]:
    """Of what devices and what providers told us, and of the confirmations of orders. One of those that the mail server did not
    take waits for its next try: it is as old as that try is overdue."""
    rows = await session.execute(
        text(
            """
            select name, count(since) as rows,
                greatest(coalesce(extract(epoch from now() - min(since)), 0), 0) as oldest_seconds
            from (values ('devices'), ('providers'), ('order_mails')) named (name)
            left join (
                select 'devices' as box, received_at as since from device_log
                where delivered_at is null
                union all
                select 'providers', received_at from webhook_event where delivered_at is null
                union all
                select 'order_mails', next_at from order_mail
            ) waiting on box = name
            group by name order by name
            """
        )
    )
    return tuple(OutboxFigures.model_validate(dict(row)) for row in rows.mappings())
