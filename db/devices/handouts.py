"""Links to what a finished activation leaves in the hand of the car's owner (decision 79). Of a token its hash is kept."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.activation.handout import LIFE, HandoutLink


class HandoutLinkRow(Base):
    """At most one good link of an activation."""

    __tablename__ = "handout_link"
    __table_args__ = (
        Index(
            "uq_handout_link_good",
            "activation_id",
            unique=True,
            postgresql_where=text("revoked_at is null"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    token_hash: Mapped[str] = mapped_column(Text, unique=True)
    activation_id: Mapped[str] = mapped_column(Text)
    maker_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    maker: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    opened_at: Mapped[datetime | None]
    opened: Mapped[int] = mapped_column(server_default="0")


_GOOD = (HandoutLinkRow.revoked_at.is_(None), HandoutLinkRow.expires_at > func.now())
_FRESH = {"populate_existing": True}


async def add_link(
    session: AsyncSession,
    id_: str,
    token_hash: str,
    *,
    activation_id: str,
    maker_id: str,
    maker: str,
) -> HandoutLink:
    """The good link of the activation: this one, unless there is one already. It stays good until the transaction ends."""
    await _lock(session, activation_id)
    await session.execute(
        update(HandoutLinkRow)
        .where(
            HandoutLinkRow.activation_id == activation_id,
            HandoutLinkRow.revoked_at.is_(None),
            HandoutLinkRow.expires_at <= func.now(),
        )
        .values(revoked_at=HandoutLinkRow.expires_at)
    )
    await session.execute(
        insert(HandoutLinkRow)
        .values(
            id=id_,
            token_hash=token_hash,
            activation_id=activation_id,
            maker_id=maker_id,
            maker=maker,
            expires_at=func.now() + LIFE,
        )
        .on_conflict_do_nothing()
    )
    link = await link_of(session, activation_id)
    assert link is not None
    return link


async def link_of(session: AsyncSession, activation_id: str) -> HandoutLink | None:
    """The good link of an activation."""
    row = await session.scalar(
        select(HandoutLinkRow)
        .where(HandoutLinkRow.activation_id == activation_id, *_GOOD)
        .execution_options(**_FRESH)
    )
    return _link(row) if row else None


async def open_link(session: AsyncSession, token_hash: str) -> HandoutLink | None:
    """By its token, noted as opened; None once it was revoked or its time is over."""
    row = await session.scalar(
        update(HandoutLinkRow)
        .where(HandoutLinkRow.token_hash == token_hash, *_GOOD)
        .values(opened_at=func.now(), opened=HandoutLinkRow.opened + 1)
        .returning(HandoutLinkRow)
        .execution_options(**_FRESH)
    )
    return _link(row) if row else None


async def revoke_link(session: AsyncSession, activation_id: str) -> str | None:
    """The id of the link that is no good any more; None when there was none."""
    await _lock(session, activation_id)
    return await session.scalar(
        update(HandoutLinkRow)
        .where(HandoutLinkRow.activation_id == activation_id, *_GOOD)
        .values(revoked_at=func.now())
        .returning(HandoutLinkRow.id)
    )


async def _lock(session: AsyncSession, activation_id: str) -> None:
    """Until the transaction ends. Else a link that is found already could be revoked before it is read."""
    of = f"handout_link {activation_id}"
    await session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(of, 0))))


def _link(row: HandoutLinkRow) -> HandoutLink:
    return HandoutLink.model_validate(row, from_attributes=True)
