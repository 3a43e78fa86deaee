"""Saved cards and bank accounts. A business has at most one main method: the database sees to it."""

import secrets
from datetime import datetime
from typing import cast

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.platform.clock import utc_day
from domain.billing.payment_methods import (
    BillingAddress,
    MethodChanges,
    MethodMissing,
    MethodStatus,
    MethodType,
    NewMethod,
    PaymentMethod,
    check_hides,
    is_valid,
)
from domain.identity.people import Actor

MOST_METHODS = 100
"""Of one business that are shown."""


class PaymentCustomerRow(Base):
    """How a business is called at the card provider."""

    __tablename__ = "payment_customer"

    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE"),
        primary_key=True,
    )
    provider_id: Mapped[str] = mapped_column(Text, unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PaymentMethodRow(Base):
    """A deleted method keeps its row, so that old payments can still be told of. `fingerprint` is the provider's name for
    the number behind a card: the same card is saved once."""

    __tablename__ = "payment_method"
    __table_args__ = (
        CheckConstraint("type in ('CARD', 'BANK_ACCOUNT')", name="type"),
        CheckConstraint("status in ('ready', 'pending', 'failed', 'returned')", name="status"),
        CheckConstraint("last4 ~ '^[0-9]{4}$'", name="last4"),
        CheckConstraint("exp_month between 1 and 12", name="exp_month"),
        CheckConstraint("not (is_main and deleted_at is not null)", name="main_is_there"),
        Index(
            "uq_payment_method_main",
            "partner_code",
            unique=True,
            postgresql_where=text("is_main"),
        ),
        Index(
            "uq_payment_method_fingerprint",
            "partner_code",
            "fingerprint",
            unique=True,
            postgresql_where=text("deleted_at is null"),
        ),
        Index("ix_payment_method_partner_code", "partner_code"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    type: Mapped[str] = mapped_column(Text)
    is_main: Mapped[bool] = mapped_column(server_default="false")
    is_hidden: Mapped[bool] = mapped_column(server_default="false")
    brand: Mapped[str] = mapped_column(Text)
    last4: Mapped[str] = mapped_column(Text)
    exp_month: Mapped[int | None]
    exp_year: Mapped[int | None]
    name: Mapped[str] = mapped_column(Text)
    country: Mapped[str] = mapped_column(Text)
    street_address_1: Mapped[str] = mapped_column(Text, server_default="")
    street_address_2: Mapped[str] = mapped_column(Text, server_default="")
    city: Mapped[str] = mapped_column(Text, server_default="")
    state: Mapped[str] = mapped_column(Text, server_default="")
    postal_code: Mapped[str] = mapped_column(Text, server_default="")
    status: Mapped[str] = mapped_column(Text)
    provider_id: Mapped[str] = mapped_column(Text)
    customer_id: Mapped[str | None] = mapped_column(Text)
    fingerprint: Mapped[str] = mapped_column(Text)
    verification_id: Mapped[str | None] = mapped_column(Text)
    created_by: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]


async def methods_of(session: AsyncSession, partner_code: str | None) -> tuple[PaymentMethod, ...]:
    """The business's methods: the main one first, then as they were saved. None for nobody."""
    if partner_code is None:
        return ()
    rows = await session.scalars(
        select(PaymentMethodRow)
        .where(PaymentMethodRow.partner_code == partner_code, PaymentMethodRow.deleted_at.is_(None))
        .order_by(PaymentMethodRow.is_main.desc(), PaymentMethodRow.created_at, PaymentMethodRow.id)
        .limit(MOST_METHODS)
    )
    return tuple(_method(row) for row in rows)


async def is_canadian(session: AsyncSession, actor: Actor) -> bool:
    """By the country of the default card of the business that the caller works for; without one by that of the site
    (rulings "People and rights")."""
    country = None
    if actor.business_code is not None:
        country = await session.scalar(
            select(PaymentMethodRow.country).where(
                PaymentMethodRow.partner_code == actor.business_code,
                PaymentMethodRow.is_main,
                PaymentMethodRow.type == "CARD",
            )
        )
    return country == "CA" if country else actor.site.is_canadian


async def method_of(
    session: AsyncSession, method_id: str, partner_code: str | None, *, lock: bool = False
) -> PaymentMethod:
    """One method of this business. With `lock` nobody else changes any of them until the transaction ends. Raises
    MethodMissing."""
    if lock and partner_code is not None:
        await _queue(session, partner_code)
    query = select(PaymentMethodRow).where(
        PaymentMethodRow.id == method_id,
        PaymentMethodRow.partner_code == partner_code,
        PaymentMethodRow.deleted_at.is_(None),
    )
    query = query.execution_options(populate_existing=True)
    row = await session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise MethodMissing
    return _method(row)


async def add_method(session: AsyncSession, new: NewMethod, *, main: bool = False) -> bool:
    """Whether it was new: neither its id nor its number was saved for the business already. The first one that can be used,
    or with `main` this one, becomes the main method."""
    await _queue(session, new.partner_code)
    values = new.model_dump(exclude={"billing"}) | _address(new.billing)
    added = await session.scalar(
        insert(PaymentMethodRow)
        .values(**values)
        .on_conflict_do_nothing()
        .returning(PaymentMethodRow.id)
    )
    if added is None:
        return False
    if main:
        await make_main(session, new.id, new.partner_code)
    else:
        await _fill_main(session, new.partner_code)
    return True


async def save_card(session: AsyncSession, new: NewMethod) -> tuple[str, str | None]:
    """The id under which the card is saved from now on, and the provider's earlier name of it, if it was saved before: then it
    is renewed in its place. Idempotent."""
    await _queue(session, new.partner_code)
    earlier = await session.scalar(
        select(PaymentMethodRow)
        .where(
            PaymentMethodRow.partner_code == new.partner_code,
            PaymentMethodRow.fingerprint == new.fingerprint,
            PaymentMethodRow.deleted_at.is_(None),
        )
        .with_for_update()
    )
    if earlier is not None:
        method_id, before = earlier.id, earlier.provider_id
        renewed = new.model_dump(
            include={"exp_month", "exp_year", "name", "country", "provider_id", "customer_id"}
        )
        await session.execute(
            update(PaymentMethodRow)
            .where(PaymentMethodRow.id == method_id)
            .values(**renewed, **_address(new.billing), is_hidden=False, updated_at=func.now())
        )
        await _fill_main(session, new.partner_code)
        return method_id, before
    if not await add_method(session, new):
        # The same token once more, of a card that was deleted meanwhile.
        new = new.model_copy(update={"id": f"card_{secrets.token_hex(12)}"})
        await add_method(session, new)
    return new.id, None


async def make_main(session: AsyncSession, method_id: str, partner_code: str) -> None:
    """Exactly this one becomes the main method (shop spec 4.8), and is shown to those who order. Raises MethodMissing.
    Idempotent."""
    await _queue(session, partner_code)
    await method_of(session, method_id, partner_code)
    mine = PaymentMethodRow.partner_code == partner_code
    # The old one first: the index allows one main method at every moment.
    await session.execute(
        update(PaymentMethodRow)
        .where(mine, PaymentMethodRow.is_main, PaymentMethodRow.id != method_id)
        .values(is_main=False, updated_at=func.now())
    )
    await session.execute(
        update(PaymentMethodRow)
        .where(mine, PaymentMethodRow.id == method_id)
        .values(is_main=True, is_hidden=False, updated_at=func.now())
    )


async def change_method(
    session: AsyncSession,
    method_id: str,
    partner_code: str,
    changes: MethodChanges,
    *,
    main: bool = False,
) -> PaymentMethod:
    """The method after what is given was changed; with `main` it is the main one as well. Raises MethodMissing, MainHidden."""
    await _queue(session, partner_code)
    check_hides(await method_of(session, method_id, partner_code), changes, main=main)
    values = changes.model_dump(exclude={"billing"}, exclude_none=True)
    if changes.billing is not None:
        values |= _address(changes.billing)
        if changes.billing.country_code:
            values["country"] = changes.billing.country_code
    await session.execute(
        update(PaymentMethodRow)
        .where(
            PaymentMethodRow.id == method_id,
            PaymentMethodRow.partner_code == partner_code,
            PaymentMethodRow.deleted_at.is_(None),
        )
        .values(**values, updated_at=func.now())
    )
    if main:
        await make_main(session, method_id, partner_code)
    else:
        await _fill_main(session, partner_code)
    return await method_of(session, method_id, partner_code)


async def set_status(session: AsyncSession, method_id: str, status: MethodStatus) -> None:
    """Idempotent. The first method that can be used becomes the main one; one that cannot be used any more is not."""
    of_method = select(PaymentMethodRow).where(PaymentMethodRow.id == method_id)
    row = await session.scalar(of_method)
    if row is None:
        return
    code = row.partner_code
    await _queue(session, code)
    row = await session.scalar(of_method.execution_options(populate_existing=True))
    if row is None or row.deleted_at is not None:
        return
    await session.execute(
        update(PaymentMethodRow)
        .where(PaymentMethodRow.id == method_id)
        .values(status=status, updated_at=func.now())
    )
    if status != "ready" and row.is_main:
        await _unmake_main(session, method_id)
    await _fill_main(session, code)


async def remove_method(session: AsyncSession, method_id: str, partner_code: str) -> PaymentMethod:
    """The method as it was. Its row stays, unseen; where it was the main one, another takes its place. Raises MethodMissing."""
    await _queue(session, partner_code)
    method = await method_of(session, method_id, partner_code)
    await session.execute(
        update(PaymentMethodRow)
        .where(PaymentMethodRow.id == method_id)
        .values(deleted_at=func.now(), updated_at=func.now(), is_main=False)
    )
    await _fill_main(session, partner_code)
    return method


async def customer_of(session: AsyncSession, partner_code: str) -> str | None:
    """How the business is called at the card provider, if it is known there."""
    return await session.scalar(
        select(PaymentCustomerRow.provider_id).where(
            PaymentCustomerRow.partner_code == partner_code
        )
    )


async def save_customer(session: AsyncSession, partner_code: str, provider_id: str) -> str:
    """The name that holds from now on: the first one that was kept."""
    await session.execute(
        insert(PaymentCustomerRow)
        .values(partner_code=partner_code, provider_id=provider_id)
        .on_conflict_do_nothing()
    )
    stored = await customer_of(session, partner_code)
    return stored or provider_id


async def _queue(session: AsyncSession, partner_code: str) -> None:
    """Changes of one business's methods follow each other, so that two of them never both make a main one. Asked for before
    any row is locked: who holds a row and waits here is waited for by whoever holds this."""
    await session.execute(
        select(func.pg_advisory_xact_lock(func.hashtextextended(f"methods:{partner_code}", 0)))
    )


async def _main_of(session: AsyncSession, partner_code: str) -> str | None:
    return await session.scalar(
        select(PaymentMethodRow.id).where(
            PaymentMethodRow.partner_code == partner_code, PaymentMethodRow.is_main
        )
    )


async def _unmake_main(session: AsyncSession, method_id: str) -> None:
    await session.execute(
        update(PaymentMethodRow).where(PaymentMethodRow.id == method_id).values(is_main=False)
    )


async def _fill_main(session: AsyncSession, partner_code: str) -> None:
    """Where there is no main one, the oldest card that can be used on this day becomes it, and the oldest bank account where there
    is no such card: none that has expired, and none that is hidden."""
    if await _main_of(session, partner_code) is not None:
        return
    today = await utc_day(session)
    usable = [
        one
        for one in await methods_of(session, partner_code)
        if is_valid(one, today) and not one.is_hidden
    ]
    first = min(usable, key=lambda one: one.type != "CARD", default=None)
    if first is not None:
        await make_main(session, first.id, partner_code)


def _address(billing: BillingAddress) -> dict[str, str]:
    return billing.model_dump(exclude={"country_code"})


def _method(row: PaymentMethodRow) -> PaymentMethod:
    return PaymentMethod(
        id=row.id,
        type=cast("MethodType", row.type),
        partner_code=row.partner_code,
        is_main=row.is_main,
        is_hidden=row.is_hidden,
        brand=row.brand,
        last4=row.last4,
        exp_month=row.exp_month,
        exp_year=row.exp_year,
        name=row.name,
        country=row.country,
        billing=BillingAddress(
            street_address_1=row.street_address_1,
            street_address_2=row.street_address_2,
            city=row.city,
            state=row.state,
            postal_code=row.postal_code,
            country_code=row.country,
        ),
        status=cast("MethodStatus", row.status),
        provider_id=row.provider_id,
        customer_id=row.customer_id,
    )
