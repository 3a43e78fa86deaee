"""What buyers of plans have agreed to: it counts in their limits from then on, and may wait for an owner (decision 64).

It is kept under the lock of the buyer's limits, so that of any number of purchases none passes a limit.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Index, Numeric, Text, func, select, text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.checkout.approvals import Waiting
from domain.base import Frozen, Utc
from domain.billing.payments import PayBy
from domain.money import Money
from domain.plans.purchase_v3 import WAITING


class PurchaseAgreementRow(Base):
    """The last figures that the buyer of a purchase agreed to. `above` is the limit above which an owner must approve them."""

    __tablename__ = "purchase_agreement"
    __table_args__ = (Index("ix_purchase_agreement_person", "person_id", "agreed_at"),)

    purchase_id: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(Text)
    total: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    quote_hash: Mapped[str] = mapped_column(Text)
    pay_by: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    agreed_at: Mapped[datetime]
    above: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    approved_by: Mapped[str | None] = mapped_column(Text)
    approved_at: Mapped[datetime | None]


class Agreement(Frozen):
    """`agreed_at` is in the month in which it counts."""

    purchase_id: str
    person_id: str
    partner_code: str
    total: Money
    quote_hash: str
    pay_by: PayBy | None
    agreed_at: Utc
    above: Money | None


class Approved(Frozen):
    """`quote_hash` names the figures that an owner said yes to."""

    quote_hash: str
    approved_at: Utc | None


async def save_agreement(session: AsyncSession, agreement: Agreement) -> None:
    """Takes the place of what was agreed to before in this purchase, with its approval; the same once more changes nothing
    but how it is paid, and since when it counts."""
    values = agreement.model_dump() | {
        "pay_by": agreement.pay_by.model_dump(mode="json") if agreement.pay_by else None
    }
    same = await session.scalar(
        update(PurchaseAgreementRow)
        .where(
            PurchaseAgreementRow.purchase_id == agreement.purchase_id,
            PurchaseAgreementRow.quote_hash == agreement.quote_hash,
        )
        .values(pay_by=values["pay_by"], above=agreement.above, agreed_at=agreement.agreed_at)
        .returning(PurchaseAgreementRow.purchase_id)
    )
    if same is not None:
        return
    anew = values | {"approved_by": None, "approved_at": None}
    await session.execute(
        insert(PurchaseAgreementRow)
        .values(anew)
        .on_conflict_do_update(index_elements=["purchase_id"], set_=anew)
    )


async def approved(
    session: AsyncSession, purchase_id: str, *, lock: bool = False
) -> Approved | None:
    """With `lock` until the transaction ends nobody else answers it."""
    query = select(PurchaseAgreementRow.quote_hash, PurchaseAgreementRow.approved_at).where(
        PurchaseAgreementRow.purchase_id == purchase_id
    )
    row = (await session.execute(query.with_for_update() if lock else query)).one_or_none()
    return Approved.model_validate(row, from_attributes=True) if row else None


async def approve(session: AsyncSession, purchase_id: str, *, by: str) -> None:
    """The caller holds the lock."""
    await session.execute(
        update(PurchaseAgreementRow)
        .where(PurchaseAgreementRow.purchase_id == purchase_id)
        .values(approved_by=by, approved_at=func.now())
    )


async def pay_by_of(session: AsyncSession, purchase_id: str) -> PayBy | None:
    """How what was agreed to is to be paid."""
    stored = await session.scalar(
        select(PurchaseAgreementRow.pay_by).where(PurchaseAgreementRow.purchase_id == purchase_id)
    )
    return PayBy.model_validate(stored) if stored else None


_WAITING = text(
    """
    select f.kind, f.id as token, f.state, p.company_name as partner_name, f.owner_id as requester_id,
           f.view ->> 'placed_by' as requester, f.view -> 'approval' ->> 'reason' as reason,
           (f.view ->> 'final_charge')::numeric as total, f.view ->> 'currency' as currency,
           jsonb_array_length(f.view -> 'lines') as lines, null as po_number, a.agreed_at as asked_at,
           (f.view -> 'approval' ->> 'until')::timestamptz as until
    from flow f
    join purchase_agreement a on a.purchase_id = f.id
    join partner p on p.sap_bp_code = f.partner
    where f.kind = 'purchase' and f.ended_at is null and f.state = any(:states)
      and f.dealer_id = :dealer and (cast(:owner as text) is null or f.owner_id = :owner)
    order by a.agreed_at, f.id
    limit :limit
    """
)


async def list_waiting(
    session: AsyncSession, dealer_id: str, *, owner_id: str | None = None, limit: int
) -> tuple[Waiting, ...]:
    """Purchases of a dealer that wait for an owner, or for their buyer before that; the oldest first. One person's only, if
    `owner_id` is given."""
    asked = {"dealer": dealer_id, "states": list(WAITING), "owner": owner_id, "limit": limit}
    rows = await session.execute(_WAITING, asked)
    return tuple(Waiting.model_validate(row, from_attributes=True) for row in rows)
