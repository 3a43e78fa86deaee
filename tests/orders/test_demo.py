"""The invented orders have the size and the proportions that they are meant to have, and hold together."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from statistics import median

import pytest
from sqlalchemy import text

from db.base import Sessions
from db.demo.orders import (
    DAYS,
    DEMO_INVOICES,
    DEMO_ORDERS,
    WINTER,
    Article,
    Buyer,
    DemoOrder,
    demo_orders,
)
from db.seed import seed
from domain.orders.shipping import ShippingMethod
from tests.orders.factories import ADDRESS

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SUMMER = datetime(2026, 8, 31, 23, tzinfo=UTC)
GROUND = ShippingMethod(
    id="ground", name="B2B-Ground", price=Decimal("14.50"), free_from=Decimal(500)
)


def invented(count: int = DEMO_ORDERS, now: datetime = NOW) -> list[DemoOrder]:
    buyers = [
        Buyer(f"N{n}", f"dealer-{n % 4 + 1}", ADDRESS, ADDRESS, (("1", "Robin Test"),))
        for n in range(40)
    ]
    prices = [Decimal(12 + n * n % 197) for n in range(120)]
    articles = [
        Article(f"v{n}", f"p{n}", f"SKU-{n}", "Thing", "", price) for n, price in enumerate(prices)
    ]
    return list(demo_orders(buyers, articles, [GROUND], now, count))


def test_the_demo_orders_have_the_proportions_of_the_trade() -> None:
    orders = invented()
    assert len(orders) == DEMO_ORDERS
    assert median(len(order.new.lines) for order in orders) == 6
    times = [order.new.created_at for order in orders]
    assert times == sorted(times)
    assert NOW - timedelta(days=DAYS + 2) < times[0] < times[-1] < NOW
    winter = sum(at.month in WINTER for at in times)
    assert 1.5 <= (winter / 4) / ((DEMO_ORDERS - winter) / 8) <= 3.5
    cancelled = sum(order.past.cancelled_at is not None for order in orders)
    assert 0.02 <= cancelled / DEMO_ORDERS <= 0.06


@pytest.mark.parametrize("now", [NOW, datetime(2026, 1, 3, 2, tzinfo=UTC), SUMMER])
def test_so_many_have_an_invoice_whatever_the_day(now: datetime) -> None:
    orders = invented(now=now)
    assert sum(order.past.invoiced_at is not None for order in orders) == DEMO_INVOICES == 2_450
    cancelled = [order for order in orders if order.past.cancelled_at is not None]
    assert not any(order.past.shipped or order.erp_number for order in cancelled)


def test_nothing_happens_before_it_can_or_after_now() -> None:
    for order in invented(600):
        past, placed = order.past, order.new.created_at
        shipped = [at for at, _ in past.shipped]
        told = [past.handed_over_at, past.accepted_at, *shipped, past.invoiced_at]
        known = [placed, *(at for at in told if at is not None)]
        assert known == sorted(known)
        assert known[-1] <= NOW


async def test_the_demo_orders_load_with_their_lines(demo_sessions: Sessions) -> None:
    counts = {
        "select count(*) from shop_order where token like 'demo-order-%'": DEMO_ORDERS,
        "select count(*) from shop_order o where token like 'demo-order-%' and subtotal <>"
        " (select sum(total) from shop_order_line l where l.order_id = o.id)": 0,
        "select count(*) from shop_order where token like 'demo-order-%' and status = 'placed'": 0,
    }
    async with demo_sessions() as session:
        for query, expected in counts.items():
            assert await session.scalar(text(query)) == expected, query
        middle = await session.scalar(
            text(
                "select percentile_cont(0.5) within group (order by total) from shop_order"
                " where token like 'demo-order-%'"
            )
        )
        assert 450 <= float(middle or 0) <= 850, middle
        told = await session.scalars(
            text(
                "select start ->> 'detail' from money_case"
                " where partner_code = 'N1001' and cause in ('order_cancelled', 'run_lost')"
            )
        )
        assert set(told) == {""}
    assert await seed(demo_sessions) is False
