"""Tokens in mailed links: random, hashed, one use, with an end, bound to kind, person and address (promise 34)."""

from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, Select, Text, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.people import PersonRow
from db.identity.security_stamp import Stamped, stamp_of
from domain.base import Frozen, Utc
from domain.errors import Gone


class LinkKind(StrEnum):
    COMPLETE_REGISTRATION = "complete_registration"
    CHANGE_EMAIL = "change_email"
    REVERT_EMAIL = "revert_email"
    """Goes to the address that an account had before: "this was not me"."""


LIFE = {
    LinkKind.COMPLETE_REGISTRATION: timedelta(days=7),
    LinkKind.CHANGE_EMAIL: timedelta(days=1),
    LinkKind.REVERT_EMAIL: timedelta(days=7),
}


class LinkRow(Stamped, Base):
    __tablename__ = "link_token"
    __table_args__ = (Index("ix_link_token_person_id", "person_id"),)

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    asked_at: Mapped[datetime | None]
    """When what the link is about began, where that is not the link's own time."""
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Link(Frozen):
    """Whom a genuine link speaks for; `email` is the address that it was sent to, `asked_at` when what it is about
    began."""

    person_id: str
    email: str
    asked_at: Utc


class LinkEnded(Gone):
    code = "link_ended"
    detail = "This link is no longer valid."


class LinkUsed(Gone):
    code = "link_used"
    detail = "This link has been used already."


async def add_link(
    session: AsyncSession,
    token_hash: str,
    kind: LinkKind,
    person_id: str,
    email: str,
    *,
    asked_at: datetime | None = None,
) -> None:
    """Ends the person's older links of the kind, but for those that revert: each stands for an address of its own. A
    link that is there already stays as it is."""
    if kind is not LinkKind.REVERT_EMAIL:
        await end_links(session, person_id, kind, but=token_hash)
    await session.execute(
        insert(LinkRow)
        .values(
            token_hash=token_hash,
            kind=kind,
            person_id=person_id,
            stamp=stamp_of(person_id),
            email=email,
            asked_at=asked_at,
            expires_at=func.now() + LIFE[kind],
        )
        .on_conflict_do_nothing()
    )


async def check_link(session: AsyncSession, token_hash: str, kind: LinkKind) -> str:
    """Whose link that works this is, which uses nothing up. Raises LinkEnded."""
    found = await session.scalar(_genuine(token_hash, kind))
    if found is None or found.used_at is not None:
        raise LinkEnded
    return found.person_id


async def use_link(session: AsyncSession, token_hash: str, kind: LinkKind) -> Link:
    """Uses the link up, once, also under parallel tries. A new stamp ends it, unless it reverts: what a thief does with
    the account must not end its owner's way back. Raises LinkEnded, or LinkUsed for a way back that was walked
    already."""
    # Both rows are locked: nobody renews the stamp before what the link opened is done.
    found = await session.scalar(_genuine(token_hash, kind).with_for_update())
    if found is None:
        raise LinkEnded
    if found.used_at is not None:
        raise LinkUsed if kind is LinkKind.REVERT_EMAIL else LinkEnded
    link = Link(
        person_id=found.person_id,
        email=found.email,
        asked_at=found.asked_at or found.created_at,
    )
    await session.execute(
        update(LinkRow).where(LinkRow.token_hash == token_hash).values(used_at=func.now())
    )
    return link


async def end_links(
    session: AsyncSession, person_id: str, kind: LinkKind, *, but: str | None = None
) -> None:
    """The person's open links of the kind, except the one with the hash `but`."""
    await session.execute(
        update(LinkRow)
        .where(
            LinkRow.person_id == person_id,
            LinkRow.kind == kind,
            LinkRow.used_at.is_(None),
            LinkRow.token_hash != (but or ""),
        )
        .values(used_at=func.now())
    )


async def end_newer_reverts(session: AsyncSession, token_hash: str) -> None:
    """Of several addresses the oldest is the owner's: links to those that came after it have ended."""
    this = select(LinkRow.person_id, LinkRow.created_at).where(LinkRow.token_hash == token_hash)
    used = (await session.execute(this)).one()
    await session.execute(
        update(LinkRow)
        .where(
            LinkRow.person_id == used.person_id,
            LinkRow.kind == LinkKind.REVERT_EMAIL,
            LinkRow.created_at > used.created_at,
            LinkRow.used_at.is_(None),
        )
        .values(expires_at=func.now())
    )


async def is_held(session: AsyncSession, email: str, *, but: str | None = None) -> bool:
    """Whether a link may still give the address back to somebody, other than the person `but`: nobody else gets it
    meanwhile."""
    held = select(LinkRow.token_hash).where(
        LinkRow.email == email,
        LinkRow.kind == LinkKind.REVERT_EMAIL,
        LinkRow.person_id != (but or ""),
        LinkRow.used_at.is_(None),
        LinkRow.expires_at > func.now(),
    )
    return await session.scalar(held.limit(1)) is not None


def _genuine(token_hash: str, kind: LinkKind) -> Select[LinkRow]:
    return (
        select(LinkRow)
        .join(PersonRow, PersonRow.id == LinkRow.person_id)
        .where(
            LinkRow.token_hash == token_hash,
            LinkRow.kind == kind,
            or_(
                LinkRow.stamp == PersonRow.security_stamp,
                LinkRow.kind == LinkKind.REVERT_EMAIL,
            ),
            LinkRow.expires_at > func.now(),
        )
    )
