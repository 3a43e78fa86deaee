"""Orders as they are kept: one for each cart, figures that never change, a status that follows from facts."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

from db.base import Sessions
from db.orders.orders import find_order, open_amount
from db.orders.progress import mark_cancelled, mark_handed_over, store
from domain.billing.payments import PaymentType
from domain.orders.orders import Order, OrderEventKind, OrderStatus
from tests.drivers.factories import a_name, a_partner
from tests.orders.factories import a_line, a_new_order, an_order

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def test_what_is_stored_is_what_was_placed(sessions: Sessions) -> None:
    new = a_new_order(
        await a_partner(sessions),
        [a_line(vehicle="2022 Toyota Camry"), a_line(quantity=3, now=1, later=2)],
    )
    async with sessions.begin() as session:
        stored = await store(session, new)
    assert stored.model_dump(include=set(type(new).model_fields)) == new.model_dump()
    assert stored.number.startswith("T-")
    assert stored.status is OrderStatus.PLACED
    assert [event.kind for event in stored.history] == [OrderEventKind.PLACED]


async def test_twenty_that_store_one_cart_at_once_get_one_order(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    new = a_new_order(code)

    async def try_to() -> Order:
        async with sessions.begin() as session:
            return await store(session, new)

    orders = await asyncio.gather(*(try_to() for _ in range(20)))
    assert len({(order.id, order.number) for order in orders}) == 1
    async with sessions() as session:
        assert await open_amount(session, code) == new.total


async def test_the_first_number_of_the_erp_stays(sessions: Sessions) -> None:
    order = await an_order(sessions, await a_partner(sessions))
    first = a_name()
    async with sessions.begin() as session:
        await mark_handed_over(session, order.id, first, NOW)
        status = await mark_handed_over(session, order.id, a_name(), NOW)
        found = await find_order(session, order.id, order.partner_code)
    assert status is OrderStatus.HANDED_OVER
    assert found is not None
    assert found.erp_number == first
    assert [event.kind for event in found.history].count(OrderEventKind.HANDED_OVER) == 1


async def test_a_cancelled_order_is_open_no_more(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    kept = await an_order(sessions, code, [a_line(price="40.00", quantity=1)])
    gone = await an_order(sessions, code, payment_type=PaymentType.COD)
    async with sessions.begin() as session:
        assert await mark_cancelled(session, gone.id, "Typed twice", NOW) is OrderStatus.CANCELLED
        assert await mark_cancelled(session, gone.id, "Again", NOW) is OrderStatus.CANCELLED
        assert await open_amount(session, code) == kept.total == Decimal("40.00")
        assert await open_amount(session, code, PaymentType.CARD) == 0


async def test_an_order_of_another_business_is_not_found(sessions: Sessions) -> None:
    order = await an_order(sessions, await a_partner(sessions))
    async with sessions() as session:
        assert await find_order(session, order.id, await a_partner(sessions)) is None
