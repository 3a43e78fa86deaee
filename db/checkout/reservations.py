"""What placements that are under way hold: pieces of the stock, and credit of the business (rulings "Credit limit").

A hold lives as long as its run. When the goods are the ERP's to send, the pieces leave the stock; when the order is stored, it
stands in the place of its credit hold. A backordered piece holds nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    Text,
    bindparam,
    delete,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.operations.cases.lists import owed_by_cases
from db.orders.orders import open_amount
from db.partner_tables import PartnerRow
from domain.billing.payments import PaymentType
from domain.checkout.placement import StockChanged
from domain.checkout.quote import CREDIT_FRESH_FOR, OverCreditLimit


class StockReservationRow(Base):
    """Pieces of one article that one run holds."""

    __tablename__ = "stock_reservation"
    __table_args__ = (
        CheckConstraint("quantity > 0", name="quantity"),
        Index("ix_stock_reservation_variant_id", "variant_id"),
    )

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    variant_id: Mapped[str] = mapped_column(ForeignKey("variant.id"), primary_key=True)
    quantity: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CreditReservationRow(Base):
    """US dollars of a business's credit that one run holds."""

    __tablename__ = "credit_reservation"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        Index("ix_credit_reservation_partner_code", "partner_code"),
    )

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str] = mapped_column(
        ForeignKey("partner.sap_bp_code", ondelete="CASCADE", onupdate="CASCADE")
    )
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


_LOCK_STOCK = text(
    "select 1 from stock where variant_id = any(:variants) order by variant_id for update"
)
_FREE = text(
    """
    select s.variant_id, s.on_hand - coalesce((
               select sum(r.quantity) from stock_reservation r
               where r.variant_id = s.variant_id and r.flow_id <> :flow_id), 0) as free
    from stock s where s.variant_id = any(:variants)
    """
)
_HELD = text(
    """
    select variant_id, sum(quantity) as held from stock_reservation where variant_id = any(:variants)
    group by variant_id
    """
)
_CONSUME = text(
    """
    with taken as (delete from stock_reservation where flow_id = :flow_id returning variant_id, quantity),
    locked as (
        select s.variant_id from stock s join taken using (variant_id) order by s.variant_id for update of s
    )
    update stock set on_hand = greatest(stock.on_hand - taken.quantity, 0), left_at = clock_timestamp()
    from taken join locked using (variant_id) where stock.variant_id = taken.variant_id
    """
)


RELEASE_CREDIT = (
    delete(CreditReservationRow)
    .where(CreditReservationRow.flow_id == bindparam("run"))
    .execution_options(synchronize_session=False)
)


async def reserve_stock(
    session: AsyncSession, flow_id: str, pieces: Mapping[str, int]
) -> tuple[str, ...]:
    """Takes these pieces by article for the run, all or none. Answers the articles of which there is too little; again for
    the same run it changes nothing. Rows are locked in one order, so that no two runs wait for each other."""
    wanted = {variant: quantity for variant, quantity in pieces.items() if quantity > 0}
    if not wanted:
        return ()
    # A statement of its own: what the next one counts was committed before the locks were taken.
    await session.execute(_LOCK_STOCK, {"variants": list(wanted)})
    found = await session.execute(_FREE, {"flow_id": flow_id, "variants": list(wanted)})
    free = {row.variant_id: row.free for row in found}
    short = tuple(sorted(v for v, quantity in wanted.items() if free.get(v, 0) < quantity))
    if short:
        return short
    await session.execute(
        insert(StockReservationRow)
        .values([{"flow_id": flow_id, "variant_id": v, "quantity": q} for v, q in wanted.items()])
        .on_conflict_do_nothing()
    )
    return ()


async def hold(
    session: AsyncSession,
    flow_id: str,
    partner_code: str,
    pieces: Mapping[str, int],
    *,
    on_terms: Decimal | None,
) -> None:
    """Holds credit for what is ordered `on_terms`, then these pieces: whoever holds both takes the locks in this order. Raises
    OverCreditLimit, StockChanged; the caller keeps nothing then."""
    if on_terms is not None and not await reserve_credit(session, flow_id, partner_code, on_terms):
        raise OverCreditLimit
    if await reserve_stock(session, flow_id, pieces):
        raise StockChanged


async def held_pieces(session: AsyncSession, variant_ids: Sequence[str]) -> dict[str, int]:
    """Pieces by article that runs under way hold."""
    if not variant_ids:
        return {}
    found = await session.execute(_HELD, {"variants": list(variant_ids)})
    return {row.variant_id: int(row.held) for row in found}


async def consume_stock(session: AsyncSession, flow_id: str) -> None:
    """The pieces leave the stock. Idempotent."""
    await session.execute(_CONSUME, {"flow_id": flow_id})


async def reserve_credit(
    session: AsyncSession, flow_id: str, partner_code: str, amount: Decimal
) -> bool:
    """Holds the amount against `limit − balance − open orders − other holds − owed by cases`; False when that is
    not enough. Again for the same run it changes nothing, and nothing is held for an order that costs nothing. An
    account of more than a minute ago gives no credit, but to a run that holds it. The lock of the business lets one
    run at a time be judged, and none while an order of that business is being stored: an order refers to it."""
    if amount == 0:
        return True
    partner = await session.execute(
        select(
            PartnerRow.credit_limit,
            PartnerRow.account_balance,
            PartnerRow.mirrored_at,
            (PartnerRow.mirrored_at > func.now() - CREDIT_FRESH_FOR).label("is_fresh"),
        )
        .where(PartnerRow.sap_bp_code == partner_code)
        .with_for_update()
    )
    facts = partner.one_or_none()
    if facts is None or facts.credit_limit is None or facts.account_balance is None:
        return False
    if not facts.is_fresh and await session.get(CreditReservationRow, flow_id) is None:
        return False
    used = await open_amount(session, partner_code, PaymentType.TERMS, balance_at=facts.mirrored_at)
    others = await held_credit(session, partner_code, but=flow_id)
    owed = await owed_by_cases(session, partner_code)
    if facts.credit_limit - facts.account_balance - used - others - owed < amount:
        return False
    await session.execute(
        insert(CreditReservationRow)
        .values(flow_id=flow_id, partner_code=partner_code, amount=amount)
        .on_conflict_do_nothing()
    )
    return True


async def held_credit(
    session: AsyncSession, partner_code: str, *, but: str | None = None
) -> Decimal:
    """US dollars that runs under way hold; without those of the run `but`."""
    query = select(func.coalesce(func.sum(CreditReservationRow.amount), 0)).where(
        CreditReservationRow.partner_code == partner_code
    )
    if but is not None:
        query = query.where(CreditReservationRow.flow_id != but)
    return Decimal(await session.scalar(query) or 0)


async def release_credit(session: AsyncSession, flow_id: str) -> None:
    """Idempotent."""
    await session.execute(RELEASE_CREDIT, {"run": flow_id})


async def release(session: AsyncSession, flow_id: str) -> None:
    """Gives up everything that the run holds. Idempotent."""
    await session.execute(delete(StockReservationRow).where(StockReservationRow.flow_id == flow_id))
    await release_credit(session, flow_id)
