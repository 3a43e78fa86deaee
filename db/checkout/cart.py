"""Carts, their lines, and the shipping methods (shop spec 3). `db/checkout/cart_lines.py` reads and writes the lines."""

import secrets
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    Numeric,
    Text,
    bindparam,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.checkout.cart import EarlierCart, StaleCart, StoredCart
from domain.checkout.draft import Draft

TOKEN_BYTES = 24
MOST_PUT_AWAY = 20
"""Carts of a person for one business that were put away and never submitted, at most; our choice (decision 24)."""
EARLIER = 5
"""Carts that were put away and are still told of, at most."""


class CartRow(Base):
    """One person's cart for one business. At most one of them is the latest; the others keep their lines. What its checkout
    was filled in with stays with it (`db/checkout/draft.py`)."""

    __tablename__ = "cart"
    __table_args__ = (
        Index(
            "uq_cart_latest",
            "person_id",
            "partner_code",
            unique=True,
            postgresql_where=text("superseded_at is null"),
        ),
        Index("ix_cart_partner_code", "partner_code"),
        Index("ix_cart_person_id_partner_code", "person_id", "partner_code"),
    )

    token: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    rev: Mapped[int] = mapped_column(server_default="0")
    shipping_method_id: Mapped[str | None] = mapped_column(ForeignKey("shipping_method.id"))
    shipping_address_id: Mapped[str | None] = mapped_column(
        ForeignKey("partner_address.id", ondelete="SET NULL")
    )
    po_number: Mapped[str | None] = mapped_column(Text)
    billing_address_id: Mapped[str | None] = mapped_column(
        ForeignKey("partner_address.id", ondelete="SET NULL")
    )
    billing_address: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    payment: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    coupon_code: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    superseded_at: Mapped[datetime | None]


class CartLineRow(Base):
    """`place` is the order in which lines came, `vehicle_id` what the article is bought for. An article that carts
    hold cannot be deleted: it would vanish from them."""

    __tablename__ = "cart_line"
    __table_args__ = (
        CheckConstraint("quantity between 1 and 9999", name="quantity"),
        Index("ix_cart_line_variant_id", "variant_id"),
        Index("ix_cart_line_vehicle_id", "vehicle_id"),
    )

    cart_token: Mapped[str] = mapped_column(
        ForeignKey("cart.token", ondelete="CASCADE"), primary_key=True
    )
    variant_id: Mapped[str] = mapped_column(ForeignKey("variant.id"), primary_key=True)
    quantity: Mapped[int]
    place: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    vehicle_id: Mapped[int | None] = mapped_column(ForeignKey("vehicle.id", ondelete="SET NULL"))


class ShippingMethodRow(Base):
    """Of the ERP. For the countries named; for one business alone where `partner_code` is set."""

    __tablename__ = "shipping_method"
    __table_args__ = (
        CheckConstraint("price >= 0", name="price"),
        CheckConstraint("free_from >= 0", name="free_from"),
        Index("ix_shipping_method_partner_code", "partner_code"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    price: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    free_from: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    is_pick_up: Mapped[bool] = mapped_column(server_default="false")
    countries: Mapped[list[str]] = mapped_column(ARRAY(Text))
    partner_code: Mapped[str | None] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    position: Mapped[int]


_NOT_BEING_PLACED = text(
    "not exists (select 1 from placement p where p.token = cart.token and p.ended_at is null)"
)
"""What is on its way to an order is nothing to take up again."""

_QUERY = select(CartRow).execution_options(populate_existing=True)
_LATEST = _QUERY.where(
    CartRow.person_id == bindparam("person"),
    CartRow.partner_code == bindparam("partner"),
    CartRow.superseded_at.is_(None),
)
_FIND = _QUERY.where(
    CartRow.token == bindparam("token"),
    CartRow.person_id == bindparam("person"),
    CartRow.partner_code == bindparam("partner"),
)
_LATEST_LOCKED, _FIND_LOCKED = _LATEST.with_for_update(), _FIND.with_for_update()
_EARLIER = (
    select(CartRow.token, CartRow.updated_at, func.sum(CartLineRow.quantity).label("quantity"))
    .join(CartLineRow, CartLineRow.cart_token == CartRow.token)
    .where(
        CartRow.person_id == bindparam("person"),
        CartRow.partner_code == bindparam("partner"),
        CartRow.superseded_at.is_not(None),
        CartRow.token != bindparam("token"),
        _NOT_BEING_PLACED,
    )
    .group_by(CartRow.token)
    .order_by(CartRow.superseded_at.desc(), CartRow.token)
    .limit(EARLIER)
)
PUT_AWAY = (
    update(CartRow)
    .where(CartRow.token == bindparam("cart"), CartRow.superseded_at.is_(None))
    .values(superseded_at=func.now(), updated_at=func.now(), rev=CartRow.rev + 1)
    .execution_options(synchronize_session=False)
)
"""Said once: making a statement takes longer than asking it."""


async def latest_cart(
    session: AsyncSession, person_id: str, partner_code: str, *, lock: bool = False
) -> StoredCart | None:
    """The person's present cart for this business. With `lock` until the transaction ends: changes of a cart queue."""
    wanted = {"person": person_id, "partner": partner_code}
    row = await session.scalar(_LATEST_LOCKED if lock else _LATEST, wanted)
    return _held(row) if row else None


async def find_cart(
    session: AsyncSession,
    token: str,
    person_id: str,
    partner_code: str | None,
    *,
    lock: bool = False,
) -> StoredCart | None:
    """The cart with this token, if it is this person's for this business."""
    wanted = {"token": token, "person": person_id, "partner": partner_code}
    row = await session.scalar(_FIND_LOCKED if lock else _FIND, wanted)
    return _held(row) if row else None


async def earlier_carts(session: AsyncSession, held: StoredCart) -> tuple[EarlierCart, ...]:
    """Carts of the same person and business that were put away and still hold something, the newest first."""
    wanted = {"person": held.person_id, "partner": held.partner_code, "token": held.token}
    rows = await session.execute(_EARLIER, wanted)
    return tuple(EarlierCart.model_validate(row, from_attributes=True) for row in rows)


async def open_cart(session: AsyncSession, person_id: str, partner_code: str) -> StoredCart:
    """The person's present cart for this business, locked; made if there is none. Of two that make one at once, both get
    the same."""
    await session.execute(
        insert(CartRow)
        .values(
            token=secrets.token_urlsafe(TOKEN_BYTES), person_id=person_id, partner_code=partner_code
        )
        .on_conflict_do_nothing()
    )
    held = await latest_cart(session, person_id, partner_code, lock=True)
    # Only another request that put this cart away at this very moment leaves none.
    return held or await open_cart(session, person_id, partner_code)


async def put_away(session: AsyncSession, token: str) -> None:
    """The cart is no longer the latest; it keeps its lines."""
    await session.execute(PUT_AWAY, {"cart": token})


async def forget_oldest(session: AsyncSession, person_id: str, partner_code: str) -> None:
    """Leaves the newest of the carts that were put away; what was submitted once is part of its placement."""
    await session.execute(_FORGET_OLDEST, {"person": person_id, "partner": partner_code})


_FORGET_OLDEST = text(
    f"""
    delete from cart where token in (
        select token from cart
        where person_id = :person and partner_code = :partner and superseded_at is not null
          and not exists (select from placement p where p.token = cart.token)
        order by superseded_at desc, token offset {MOST_PUT_AWAY} limit 100
    )
    """
)


async def take_back(session: AsyncSession, token: str) -> None:
    """The cart that was put away is the latest again, unless there is another one by now: then it can be taken up from
    there. Idempotent."""
    await session.execute(_PUT_EMPTY_AWAY, {"token": token})
    await session.execute(_TAKE_BACK, {"token": token})


_PUT_EMPTY_AWAY = text(
    """
    update cart other set superseded_at = now(), updated_at = now(), rev = other.rev + 1
    from cart where cart.token = :token and other.token <> cart.token
      and other.person_id = cart.person_id and other.partner_code = cart.partner_code
      and other.superseded_at is null
      and not exists (select from cart_line l where l.cart_token = other.token)
    """
)
_TAKE_BACK = text(
    """
    update cart set superseded_at = null, updated_at = now(), rev = rev + 1
    where token = :token and superseded_at is not null
      and not exists (
          select from cart other
          where other.person_id = cart.person_id and other.partner_code = cart.partner_code
            and other.superseded_at is null
      )
    """
)


async def check_latest(session: AsyncSession, held: StoredCart) -> None:
    """Raises StaleCart, naming the present cart, for one that was put away (shop spec 4.1)."""
    if held.is_latest:
        return
    latest = await latest_cart(session, held.person_id, held.partner_code)
    raise StaleCart(extra={"latest": latest.token if latest else None})


async def touch(session: AsyncSession, token: str) -> None:
    """The cart was changed."""
    await session.execute(
        update(CartRow)
        .where(CartRow.token == token)
        .values(rev=CartRow.rev + 1, updated_at=func.now())
    )


async def choose_shipping(
    session: AsyncSession,
    token: str,
    *,
    method_id: str | None = None,
    address_id: str | None = None,
) -> None:
    """Keeps the choice that is given, and leaves the other one."""
    chosen = {"shipping_method_id": method_id, "shipping_address_id": address_id}
    given = {name: value for name, value in chosen.items() if value is not None}
    await session.execute(
        update(CartRow)
        .where(CartRow.token == token)
        .values(rev=CartRow.rev + 1, updated_at=func.now(), **given)
    )


def _held(row: CartRow) -> StoredCart:
    return StoredCart(
        token=row.token,
        person_id=row.person_id,
        partner_code=row.partner_code,
        rev=row.rev,
        is_latest=row.superseded_at is None,
        shipping_method_id=row.shipping_method_id,
        shipping_address_id=row.shipping_address_id,
        draft=Draft.model_validate(row, from_attributes=True),
        updated_at=row.updated_at,
    )
