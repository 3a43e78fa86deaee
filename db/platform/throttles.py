"""Counters of tries per account, address and in all, kept in the database so that every process sees them (promise 27)."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Case, Index, Text, case, func
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.base import Frozen


class ThrottleRow(Base):
    __tablename__ = "throttle"
    __table_args__ = (Index("ix_throttle_since", "since"),)

    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    since: Mapped[datetime] = mapped_column(server_default=func.now())
    tries: Mapped[int]


class Limit(Frozen):
    """At most `tries` of this kind per subject within `window`, counted from the first."""

    kind: str
    tries: int
    window: timedelta


async def count_tries(
    session: Executes, limited: Sequence[tuple[Limit, str]], *, times: int = 1
) -> int | None:
    """Counts one try of each (limit, subject) before it is made, or as many as `times`, atomically, so that parallel ones all
    count.

    Answers None while within every limit, else the seconds until the last exceeded window ends. The caller commits at
    once. Rows are locked in the order given: everybody gives the same one, so that nobody waits in a circle.
    """
    limits = {limit.kind: limit for limit, _ in limited}
    window = _window(limited)
    counted = await session.execute(
        _counting(limited, times).returning(
            ThrottleRow.kind, ThrottleRow.tries, ThrottleRow.since + window - func.now()
        )
    )
    waits = [
        max(1, int(left.total_seconds()))
        for kind, tries, left in counted
        if tries > limits[kind].tries
    ]
    return max(waits, default=None)


async def count_first_tries(session: AsyncSession, limited: Sequence[tuple[Limit, str]]) -> int:
    """Counts one try of each, and answers for how many it is the first within the window. The caller commits at once, and gives
    the subjects in order."""
    counted = await session.scalars(_counting(limited, 1).returning(ThrottleRow.tries))
    return sum(tries == 1 for tries in counted)


async def give_back(
    session: Executes, *limited: tuple[Limit, str], clear: Limit | None = None
) -> None:
    """Takes back a try that turned out right, in the order in which it was counted; of the limit `clear` every try."""
    is_cleared = ThrottleRow.kind == (clear.kind if clear else None)
    await session.execute(
        _rows(limited, tries=0).on_conflict_do_update(
            index_elements=[ThrottleRow.kind, ThrottleRow.subject],
            set_={
                "tries": case((is_cleared, 0), else_=func.greatest(ThrottleRow.tries - 1, 0)),
            },
        )
    )


def _counting(limited: Sequence[tuple[Limit, str]], times: int) -> Insert:
    fresh = ThrottleRow.since <= func.now() - _window(limited)
    return _rows(limited, tries=times).on_conflict_do_update(
        index_elements=[ThrottleRow.kind, ThrottleRow.subject],
        set_={
            "tries": case((fresh, times), else_=ThrottleRow.tries + times),
            "since": case((fresh, func.now()), else_=ThrottleRow.since),
        },
    )


def _window(limited: Sequence[tuple[Limit, str]]) -> Case[timedelta]:
    windows = {limit.kind: limit.window for limit, _ in limited}
    return case(windows, value=ThrottleRow.kind)


def _rows(limited: Sequence[tuple[Limit, str]], *, tries: int) -> Insert:
    return insert(ThrottleRow).values(
        [
            {"kind": limit.kind, "subject": _digest(subject), "tries": tries}
            for limit, subject in limited
        ]
    )


def _digest(subject: str) -> str:
    """Addresses of people are not kept in clear where nobody needs to read them."""
    return hashlib.sha256(subject.encode()).hexdigest()
