"""Links by which somebody without an account pays one invoice, and the cards that were typed there (decision 58).

Of a link's token its hash is kept; a card is the provider's name of it, and pays the payments of its link alone.
"""

import hashlib
from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.billing.pay_link import LENT_PREFIX, LIFE, PayLink, PayLinkCard

MOST_LISTED = 100


class PayLinkRow(Base):
    __tablename__ = "pay_link"
    __table_args__ = (Index("ix_pay_link_invoice", "partner_code", "invoice_number", "created_at"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    token_hash: Mapped[str] = mapped_column(Text, unique=True)
    partner_code: Mapped[str] = mapped_column(Text)
    invoice_number: Mapped[str] = mapped_column(Text)
    maker_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    maker: Mapped[str] = mapped_column(Text)
    made_for: Mapped[str] = mapped_column(Text)
    site: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    opened_at: Mapped[datetime | None]
    opened: Mapped[int] = mapped_column(server_default="0")
    payment_id: Mapped[str | None] = mapped_column(Text)


class LentCardRow(Base):
    __tablename__ = "lent_card"
    __table_args__ = (UniqueConstraint("link_id", "provider_id", name="uq_lent_card_link"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    link_id: Mapped[str] = mapped_column(ForeignKey("pay_link.id", ondelete="CASCADE"))
    partner_code: Mapped[str] = mapped_column(Text)
    provider_id: Mapped[str] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


_FRESH = {"populate_existing": True}


async def add_link(
    session: AsyncSession,
    id_: str,
    token_hash: str,
    *,
    partner_code: str,
    invoice_number: str,
    maker_id: str,
    maker: str,
    made_for: str,
    site: str,
) -> tuple[PayLink, bool]:
    """A link of thirty days, and whether it is new. One of this id that is there already stays as it is; one that is being
    made is waited for."""
    added = await session.scalar(
        insert(PayLinkRow)
        .values(
            id=id_,
            token_hash=token_hash,
            partner_code=partner_code,
            invoice_number=invoice_number,
            maker_id=maker_id,
            maker=maker,
            made_for=made_for,
            site=site,
            expires_at=func.now() + LIFE,
        )
        .on_conflict_do_nothing()
        .returning(PayLinkRow.id)
    )
    row = await session.scalar(select(PayLinkRow).where(PayLinkRow.id == id_))
    assert row is not None
    return _link(row), added is not None


async def links_of(
    session: AsyncSession, partner_code: str, invoice_number: str
) -> tuple[PayLink, ...]:
    """Of one invoice of the business, the newest first."""
    rows = await session.scalars(
        select(PayLinkRow)
        .where(PayLinkRow.partner_code == partner_code, PayLinkRow.invoice_number == invoice_number)
        .order_by(PayLinkRow.created_at.desc(), PayLinkRow.id)
        .limit(MOST_LISTED)
        .execution_options(**_FRESH)
    )
    return tuple(_link(row) for row in rows)


async def count_good(session: AsyncSession, partner_code: str, invoice_number: str) -> int:
    """How many links of the invoice are neither revoked nor expired."""
    return (
        await session.scalar(
            select(func.count()).where(
                PayLinkRow.partner_code == partner_code,
                PayLinkRow.invoice_number == invoice_number,
                PayLinkRow.revoked_at.is_(None),
                PayLinkRow.expires_at > func.now(),
            )
        )
        or 0
    )


async def good_link(session: AsyncSession, token_hash: str) -> PayLink | None:
    """By its token, unless it was revoked or its time is over."""
    row = await session.scalar(
        select(PayLinkRow)
        .where(
            PayLinkRow.token_hash == token_hash,
            PayLinkRow.revoked_at.is_(None),
            PayLinkRow.expires_at > func.now(),
        )
        .execution_options(**_FRESH)
    )
    return _link(row) if row else None


async def is_over(session: AsyncSession, link_id: str) -> bool:
    """Whether its time is over, by the database's clock."""
    over = select(PayLinkRow.expires_at <= func.now()).where(PayLinkRow.id == link_id)
    return bool(await session.scalar(over))


async def payment_of(session: AsyncSession, link_id: str) -> str | None:
    """The id of its last payment."""
    return await session.scalar(select(PayLinkRow.payment_id).where(PayLinkRow.id == link_id))


async def note_opened(session: AsyncSession, link_id: str) -> None:
    await session.execute(
        update(PayLinkRow)
        .where(PayLinkRow.id == link_id)
        .values(opened_at=func.now(), opened=PayLinkRow.opened + 1)
    )


async def note_payment(session: AsyncSession, link_id: str, payment_id: str) -> bool:
    """The link's payment from now on. Whether the link is still good: it is locked until the transaction ends, so that
    nobody revokes it before the payment is kept."""
    used = await session.scalar(
        update(PayLinkRow)
        .where(
            PayLinkRow.id == link_id,
            PayLinkRow.revoked_at.is_(None),
            PayLinkRow.expires_at > func.now(),
        )
        .values(payment_id=payment_id)
        .returning(PayLinkRow.id)
    )
    return used is not None


async def revoke(session: AsyncSession, link_id: str, partner_code: str) -> PayLink | None:
    """Idempotent. None for a link that is not the business's."""
    await session.execute(
        update(PayLinkRow)
        .where(
            PayLinkRow.id == link_id,
            PayLinkRow.partner_code == partner_code,
            PayLinkRow.revoked_at.is_(None),
        )
        .values(revoked_at=func.now())
    )
    row = await session.scalar(
        select(PayLinkRow)
        .where(PayLinkRow.id == link_id, PayLinkRow.partner_code == partner_code)
        .execution_options(**_FRESH)
    )
    return _link(row) if row else None


async def lend_card(
    session: AsyncSession, link: PayLink, provider_id: str, shown: str
) -> PayLinkCard:
    """Idempotent by link and card."""
    digest = hashlib.sha256(f"{link.id}:{provider_id}".encode()).hexdigest()
    card = PayLinkCard(
        id=f"{LENT_PREFIX}{digest[:32]}",
        partner_code=link.partner_code,
        provider_id=provider_id,
        shown=shown,
    )
    await session.execute(
        insert(LentCardRow).values(**card.model_dump(), link_id=link.id).on_conflict_do_nothing()
    )
    return card


async def lent_card(session: AsyncSession, card_id: str, partner_code: str) -> PayLinkCard | None:
    """If it was lent for an invoice of this business."""
    row = await session.scalar(
        select(LentCardRow).where(
            LentCardRow.id == card_id, LentCardRow.partner_code == partner_code
        )
    )
    return PayLinkCard.model_validate(row, from_attributes=True) if row else None


def _link(row: PayLinkRow) -> PayLink:
    return PayLink.model_validate(row, from_attributes=True)
