"""What the ERP will never send of an order holds nothing of what its business may still order."""

from decimal import Decimal
from typing import Any

from fastapi import FastAPI

from db.base import Sessions
from db.checkout.coupons import usable_coupons
from db.checkout.limits import allowance_of, set_limits
from db.orders.orders import number_of_po, open_amount
from domain.checkout.limits import PurchaseLimits
from domain.identity.people import User
from domain.orders.orders import Order, OrderStatus
from tests.catalogue.factories import a_word
from tests.checkout.coupons.factories import a_coupon
from tests.drivers.factories import a_dealer, a_name, an_installer
from tests.orders.erp.test_webhook_api import an_event, post_events, present
from tests.orders.factories import a_line, an_order, code_of


def never_sent(order: Order, pieces: int) -> dict[str, Any]:
    parcels = [{"sku": order.lines[0].sku, "quantity": pieces}]
    shipment = {"number": a_name(), "parcels": parcels}
    return an_event(order, "order.shipment_cancelled", reason="Discontinued.", shipment=shipment)


async def a_purchaser(sessions: Sessions) -> User:
    dealer = await a_dealer(sessions)
    user = await an_installer(sessions, dealer, is_purchaser=True)
    async with sessions.begin() as session:
        limits = PurchaseLimits(per_month=Decimal(100))
        await set_limits(session, user.id, dealer.id, limits, by="an owner")
    return user


async def ten_pieces(sessions: Sessions, user: User, **given: Any) -> Order:
    lines = [a_line(quantity=10)]
    return await an_order(sessions, code_of(user), lines, placed_by=user.id, **given)


async def counted(sessions: Sessions, user: User) -> tuple[Decimal, Decimal]:
    """What is held of their business's credit, and what they ordered in this month."""
    code = code_of(user)
    async with sessions() as session:
        allowance = await allowance_of(session, user.id, user.dealer_id, code, token="")
        assert allowance is not None
        return await open_amount(session, code), allowance.ordered


async def test_a_part_that_is_never_sent_holds_neither_credit_nor_the_months_limit(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_purchaser(sessions)
    order = await ten_pieces(sessions, user)
    assert await counted(sessions, user) == (100, 100)
    await post_events(portal, an_event(order, "order.accepted"), never_sent(order, 8))
    assert (await present(sessions, order)).status is OrderStatus.CONFIRMED
    assert await counted(sessions, user) == (20, 20)
    invoice = an_event(order, "order.invoiced", invoice_number="INV-1", amount=20.0)
    await post_events(portal, invoice)
    assert await counted(sessions, user) == (0, 20)


async def test_an_order_that_is_dropped_part_by_part_was_none(
    portal: FastAPI, sessions: Sessions
) -> None:
    """Not the first one of its business, nor one of its PO number."""
    user, channel, po_number = await a_purchaser(sessions), a_word(), a_name()
    coupon = await a_coupon(sessions, channel, is_first_order=True)
    order = await ten_pieces(sessions, user, po_number=po_number)

    async def usable() -> tuple[list[str], str | None]:
        async with sessions() as session:
            found = await usable_coupons(session, channel, code_of(user))
            codes = [one.code for one in found if one.code == coupon]
            return codes, await number_of_po(session, code_of(user), po_number, "")

    assert await usable() == ([], order.number)
    await post_events(portal, never_sent(order, 4), never_sent(order, 6))
    assert (await present(sessions, order)).status is OrderStatus.CANCELLED
    assert await counted(sessions, user) == (0, 0)
    assert await usable() == ([coupon], None)
