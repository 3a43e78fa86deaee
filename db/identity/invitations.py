"""Invitations as people see them: written by their workflows, read by everybody else."""

from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, Index, Text, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, aliased, mapped_column

from db.base import Base
from db.identity.people import InstallerRow, PersonRow
from db.platform import run_status
from domain.identity.invitations import Invitation


class InvitationRow(Base):
    """`token_hash` is the SHA-256 of the mailed token. At most one open invitation for an address at a dealer."""

    __tablename__ = "invitation"
    __table_args__ = (
        Index(
            "uq_invitation_open",
            "dealer_id",
            "email",
            unique=True,
            postgresql_where=text("ended_at is null"),
        ),
        Index("ix_invitation_dealer_created", "dealer_id", "created_at"),
        Index("ix_invitation_person_id", "person_id"),
        Index("ix_invitation_updated", "updated_at", "id"),
        Index("ix_invitation_open", "workflow_id", postgresql_where=text("ended_at is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    workflow_id: Mapped[str] = mapped_column(Text)
    token_hash: Mapped[str] = mapped_column(Text, unique=True)
    dealer_id: Mapped[str] = mapped_column(ForeignKey("dealer.id"))
    dealer_name: Mapped[str] = mapped_column(Text)
    email: Mapped[str] = mapped_column(Text)
    user_type: Mapped[str] = mapped_column(Text)
    invited_by: Mapped[str] = mapped_column(Text)
    inviter: Mapped[str] = mapped_column(Text)
    person_id: Mapped[str | None] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    rev: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    answered_with: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


async def open_invitation(
    session: AsyncSession,
    invitation: Invitation,
    *,
    token_hash: str,
    invited_by: str,
) -> bool:
    """Keeps a new invitation. False when the address has an open one at this dealer; True again for its own repeat."""
    values = invitation.model_dump(exclude={"answered_with"})
    added = await session.scalar(
        insert(InvitationRow)
        .values(
            **values,
            token_hash=token_hash,
            invited_by=invited_by,
            rev=0,
            updated_at=invitation.created_at,
        )
        .on_conflict_do_nothing()
        .returning(InvitationRow.id)
    )
    if added is not None:
        return True
    own = select(InvitationRow.id).where(InvitationRow.id == invitation.id)
    return await session.scalar(own) is not None


async def move_invitation(
    session: AsyncSession,
    invitation_id: str,
    *,
    rev: int,
    state: str,
    at: datetime,
    expires_at: datetime,
    answered_with: str | None,
    ended: bool,
) -> bool:
    return await run_status.move(
        session,
        InvitationRow.id,
        invitation_id,
        rev=rev,
        at=at,
        ended=ended,
        state=state,
        expires_at=expires_at,
        answered_with=answered_with,
    )


async def find_invitation(session: AsyncSession, token_hash: str) -> Invitation | None:
    """By the hash of its mailed token, open or not."""
    row = await session.scalar(select(InvitationRow).where(InvitationRow.token_hash == token_hash))
    return _as_invitation(row) if row else None


async def find_dealers_invitation(
    session: AsyncSession, invitation_id: str, dealer_id: str
) -> Invitation | None:
    row = await session.scalar(
        select(InvitationRow).where(
            InvitationRow.id == invitation_id, InvitationRow.dealer_id == dealer_id
        )
    )
    return _as_invitation(row) if row else None


async def is_void(session: AsyncSession, invitation_id: str) -> bool:
    """Whether the person who invited has retired since."""
    query = select(_inviter_retired()).where(InvitationRow.id == invitation_id)
    return bool(await session.scalar(query))


async def pending_of(
    session: AsyncSession, dealer_id: str, *, limit: int = 100
) -> tuple[Invitation, ...]:
    """The dealer's open invitations, newest first."""
    rows = await session.scalars(
        select(InvitationRow)
        .where(InvitationRow.dealer_id == dealer_id, InvitationRow.ended_at.is_(None))
        .order_by(InvitationRow.created_at.desc(), InvitationRow.id)
        .limit(limit)
    )
    return tuple(_as_invitation(row) for row in rows)


async def name_invited(session: AsyncSession, invitation_id: str, person_id: str) -> None:
    """Whom the invitation turned out to be for."""
    await session.execute(
        update(InvitationRow).where(InvitationRow.id == invitation_id).values(person_id=person_id)
    )


async def join(session: AsyncSession, person_id: str, dealer_id: str) -> None:
    """Makes the person an installer of the dealer. Idempotent; flags that they have already stay.

    The caller has judged, with the person's row locked, that they may join.
    """
    await session.execute(
        update(PersonRow).where(PersonRow.id == person_id).values(dealer_id=dealer_id)
    )
    await session.execute(insert(InstallerRow).values(person_id=person_id).on_conflict_do_nothing())


async def join_as_registered(session: AsyncSession, person_id: str) -> Invitation | None:
    """Whoever completes a registration that an invitation began joins its dealer with that.

    None without an invitation, for a void one, and for somebody who meanwhile belongs to another dealer.
    """
    row = await session.scalar(
        select(InvitationRow)
        .join(PersonRow, PersonRow.id == InvitationRow.person_id)
        .where(
            PersonRow.id == person_id,
            InvitationRow.state == "registering",
            or_(PersonRow.dealer_id.is_(None), PersonRow.dealer_id == InvitationRow.dealer_id),
            PersonRow.partner_id.is_(None),
            ~_inviter_retired(),
        )
        .with_for_update(of=PersonRow)
        .order_by(InvitationRow.updated_at.desc())
        .limit(1)
    )
    if row is None:
        return None
    await join(session, person_id, row.dealer_id)
    return _as_invitation(row)


async def has_joined(session: AsyncSession, invitation_id: str) -> bool:
    """Whether the invited person is an installer of the dealer by now."""
    found = await session.scalar(
        select(func.count())
        .select_from(InvitationRow)
        .join(PersonRow, PersonRow.id == InvitationRow.person_id)
        .join(InstallerRow, InstallerRow.person_id == PersonRow.id)
        .where(InvitationRow.id == invitation_id, PersonRow.dealer_id == InvitationRow.dealer_id)
    )
    return bool(found)


def _inviter_retired() -> ColumnElement[bool]:
    inviter = aliased(PersonRow)
    return (
        select(inviter.id)
        .where(inviter.id == InvitationRow.invited_by, inviter.is_retired)
        .correlate(InvitationRow)
        .exists()
    )


def _as_invitation(row: InvitationRow) -> Invitation:
    return Invitation.model_validate(row, from_attributes=True)
