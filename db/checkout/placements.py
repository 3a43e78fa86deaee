"""Placements as they were submitted: what was agreed to, kept before a run begins, so that a submit cannot be lost.

At most one of a cart is open. An open one keeps its cart frozen, and whoever finds one that no run has taken up yet may
begin it: the workflow's id is fixed.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.payments import payments_of_flow
from db.checkout import reservations
from db.checkout.cart import PUT_AWAY, CartLineRow, CartRow, put_away, take_back
from db.checkout.coupons import give_coupon_back, take_coupon
from db.checkout.reservations import RELEASE_CREDIT
from db.orders.tables import OrderRow
from db.runs import flows
from domain.billing.payments import PayingFlow
from domain.checkout.placement import OrderRef, PlacementProgress, PlacementStart, resumed
from domain.checkout.placement_snapshot import Snapshot, agreed_before, requoted, shown_of
from domain.checkout.quote import Quote


class PlacementRow(Base):
    """One submit of one cart. `turn` counts those of the cart. What waits for an approval: who gave it when, and when its
    figures were frozen anew without the requester's yes yet (`db/checkout/approvals.py`)."""

    __tablename__ = "placement"
    __table_args__ = (
        Index("uq_placement_open", "token", unique=True, postgresql_where=text("ended_at is null")),
        Index(
            "ix_placement_open_owner",
            text("(start ->> 'owner_id')"),
            postgresql_where=text("ended_at is null"),
        ),
    )

    token: Mapped[str] = mapped_column(Text, primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    workflow_id: Mapped[str] = mapped_column(Text)
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)
    quote: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    approved_by: Mapped[str | None] = mapped_column(Text)
    approved_at: Mapped[datetime | None]
    requoted_at: Mapped[datetime | None]


async def submit(session: AsyncSession, snapshot: Snapshot) -> None:
    """Keeps what was agreed to. The caller holds the lock of the cart, and knows that none of it is open. A cart that waits
    for an approval is put away: its buyer may fill another one."""
    start = snapshot.start
    await session.execute(
        insert(PlacementRow).values(
            token=start.token,
            turn=start.turn,
            workflow_id=snapshot.workflow_id,
            start=start.model_dump(mode="json"),
            quote=snapshot.quote.model_dump(mode="json"),
            created_at=snapshot.created_at,
        )
    )
    if snapshot.quote.coupon:
        await take_coupon(session, start.token, start.partner_code, snapshot.quote.coupon)
    await flows.freeze_view(session, start.token, shown_of(snapshot).model_dump(mode="json"))
    if start.approval is not None:
        await put_away(session, start.token)


async def freeze_again(
    session: AsyncSession, snapshot: Snapshot, quote: Quote, *, shows_before: bool
) -> None:
    """Puts this quote in the place of the one that was frozen; with `shows_before` people see what it was."""
    anew, start = requoted(snapshot, quote), snapshot.start
    await session.execute(
        update(PlacementRow)
        .where(PlacementRow.token == start.token, PlacementRow.turn == start.turn)
        .values(start=anew.start.model_dump(mode="json"), quote=anew.quote.model_dump(mode="json"))
    )
    if quote.coupon != snapshot.quote.coupon:
        await give_coupon_back(session, start.token)
        if quote.coupon:
            await take_coupon(session, start.token, start.partner_code, quote.coupon)
    before = agreed_before(snapshot.quote) if shows_before else None
    shown = shown_of(anew).model_copy(update={"before": before})
    await flows.freeze_view(session, start.token, shown.model_dump(mode="json"))


async def turns_of(session: AsyncSession, token: str) -> int:
    """How often the cart was submitted."""
    return int(
        await session.scalar(
            select(func.coalesce(func.max(PlacementRow.turn), 0)).where(PlacementRow.token == token)
        )
        or 0
    )


async def open_start(session: AsyncSession, token: str) -> PlacementStart | None:
    """The placement of this cart that is under way, if there is one."""
    start = await session.scalar(
        select(PlacementRow.start).where(
            PlacementRow.token == token, PlacementRow.ended_at.is_(None)
        )
    )
    return PlacementStart.model_validate(start) if start else None


async def snapshot_of(session: AsyncSession, token: str, turn: int) -> Snapshot:
    """What was agreed to. Raises NoResultFound."""
    query = select(PlacementRow).where(PlacementRow.token == token, PlacementRow.turn == turn)
    row = (await session.scalars(query)).one()
    return Snapshot.model_validate(row, from_attributes=True)


async def stands(session: AsyncSession, token: str) -> bool:
    """Whether the ERP had sent the order before it could be cancelled, by what its run has shown."""
    shown = select(flows.FlowRow.view["stands"].as_boolean()).where(flows.FlowRow.id == token)
    return bool(await session.scalar(shown))


async def not_begun(
    session: AsyncSession, *, before: datetime
) -> tuple[tuple[str, PlacementStart], ...]:
    """Open ones that were submitted before this time and that no run has shown yet, the oldest first; each with the id of
    its workflow."""
    shown = (
        select(flows.FlowRow.id)
        .where(
            flows.FlowRow.id == PlacementRow.token,
            flows.FlowRow.workflow_id == PlacementRow.workflow_id,
        )
        .exists()
    )
    rows = await session.execute(
        select(PlacementRow.workflow_id, PlacementRow.start)
        .where(PlacementRow.ended_at.is_(None), PlacementRow.created_at < before, ~shown)
        .order_by(PlacementRow.created_at)
        .limit(100)
    )
    return tuple((row.workflow_id, PlacementStart.model_validate(row.start)) for row in rows)


async def start_in_place_of(session: AsyncSession, token: str) -> PlacementStart | None:
    """The start of a run that goes on where the lost one of this open placement stood. What an earlier turn of the cart asked for
    has its attempts counted from 1 as well: it is none of this run's."""
    start = await open_start(session, token)
    run = await flows.find_flow(session, "placement", token)
    if start is None or run is None:
        return start
    turn = await snapshot_of(session, token, start.turn)
    asked = await payments_of_flow(session, PayingFlow.PLACEMENT, token)
    return resumed(
        start,
        state=run.state,
        rev=run.rev,
        view=PlacementProgress.model_validate(run.view),
        tried=tuple(one.request for one in asked if one.request.workflow_id == turn.workflow_id),
        order=await order_ref(session, token),
    )


async def order_ref(session: AsyncSession, token: str) -> OrderRef | None:
    """The order that was made of this cart, by its names alone."""
    found = await session.execute(
        select(OrderRow.id, OrderRow.number, OrderRow.erp_number).where(OrderRow.token == token)
    )
    row = found.one_or_none()
    return OrderRef.model_validate(row, from_attributes=True) if row else None


_CREDIT = RELEASE_CREDIT.cte("credit")
_STORED = PUT_AWAY.add_cte(_CREDIT)
_END = (
    update(PlacementRow)
    .where(
        PlacementRow.token == bindparam("cart"),
        PlacementRow.turn == bindparam("which"),
        PlacementRow.ended_at.is_(None),
    )
    .values(ended_at=func.now())
    .execution_options(synchronize_session=False)
)
_LINES = delete(CartLineRow).where(CartLineRow.cart_token == bindparam("cart")).cte("lines")
_PLACED = _END.add_cte(_CREDIT, _LINES, PUT_AWAY.cte("cart_put_away"))
"""What is done together is one statement."""


async def close_stored(session: AsyncSession, token: str) -> None:
    """There is an order: it stands in the place of its cart, and of the credit that was held. Idempotent."""
    await session.execute(_STORED, {"cart": token, "run": token})


async def close_placed(session: AsyncSession, token: str, turn: int) -> None:
    """The order is on its way: its pieces leave the stock, and its lines the cart. Idempotent."""
    await reservations.consume_stock(session, token)
    await session.execute(_PLACED, {"cart": token, "run": token, "which": turn})


async def close_undone(
    session: AsyncSession, token: str, turn: int, *, next_token: str | None
) -> bool:
    """Nothing was placed: the cart is free again, and back if it waited for an approval. One that an order was made
    of, however cancelled, is spent: its lines go on in a cart with `next_token`. False where the buyer has another
    cart by now: the lines stay where they can be taken from. Idempotent."""
    await give_coupon_back(session, token)
    start = await open_start(session, token)
    if start is not None and start.approval is not None and next_token is None:
        await take_back(session, token)
    moved = next_token is not None and await _go_on(session, token, next_token)
    await _end(session, token, turn)
    return moved


async def _end(session: AsyncSession, token: str, turn: int) -> None:
    await session.execute(_END, {"cart": token, "which": turn})


_COPY_CART = text(
    """
    insert into cart (token, person_id, partner_code, shipping_method_id, shipping_address_id, po_number,
                      billing_address_id, billing_address, payment, coupon_code)
    select :next, person_id, partner_code, shipping_method_id, shipping_address_id, po_number, billing_address_id,
           billing_address, payment, coupon_code
    from cart where token = :token
    on conflict do nothing
    """
)


async def _go_on(session: AsyncSession, token: str, next_token: str) -> bool:
    """The lines of a spent cart in a new one, if its buyer has none."""
    await session.execute(_COPY_CART, {"token": token, "next": next_token})
    if await session.get(CartRow, next_token) is None:
        return False
    await session.execute(
        update(CartLineRow).where(CartLineRow.cart_token == token).values(cart_token=next_token)
    )
    return True
