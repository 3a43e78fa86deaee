"""What holds for the whole portal and is worth an alert: looked at every few seconds by each API that is measured."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions, reading
from db.billing.reconciliation.differences import count_open
from db.billing.reconciliation.rounds import last_compared
from db.dealers.payouts import payouts_for_a_person
from db.operations import erp_mirror, rounds, runs
from db.platform.durability import archives_wal
from db.platform.outboxes import OutboxFigures, outbox_figures
from db.runs.drift import drifts_within_a_day
from domain.operations.operations import RunList

LOOK_EVERY_SECONDS = 10.0

log = structlog.stdlib.get_logger()


@dataclass(frozen=True)
class QueueFigures:
    """Of the tasks of one kind, `workflow` or `activity`."""

    kind: str
    tasks: int
    pollers: int


Queue = Callable[[], Awaitable[tuple[QueueFigures, ...] | None]]


@dataclass(frozen=True)
class Figures:
    """`at` is Unix time. Not `answered`: the database is away, and the rest is not known. `queue` is None while Temporal is
    away, `reconciler_seconds` until it has been round, `books_seconds` until the books were compared whole, `archives_wal` where no WAL is
    archived. `attention` are runs
    by kind that need it and that nobody has taken off the list, `payouts` those by state that wait for a person, `feeds` the
    seconds since each of the ERP's was read."""

    at: float = field(default_factory=time.time)
    answered: bool = False
    runs: tuple[tuple[str, str, int], ...] = ()
    outboxes: tuple[OutboxFigures, ...] = ()
    open_cases: int = 0
    stuck: int = 0
    drifts: int = 0
    attention: tuple[tuple[str, int], ...] = ()
    payouts: tuple[tuple[str, int], ...] = ()
    differences: int = 0
    feeds: tuple[tuple[str, float], ...] = ()
    reconciler_seconds: float | None = None
    books_seconds: float | None = None
    archives_wal: bool | None = None
    queue: tuple[QueueFigures, ...] | None = None


async def look(sessions: Sessions, look_at_queue: Queue) -> Figures:
    """Whatever fails is logged, and nothing is known then."""
    queue = None
    try:
        queue = await look_at_queue()
        async with reading(sessions) as session:
            tallies = await runs.tallies(session)
            last = await rounds.last_pass(session)
            compared = await last_compared(session)
            return Figures(
                answered=True,
                runs=tuple((one.kind, one.state, one.count) for one in tallies if one.is_open),
                outboxes=await outbox_figures(session),
                open_cases=sum(one.count for one in tallies if one.is_open and one.kind == "case"),
                stuck=await runs.count_shown(session, RunList.STUCK),
                drifts=await drifts_within_a_day(session),
                attention=await runs.attention_by_kind(session),
                payouts=tuple((await payouts_for_a_person(session)).items()),
                feeds=tuple(
                    (one.feed, (datetime.now(UTC) - one.read_at).total_seconds())
                    for one in await erp_mirror.places(session)
                ),
                differences=sum((await count_open(session)).values()),
                reconciler_seconds=_since(last.at if last is not None else None),
                books_seconds=_since(compared),
                archives_wal=await archives_wal(session),
                queue=queue,
            )
    except (SQLAlchemyError, OSError) as error:
        log.warning("figures were not seen", kind=type(error).__name__)
    except Exception:
        log.exception("figures were not seen")
    return Figures(queue=queue)


async def keep_looking(
    sessions: Sessions,
    look_at_queue: Queue,
    publish: Callable[[Figures], None],
    *,
    every: float = LOOK_EVERY_SECONDS,
) -> None:
    """Until cancelled. While a look takes longer than `every` seconds nothing answers, as a query of a database that hangs
    cannot be given up, and no other is begun beside it."""
    looking: asyncio.Task[Figures] | None = None
    try:
        while True:
            looking = looking or asyncio.create_task(look(sessions, look_at_queue))
            await asyncio.wait({looking}, timeout=every)
            if looking.done():
                publish(looking.result())
                looking = None
                await asyncio.sleep(every)
            else:
                publish(Figures(queue=await look_at_queue()))
    finally:
        if looking is not None:
            looking.cancel()


def _since(moment: datetime | None) -> float | None:
    return (datetime.now(UTC) - moment).total_seconds() if moment is not None else None
