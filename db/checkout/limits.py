"""Limits of purchasers, and what they ordered in a month: counted over orders and purchases of plans, and over what is being
placed or waits.

An order counts from its submit, in the transaction that keeps it and under the lock of its person's limits, so that of any
number of submits none passes a limit (decision 61). So does a purchase of plans from the agreement to it (decision 64).
"""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Numeric, Text, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.platform.clock import database_now
from domain.checkout.limits import Allowance, PurchaseLimits, month_of
from domain.plans.purchase_v3 import NOT_COUNTED


class PurchaseLimitRow(Base):
    """What the owners of a dealer allow one of its people. It counts while they work there."""

    __tablename__ = "purchase_limit"
    __table_args__ = (
        CheckConstraint(
            "per_order >= 0 and per_month >= 0 and approval_above >= 0", name="amounts"
        ),
    )

    person_id: Mapped[str] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True
    )
    dealer_id: Mapped[str] = mapped_column(
        ForeignKey("dealer.id", ondelete="CASCADE"), primary_key=True
    )
    per_order: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    per_month: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    approval_above: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    set_by: Mapped[str] = mapped_column(Text)
    set_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def set_limits(
    session: AsyncSession, person_id: str, dealer_id: str, limits: PurchaseLimits, *, by: str
) -> None:
    """Takes the place of what was set before."""
    values = limits.model_dump() | {"set_by": by, "set_at": func.now()}
    await session.execute(
        insert(PurchaseLimitRow)
        .values(person_id=person_id, dealer_id=dealer_id, **values)
        .on_conflict_do_update(index_elements=["person_id", "dealer_id"], set_=values)
    )


async def limits_of(session: AsyncSession, person_id: str, dealer_id: str) -> PurchaseLimits | None:
    """None where nothing was ever set."""
    row = await session.get(PurchaseLimitRow, (person_id, dealer_id), populate_existing=True)
    return PurchaseLimits.model_validate(row, from_attributes=True) if row else None


async def lock_limits(session: AsyncSession, person_id: str, dealer_id: str | None) -> None:
    """Until the transaction ends no other order of this person is submitted, and no purchase agreed to: what is counted after
    this holds."""
    await session.execute(
        select(PurchaseLimitRow.person_id)
        .where(PurchaseLimitRow.person_id == person_id, PurchaseLimitRow.dealer_id == dealer_id)
        .with_for_update()
    )


async def allowance_of(
    session: AsyncSession,
    person_id: str,
    dealer_id: str | None,
    partner_code: str,
    *,
    token: str,
    at: datetime | None = None,
) -> Allowance | None:
    """The limits of a person and what they ordered in the month of `at`, by default now; without the cart with this
    token, or the purchase with this id. None for whoever has no limits."""
    limits = await limits_of(session, person_id, dealer_id) if dealer_id else None
    if limits is None:
        return None
    since = month_of(at or await database_now(session))
    asked = {
        "person": person_id,
        "partner": partner_code,
        "token": token,
        "since": since,
        "not_counted": list(NOT_COUNTED),
    }
    return Allowance(limits=limits, ordered=Decimal(await session.scalar(_ORDERED, asked) or 0))


_ORDERED = text(
    """
    select (
        select coalesce(sum(o.total - (
            select coalesce(sum(w.amount), 0) from shop_order_withdrawal w where w.order_id = o.id
        )), 0) from shop_order o
        where o.placed_by = :person and o.partner_code = :partner and o.status <> 'cancelled'
          and o.created_at >= :since and o.created_at < cast(:since as timestamptz) + interval '1 month'
          and o.token <> :token
    ) + (
        select coalesce(sum((p.quote ->> 'total')::numeric), 0) from placement p
        where p.start ->> 'owner_id' = :person and p.start ->> 'partner_code' = :partner
          and p.ended_at is null and p.token <> :token
          and p.created_at >= :since and p.created_at < cast(:since as timestamptz) + interval '1 month'
          and not exists (select from shop_order o where o.token = p.token)
    ) + (
        select coalesce(sum(a.total - coalesce((f.view ->> 'refunded')::numeric, 0)), 0)
        from purchase_agreement a join flow f on f.id = a.purchase_id
        where a.person_id = :person and a.partner_code = :partner and a.purchase_id <> :token
          and not f.state = any(:not_counted)
          and a.agreed_at >= :since and a.agreed_at < cast(:since as timestamptz) + interval '1 month'
    )
    """
)
"""An order stands in the place of its placement from the moment it is stored, and keeps the time of its submit. What of it is
never sent does not count."""
