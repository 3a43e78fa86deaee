"""What people sign in with: password, address, second factor."""

from datetime import datetime

from sqlalchemy import case, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow
from domain.identity.people import MfaType


async def renew_password_hash(
    session: AsyncSession, person_id: str, outdated: str, renewed: str
) -> None:
    """Of the same password; one that was changed meanwhile stays."""
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id, PersonRow.password_hash == outdated)
        .values(password_hash=renewed)
    )


async def change_password(session: AsyncSession, person_id: str, password_hash: str) -> None:
    """The new password also confirms the account and unlocks it."""
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id)
        .values(
            password_hash=password_hash,
            reset_required=False,
            confirmed_at=func.coalesce(PersonRow.confirmed_at, func.now()),
        )
    )


async def change_email(session: AsyncSession, person_id: str, email: str) -> None:
    """Raises IntegrityError when somebody else has the address."""
    await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(email=email))


async def lock_account(session: AsyncSession, person_id: str) -> bool:
    """Until the password is reset nobody signs in. Whether there is such a person; idempotent."""
    locked = await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id)
        .values(reset_required=True)
        .returning(PersonRow.id)
    )
    return locked.one_or_none() is not None


async def set_mfa(session: AsyncSession, person_id: str, kind: MfaType) -> None:
    """Without TOTP no secret is kept."""
    since = None if kind is MfaType.NONE else func.now()
    values: dict[str, object] = {"mfa_type": kind, "mfa_since": since}
    if kind is not MfaType.TOTP:
        values |= {"totp_secret": None, "totp_pending": None}
    await session.execute(update(PersonRow).where(PersonRow.id == person_id).values(**values))


async def save_pending_totp(session: AsyncSession, person_id: str, sealed: bytes) -> None:
    """A secret that counts only once a code of it was given."""
    await session.execute(
        update(PersonRow).where(PersonRow.id == person_id).values(totp_pending=sealed)
    )


async def sealed_totp(session: AsyncSession, person_id: str, *, pending: bool) -> bytes | None:
    column = PersonRow.totp_pending if pending else PersonRow.totp_secret
    return await session.scalar(select(column).where(PersonRow.id == person_id))


async def use_totp_step(session: AsyncSession, person_id: str, step: int) -> bool:
    """Whether this step was still unused: each works once, also under parallel tries (promise 32)."""
    used = await session.execute(
        update(PersonRow)
        .where(
            PersonRow.id == person_id,
            func.coalesce(PersonRow.totp_last_step, 0) < step,
        )
        .values(totp_last_step=step)
        .returning(PersonRow.id)
    )
    return used.one_or_none() is not None


async def take_pending_totp(session: AsyncSession, person_id: str) -> None:
    """The pending secret becomes the one that counts."""
    await session.execute(
        update(PersonRow)
        .where(PersonRow.id == person_id)
        .values(
            totp_secret=PersonRow.totp_pending,
            totp_pending=None,
            mfa_type=MfaType.TOTP,
            mfa_since=func.now(),
        )
    )


async def drop_mfa_since(session: AsyncSession, person_id: str, since: datetime) -> bool:
    """Removes a second factor that was switched on after `since`, with a phone that it used. Whether there was one."""
    dropped = await session.execute(
        update(PersonRow)
        .where(
            PersonRow.id == person_id,
            PersonRow.mfa_type != MfaType.NONE,
            PersonRow.mfa_since > since,
        )
        .values(
            mfa_type=MfaType.NONE,
            mfa_since=None,
            totp_secret=None,
            totp_pending=None,
            phone_number=case(
                (PersonRow.mfa_type == MfaType.SMS, None), else_=PersonRow.phone_number
            ),
        )
        .returning(PersonRow.id)
    )
    return dropped.one_or_none() is not None
