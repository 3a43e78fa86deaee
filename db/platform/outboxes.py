"""How much waits to be handed on, and for how long."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.base import Frozen


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
