"""Verifications of bank accounts: written by their workflows, read by everybody else."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Text, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.payment_methods import PaymentMethodRow, add_method, remove_method, set_status
from db.platform import run_status
from db.platform.clock import database_now
from domain.billing.bank_verification import BankVerification, BankVerificationStart, new_method
from domain.billing.bank_verification_v1 import STATUS, WITHOUT_RUN
from domain.billing.payment_methods import MethodStatus


class BankVerificationRow(Base):
    """One for each bank account that was ever added here."""

    __tablename__ = "bank_verification"
    __table_args__ = (CheckConstraint("tries_left >= 0", name="tries_left"),)

    method_id: Mapped[str] = mapped_column(
        ForeignKey("payment_method.id", ondelete="CASCADE"), primary_key=True
    )
    workflow_id: Mapped[str] = mapped_column(Text)
    rev: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    tries_left: Mapped[int]
    reason: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


async def open_verification(
    session: AsyncSession,
    start: BankVerificationStart,
    *,
    workflow_id: str,
    at: datetime,
    expires_at: datetime,
) -> bool:
    """Keeps a new bank account, pending. False when its business has it already; True again for its own repeat.

    One that was refused or came back gives way to a new try.
    """
    account, code = start.account, start.partner_code
    if await _is_stored(session, account.method_id):
        return True
    useless = await _useless_one(session, code, account.fingerprint)
    if useless is not None:
        await remove_method(session, useless, code)
    if not await add_method(session, new_method(start)):
        return False
    session.add(
        BankVerificationRow(
            method_id=account.method_id,
            workflow_id=workflow_id,
            rev=0,
            state="opening",
            tries_left=start.policy.tries,
            expires_at=expires_at,
            updated_at=at,
        )
    )
    await session.flush()
    return True


async def move_verification(
    session: AsyncSession,
    method_id: str,
    *,
    rev: int,
    state: str,
    status: MethodStatus | None,
    tries_left: int,
    reason: str | None,
    at: datetime,
    expires_at: datetime,
    ended: bool,
) -> bool:
    """Writes where it stands, and what that means for the account."""
    moved = await run_status.move(
        session,
        BankVerificationRow.method_id,
        method_id,
        rev=rev,
        at=at,
        ended=ended,
        state=state,
        tries_left=tries_left,
        reason=reason,
        expires_at=expires_at,
    )
    if moved and status is not None:
        await set_status(session, method_id, status)
    return moved


async def find_verification(session: AsyncSession, method_id: str) -> BankVerification | None:
    row = await session.get(BankVerificationRow, method_id)
    return BankVerification.model_validate(row, from_attributes=True) if row else None


async def verifications_of(
    session: AsyncSession, method_ids: list[str]
) -> Mapping[str, BankVerification]:
    """By the id of the bank account; cards have none."""
    rows = await session.scalars(
        select(BankVerificationRow).where(BankVerificationRow.method_id.in_(method_ids))
    )
    return {
        row.method_id: BankVerification.model_validate(row, from_attributes=True) for row in rows
    }


async def without_end(session: AsyncSession, *, limit: int) -> tuple[BankVerification, ...]:
    """Those that their run has to bring to an end yet, in another order each time; a verified one once its time is over."""
    row = BankVerificationRow
    rows = await session.scalars(
        select(row)
        .where(row.ended_at.is_(None), or_(row.state != "verified", row.expires_at < func.now()))
        .order_by(func.random())
        .limit(limit)
    )
    return tuple(BankVerification.model_validate(row, from_attributes=True) for row in rows)


async def give_up(session: AsyncSession, found: BankVerification) -> bool:
    """Ends one whose run is gone. False when it has moved."""
    return await _end(session, found, WITHOUT_RUN[found.state], found.reason)


async def return_unwatched(session: AsyncSession, method_id: str, reason: str | None) -> bool:
    """Shuts an account whose deposits came back when there was no run any more to tell. False when it is over already."""
    row = await session.scalar(
        select(BankVerificationRow).where(
            BankVerificationRow.method_id == method_id, BankVerificationRow.ended_at.is_(None)
        )
    )
    if row is None:
        return False
    found = BankVerification.model_validate(row, from_attributes=True)
    return await _end(session, found, "returned", reason)


async def _end(
    session: AsyncSession, found: BankVerification, state: str, reason: str | None
) -> bool:
    return await move_verification(
        session,
        found.method_id,
        rev=found.rev + 1,
        state=state,
        status=STATUS[state],
        tries_left=found.tries_left,
        reason=reason,
        at=await database_now(session),
        expires_at=found.expires_at,
        ended=True,
    )


async def _is_stored(session: AsyncSession, method_id: str) -> bool:
    return await session.get(BankVerificationRow, method_id) is not None


async def _useless_one(session: AsyncSession, partner_code: str, fingerprint: str) -> str | None:
    """The id of an earlier try with the same number that came to nothing."""
    return await session.scalar(
        select(PaymentMethodRow.id).where(
            PaymentMethodRow.partner_code == partner_code,
            PaymentMethodRow.fingerprint == fingerprint,
            PaymentMethodRow.status.in_(("failed", "returned")),
            PaymentMethodRow.deleted_at.is_(None),
        )
    )
