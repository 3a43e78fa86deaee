"""Accounts of dealers at the card provider. Pages that open one are sealed (decision 65)."""

from datetime import datetime

from sqlalchemy import ARRAY, ForeignKey, Text, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.base import Frozen, Utc
from domain.dealers.payout_account import ProviderAccount


class PayoutAccountRow(Base):
    """One for each dealer. `looked_at` is when the provider was asked for what stands here."""

    __tablename__ = "payout_account"

    dealer_id: Mapped[str] = mapped_column(
        ForeignKey("dealer.id", ondelete="CASCADE"), primary_key=True
    )
    account_id: Mapped[str] = mapped_column(Text, unique=True)
    details_submitted: Mapped[bool] = mapped_column(server_default="false")
    can_be_paid: Mapped[bool] = mapped_column(server_default="false")
    due: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    looked_at: Mapped[datetime]
    link: Mapped[bytes | None]
    link_expires_at: Mapped[datetime | None]
    login_link: Mapped[bytes | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class StoredAccount(Frozen):
    """With what opens it, sealed."""

    dealer_id: str
    account: ProviderAccount
    link: bytes | None = None
    link_expires_at: Utc | None = None
    login_link: bytes | None = None


async def save_account(
    session: AsyncSession, dealer_id: str, account: ProviderAccount, looked_at: datetime
) -> None:
    """What the provider said at `looked_at`, by the database's clock; what it said before that changes nothing any more."""
    values = {
        "details_submitted": account.details_submitted,
        "can_be_paid": account.can_be_paid,
        "due": list(account.due),
        "looked_at": looked_at,
    }
    adding = insert(PayoutAccountRow).values(dealer_id=dealer_id, account_id=account.id, **values)
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[PayoutAccountRow.dealer_id],
            set_=values,
            where=PayoutAccountRow.looked_at <= looked_at,
        )
    )


async def account_of_dealer(session: AsyncSession, dealer_id: str) -> StoredAccount | None:
    row = await session.get(PayoutAccountRow, dealer_id, populate_existing=True)
    return _stored(row) if row else None


async def dealer_of_account(session: AsyncSession, account_id: str) -> str | None:
    return await session.scalar(
        select(PayoutAccountRow.dealer_id).where(PayoutAccountRow.account_id == account_id)
    )


async def save_link(
    session: AsyncSession, dealer_id: str, link: bytes, expires_at: datetime
) -> None:
    await _update(session, dealer_id, link=link, link_expires_at=expires_at)


async def save_login_link(session: AsyncSession, dealer_id: str, link: bytes) -> None:
    """The link by which the account was set up opens nothing any more."""
    await _update(session, dealer_id, login_link=link, link=None, link_expires_at=None)


async def _update(session: AsyncSession, dealer_id: str, **values: object) -> None:
    await session.execute(
        update(PayoutAccountRow).where(PayoutAccountRow.dealer_id == dealer_id).values(**values)
    )


def _stored(row: PayoutAccountRow) -> StoredAccount:
    return StoredAccount(
        dealer_id=row.dealer_id,
        account=ProviderAccount(
            id=row.account_id,
            details_submitted=row.details_submitted,
            can_be_paid=row.can_be_paid,
            due=tuple(row.due),
        ),
        link=row.link,
        link_expires_at=row.link_expires_at,
        login_link=row.login_link,
    )
