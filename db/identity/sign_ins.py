"""Sign-ins: one row per family of refresh tokens (promises 26 to 31).

A refresh token is `id . turn . MAC`; only the present turn is kept, so nothing in the database opens a session, and a
repeat of the last turn within a short grace can be answered with the same next token (two honest tabs).
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    Select,
    Text,
    bindparam,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from db.identity.people import PersonRow, as_plain_user, plain_people, trade_in
from db.identity.security_stamp import Stamped, is_current, stamp_of
from db.platform.notices import CHANNEL
from domain.base import Frozen, Utc
from domain.identity.people import Trade, User

REMEMBERED_FOR = timedelta(days=30)
UNREMEMBERED_FOR = timedelta(hours=12)
REFRESH_GRACE = timedelta(seconds=30)
"""How long the last refresh token yields the present one again."""


class SignInRow(Stamped, Base):
    """`partner_id` and `impersonated_id` hold the business that a rep acts for."""

    __tablename__ = "sign_in"
    __table_args__ = (
        CheckConstraint("turn > 0", name="turn"),
        Index("ix_sign_in_person_id_open", "person_id", postgresql_where=text("ended_at is null")),
        Index("ix_sign_in_person_turned", "person_id", "turned_at"),
        Index("ix_sign_in_expires_at", "expires_at"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    remembered: Mapped[bool]
    turn: Mapped[int] = mapped_column(server_default="1")
    turned_at: Mapped[datetime] = mapped_column(server_default=func.now())
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    ended_because: Mapped[str | None] = mapped_column(Text)
    partner_id: Mapped[str | None] = mapped_column(ForeignKey("partner.id"))
    impersonated_id: Mapped[str | None] = mapped_column(ForeignKey("person.id"))


class SignIn(Frozen):
    """An open sign-in, read in the database's own time."""

    id: str
    person_id: str
    remembered: bool
    turn: int
    since_turn: timedelta
    expires_at: Utc


async def open_sign_in(
    session: AsyncSession, person_id: str, *, remembered: bool, stamp: int | None = None
) -> SignIn:
    """A new family for the person: 30 days when remembered, else 12 hours. `stamp` is of the moment at which the password
    was found right: renewed since, it opens nothing."""
    life = REMEMBERED_FOR if remembered else UNREMEMBERED_FOR
    opened = await session.scalars(
        insert(SignInRow)
        .values(
            id=uuid.uuid4().hex,
            person_id=person_id,
            stamp=stamp_of(person_id) if stamp is None else stamp,
            remembered=remembered,
            turn=1,
            expires_at=func.now() + life,
        )
        .returning(SignInRow)
    )
    return _as_sign_in(opened.one(), timedelta(0))


async def lock_sign_in(session: AsyncSession, sign_in_id: str) -> SignIn | None:
    """The open, unexpired family, locked for the transaction."""
    query = (
        select(SignInRow, (func.now() - SignInRow.turned_at).label("age"))
        .where(
            SignInRow.id == sign_in_id,
            SignInRow.ended_at.is_(None),
            SignInRow.expires_at > func.now(),
            is_current(SignInRow),
        )
        .with_for_update()
    )
    row = (await session.execute(query)).one_or_none()
    return _as_sign_in(row[0], row[1]) if row else None


async def take_turn(session: AsyncSession, sign_in_id: str) -> None:
    """Makes the family's present refresh token the last one."""
    await session.execute(
        update(SignInRow)
        .where(SignInRow.id == sign_in_id)
        .values(turn=SignInRow.turn + 1, turned_at=func.now())
    )


async def end_sign_in(session: AsyncSession, sign_in_id: str, because: str) -> None:
    """Idempotent; the first reason stays. Whoever follows the sign-in is told."""
    ended = await session.scalars(
        update(SignInRow)
        .where(SignInRow.id == sign_in_id, SignInRow.ended_at.is_(None))
        .values(ended_at=func.now(), ended_because=because)
        .returning(SignInRow.id)
    )
    await _notify(session, ended.all())


async def renew_stamp(
    session: AsyncSession, person_id: str, because: str, *, but: str | None = None
) -> None:
    """Ends all that opens the person's account: sign-ins but the one named `but`, links, codes, challenges, pending
    changes of the address and trusted devices. Whoever follows one of the sign-ins is told `because`."""
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id)
        .values(security_stamp=PersonRow.security_stamp + 1)
    )
    if but is not None:
        kept = (SignInRow.id == but, SignInRow.person_id == person_id)
        await session.execute(update(SignInRow).where(*kept).values(stamp=stamp_of(person_id)))
    ended = await session.scalars(
        update(SignInRow)
        .where(
            SignInRow.person_id == person_id,
            SignInRow.ended_at.is_(None),
            SignInRow.id != (but or ""),
        )
        .values(ended_at=func.now(), ended_because=because)
        .returning(SignInRow.id)
    )
    await _notify(session, ended.all())


async def end_of(session: AsyncSession, sign_in_id: str) -> str | None:
    """Why a sign-in has ended, while it is remembered."""
    return await session.scalar(select(SignInRow.ended_because).where(SignInRow.id == sign_in_id))


async def user_of_sign_in(session: Executes, sign_in_id: str) -> User | None:
    """Who an access token speaks for, with the rights of this moment; None when the sign-in has ended or expired."""
    found = await caller_of_sign_in(session, sign_in_id)
    return found[0] if found else None


async def caller_of_sign_in(session: Executes, sign_in_id: str) -> tuple[User, Trade | None] | None:
    """The same, with the trade of their own business.

    One indexed query, made on every request (promise 31).
    """
    row = (await session.execute(_speaks_for(), {"sign_in_id": sign_in_id})).one_or_none()
    return (as_plain_user(row), trade_in(row)) if row else None


@cache
def _speaks_for() -> Select[*tuple[Any, ...]]:
    """Put together once: that takes longer than to run it."""
    return (
        plain_people()
        .join(SignInRow, SignInRow.person_id == PersonRow.id)
        .where(
            SignInRow.id == bindparam("sign_in_id"),
            SignInRow.stamp == PersonRow.security_stamp,
            SignInRow.ended_at.is_(None),
            SignInRow.expires_at > func.now(),
        )
    )


def followed_as(sign_in_id: str) -> str:
    """The name under which followers of a sign-in are woken."""
    return f"sign-in:{sign_in_id}"


async def _notify(session: AsyncSession, sign_in_ids: Sequence[str]) -> None:
    for sign_in_id in sign_in_ids:
        await session.execute(select(func.pg_notify(CHANNEL, followed_as(sign_in_id))))


def _as_sign_in(row: SignInRow, since_turn: timedelta) -> SignIn:
    return SignIn(
        id=row.id,
        person_id=row.person_id,
        remembered=row.remembered,
        turn=row.turn,
        since_turn=since_turn,
        expires_at=row.expires_at,
    )
