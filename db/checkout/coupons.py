"""Coupons and who took one. A coupon is taken in the transaction that submits the order, under its own lock, so that no
limit is ever passed; it is free again when nothing comes of the order."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    Text,
    delete,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.checkout.cart import Line
from domain.checkout.coupons import Coupon, CouponTaken


class CouponRow(Base):
    """For the channels and the categories named, or for all when none is."""

    __tablename__ = "coupon"
    __table_args__ = (
        CheckConstraint("code = upper(code)", name="code_upper"),
        CheckConstraint("(percent is null) <> (amount is null)", name="one_of"),
        CheckConstraint("most_uses > 0 and most_per_business > 0", name="limits"),
    )

    code: Mapped[str] = mapped_column(Text, primary_key=True)
    description: Mapped[str] = mapped_column(Text)
    percent: Mapped[Decimal | None] = mapped_column(Numeric(5, 2))
    amount: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    least: Mapped[Decimal] = mapped_column(Numeric(12, 2), server_default="0")
    channels: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    categories: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    is_first_order: Mapped[bool] = mapped_column(server_default="false")
    most_uses: Mapped[int | None]
    most_per_business: Mapped[int | None]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]


class CouponUseRow(Base):
    """A coupon that a submitted cart took. That of an order that was cancelled does not count."""

    __tablename__ = "coupon_use"
    __table_args__ = (Index("ix_coupon_use_code_partner", "code", "partner_code"),)

    token: Mapped[str] = mapped_column(
        ForeignKey("cart.token", ondelete="CASCADE"), primary_key=True
    )
    code: Mapped[str] = mapped_column(ForeignKey("coupon.code"))
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    taken_at: Mapped[datetime] = mapped_column(server_default=func.now())


MOST_COUPONS = 200

_USED = """
select from coupon_use u left join shop_order o on o.token = u.token
where u.code = c.code and u.token is distinct from cast(:token as text)
  and o.status is distinct from 'cancelled'
"""
_USED_BY_BUSINESS = f"{_USED} and u.partner_code = :partner"
_USABLE = text(f"""
select c.* from coupon c cross join lateral (
  select coalesce(sum(line.amount), 0) as amount
  from unnest(cast(:categories as text[]), cast(:amounts as numeric[])) as line(category, amount)
  where cardinality(c.categories) = 0 or line.category = any(c.categories)
) goods
where (c.starts_at is null or c.starts_at <= now())
  and (c.ends_at is null or c.ends_at > now())
  and (cardinality(c.channels) = 0 or cast(:channel as text) = any(c.channels))
  and (c.most_uses is null
       or (select count(*) from ({_USED} limit c.most_uses) used) < c.most_uses)
  and (c.most_per_business is null
       or (select count(*) from ({_USED_BY_BUSINESS} limit c.most_per_business) used) < c.most_per_business)
  and (not c.is_first_order
       or not exists ({_USED_BY_BUSINESS})
          and not exists (select from shop_order o where o.partner_code = :partner and o.status <> 'cancelled'))
order by c.code is distinct from cast(:entered as text),
  cardinality(cast(:amounts as numeric[])) > 0 and goods.amount < c.least,
  coalesce(goods.amount * c.percent / 100, least(c.amount, goods.amount)) desc, c.code
limit {MOST_COUPONS}
""")


async def usable_coupons(
    session: AsyncSession,
    channel: str,
    partner_code: str,
    token: str | None = None,
    lines: Sequence[Line] = (),
    *,
    entered: str | None = None,
) -> tuple[Coupon, ...]:
    """Those that this business can use now, the `entered` one first, then those that take off most of these lines: however
    many there are, these are among them. Without lines they come by code. What the cart with this token took itself does not
    count against it."""
    asked = {
        "channel": channel,
        "partner": partner_code,
        "token": token,
        "entered": entered,
        "categories": [line.sellable.category for line in lines],
        "amounts": [line.total for line in lines],
    }
    rows = await session.execute(_USABLE, asked)
    return tuple(Coupon.model_validate(row, from_attributes=True) for row in rows)


async def lock_coupon(session: AsyncSession, code: str) -> None:
    """Until the transaction ends nobody else takes it: what is counted after this holds."""
    await session.execute(select(CouponRow.code).where(CouponRow.code == code).with_for_update())


async def take_coupon(
    session: AsyncSession, token: str, partner_code: str, taken: CouponTaken
) -> None:
    """The caller holds its lock and has counted."""
    await session.execute(
        insert(CouponUseRow).values(
            token=token, code=taken.code, partner_code=partner_code, amount=taken.amount
        )
    )


async def give_coupon_back(session: AsyncSession, token: str) -> None:
    """Nothing came of the order. Idempotent."""
    await session.execute(delete(CouponUseRow).where(CouponUseRow.token == token))
