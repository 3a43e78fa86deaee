"""Codes sent by mail or text message, and sign-ins that wait for one (promise 32)."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, case, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.security_stamp import Stamped, is_current, lock_stamp, stamp_of
from domain.identity.people import MfaType
from domain.identity.second_factor import CODE_LIFE, CODE_TRIES, Challenge


class CodeUse(StrEnum):
    RESET = "reset"
    PHONE = "phone"
    SIGN_IN = "sign-in"
    MFA_CHANGE = "mfa-change"


class CodeRow(Stamped, Base):
    """One live code per person and use; a newer one replaces it. `bound_to` is the phone number or the challenge.

    Wrong tries from the address that asked are counted apart from those from elsewhere, so that strangers cannot use a
    person's own tries up.
    """

    __tablename__ = "one_time_code"
    __table_args__ = (
        CheckConstraint("tries >= 0", name="tries"),
        CheckConstraint("tries_elsewhere >= 0", name="tries_elsewhere"),
    )

    person_id: Mapped[str] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    use: Mapped[str] = mapped_column(Text, primary_key=True)
    code_hash: Mapped[str] = mapped_column(Text)
    bound_to: Mapped[str] = mapped_column(Text)
    tries: Mapped[int] = mapped_column(server_default="0")
    tries_elsewhere: Mapped[int] = mapped_column(server_default="0")
    asked_from: Mapped[str] = mapped_column(Text, server_default="")
    expires_at: Mapped[datetime]


class ChallengeRow(Stamped, Base):
    """`token_hash` is the SHA-256 of what the browser holds."""

    __tablename__ = "mfa_challenge"
    __table_args__ = (Index("ix_mfa_challenge_expires_at", "expires_at"),)

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    remembered: Mapped[bool]
    expires_at: Mapped[datetime]


async def save_code(
    session: AsyncSession,
    person_id: str,
    use: CodeUse,
    code_hash: str,
    *,
    bound_to: str = "",
    asked_from: str = "",
) -> None:
    """Replaces an older code of the same use."""
    values = {
        "code_hash": code_hash,
        "bound_to": bound_to,
        "tries": 0,
        "tries_elsewhere": 0,
        "asked_from": asked_from,
        "stamp": stamp_of(person_id),
        "expires_at": func.now() + CODE_LIFE,
    }
    row = insert(CodeRow).values(person_id=person_id, use=use, **values)
    await session.execute(
        row.on_conflict_do_update(index_elements=[CodeRow.person_id, CodeRow.use], set_=values)
    )


async def use_code(
    session: AsyncSession,
    person_id: str,
    use: CodeUse,
    code_hash: str,
    *,
    bound_to: str = "",
    tried_from: str = "",
) -> bool:
    """Whether the code is right. A right one is gone with that; each try counts, and the caller commits either way. Another
    challenge's or number's is not tried by it: who opens a challenge uses up no code of somebody else's."""
    key = (CodeRow.person_id == person_id, CodeRow.use == use)
    is_own = CodeRow.asked_from == tried_from
    stamp = await lock_stamp(session, person_id)
    tried = await session.execute(
        update(CodeRow)
        .where(
            *key,
            CodeRow.bound_to == bound_to,
            CodeRow.stamp == stamp,
            case((is_own, CodeRow.tries), else_=CodeRow.tries_elsewhere) < CODE_TRIES,
            CodeRow.expires_at > func.now(),
        )
        .values(
            tries=CodeRow.tries + case((is_own, 1), else_=0),
            tries_elsewhere=CodeRow.tries_elsewhere + case((is_own, 0), else_=1),
        )
        .returning(CodeRow.code_hash)
    )
    if tried.scalar_one_or_none() != code_hash:
        return False
    await session.execute(delete(CodeRow).where(*key))
    return True


async def has_live_code(session: AsyncSession, person_id: str, use: CodeUse) -> bool:
    """Whether the newest code still opens something for whoever tries it next from elsewhere."""
    query = select(CodeRow.person_id).where(
        CodeRow.person_id == person_id,
        CodeRow.use == use,
        CodeRow.tries_elsewhere < CODE_TRIES,
        CodeRow.expires_at > func.now(),
        is_current(CodeRow),
    )
    return await session.scalar(query) is not None


async def open_challenge(
    session: AsyncSession,
    token_hash: str,
    person_id: str,
    kind: MfaType,
    *,
    remembered: bool,
    stamp: int | None = None,
) -> None:
    """`stamp` is of the moment at which the password was found right."""
    session.add(
        ChallengeRow(
            token_hash=token_hash,
            person_id=person_id,
            stamp=stamp_of(person_id) if stamp is None else stamp,
            kind=kind,
            remembered=remembered,
            expires_at=func.now() + CODE_LIFE,
        )
    )
    await session.flush()


async def find_challenge(session: AsyncSession, token_hash: str) -> Challenge | None:
    """The live challenge, locked for the transaction."""
    query = (
        select(ChallengeRow)
        .where(
            ChallengeRow.token_hash == token_hash,
            ChallengeRow.expires_at > func.now(),
            is_current(ChallengeRow),
        )
        .with_for_update()
    )
    row = await session.scalar(query)
    if row is None:
        return None
    return Challenge(person_id=row.person_id, kind=MfaType(row.kind), remembered=row.remembered)


async def close_challenge(session: AsyncSession, token_hash: str) -> None:
    await session.execute(delete(ChallengeRow).where(ChallengeRow.token_hash == token_hash))
