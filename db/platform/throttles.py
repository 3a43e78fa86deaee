"""Counters of tries per account, address and in all, kept in the database so that every process sees them (promise 27)."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Case, Index, Text, case, func
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.base import Frozen

HOUR = timedelta(hours=1)


class ThrottleRow(Base):
    __tablename__ = "throttle"
    __table_args__ = (Index("ix_throttle_since", "since"),)

    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    since: Mapped[datetime] = mapped_column(server_default=func.now())
    tries: Mapped[int]


class Counter(Frozen):
    """Tries of this kind per subject within `window`, counted from the first."""

    kind: str
    window: timedelta


class Limit(Counter):
    """At most `tries` of them."""

    tries: int


class Counted(Frozen):
    """How many tries of a subject there are now, and for how long they count."""

    kind: str
    tries: int
    left: timedelta


async def count(
    session: Executes, of: Sequence[tuple[Counter, str]], *, times: int = 1
) -> list[Counted]:
    """Counts one try of each (counter, subject), or as many as `times`, atomically, so that parallel ones all count.

    The caller commits at once. Rows are locked in the order given: everybody gives the same one, so that nobody waits in a
    circle.
    """
    window = _window(of)
    fresh = ThrottleRow.since <= func.now() - window
    rows = await session.execute(
        _rows(of, tries=times)
        .on_conflict_do_update(
            index_elements=[ThrottleRow.kind, ThrottleRow.subject],
            set_={
                "tries": case((fresh, times), else_=ThrottleRow.tries + times),
                "since": case((fresh, func.now()), else_=ThrottleRow.since),
            },
        )
        .returning(
            ThrottleRow.kind,
            ThrottleRow.tries,
            (ThrottleRow.since + window - func.now()).label("left"),
        )
    )
    return [Counted.model_validate(row, from_attributes=True) for row in rows]


async def count_tries(session: Executes, limited: Sequence[tuple[Limit, str]]) -> int | None:
    """Counts one try of each before it is made, as `count`. Answers None while within every limit, else the seconds until the
    last exceeded window ends."""
    most = {limit.kind: limit.tries for limit, _ in limited}
    waits = [
        max(1, int(one.left.total_seconds()))
        for one in await count(session, limited)
        if one.tries > most[one.kind]
    ]
    return max(waits, default=None)


async def give_back(
    session: Executes, *limited: tuple[Counter, str], clear: Counter | None = None
) -> None:
    """Takes back a try that turned out right, in the order in which it was counted; of the counter `clear` every try."""
    is_cleared = ThrottleRow.kind == (clear.kind if clear else None)
    await session.execute(
        _rows(limited, tries=0).on_conflict_do_update(
            index_elements=[ThrottleRow.kind, ThrottleRow.subject],
            set_={
                "tries": case((is_cleared, 0), else_=func.greatest(ThrottleRow.tries - 1, 0)),
            },
        )
    )


def _window(of: Sequence[tuple[Counter, str]]) -> Case[timedelta]:
    windows = {counter.kind: counter.window for counter, _ in of}
    return case(windows, value=ThrottleRow.kind)


def _rows(of: Sequence[tuple[Counter, str]], *, tries: int) -> Insert:
    return insert(ThrottleRow).values(
        [
            {"kind": counter.kind, "subject": _digest(subject), "tries": tries}
            for counter, subject in of
        ]
    )


def _digest(subject: str) -> str:
    """Addresses of people are not kept in clear where nobody needs to read them."""
    return hashlib.sha256(subject.encode()).hexdigest()
