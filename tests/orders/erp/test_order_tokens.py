"""An invoice is for the order whose token it names: numbers of orders may repeat after a restore (decision 92)."""

from dataclasses import dataclass

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from db.base import Sessions
from db.billing.invoices.documents import find_invoice, invoices_of_shipments
from db.orders.news import changed_at
from db.orders.orders import find_order, id_of_invoiced
from db.orders.tables import OrderInvoiceRow
from domain.billing.invoices.documents import Invoice
from domain.orders.orders import Order
from providers.erp.documents import INVOICES, ErpDocuments
from tests.billing.invoices.factories import an_invoice
from tests.drivers.factories import a_name, a_partner
from tests.drivers.outside.erp_records import a_service_layer
from tests.drivers.until import until
from tests.orders.erp.test_erp import orders_of
from tests.orders.erp.test_webhook_api import an_event, changed, post_events
from tests.orders.factories import a_line, an_order


@dataclass(frozen=True)
class Orders:
    """`other` is of the same business as `own`, `foreign` of another one."""

    own: Order
    other: Order
    foreign: Order

    @property
    def all(self) -> tuple[Order, ...]:
        return self.own, self.other, self.foreign


@pytest.fixture
async def orders(sessions: Sessions) -> Orders:
    ours, theirs = await a_partner(sessions), await a_partner(sessions)
    made = [await an_order(sessions, code, [a_line()]) for code in (ours, ours, theirs)]
    return Orders(*made)


async def _found(sessions: Sessions, order: Order) -> Order:
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert found is not None
    return found


async def _stored(sessions: Sessions, order: Order) -> set[str]:
    """Every invoice of the order, also where it is not shown as that of a shipment."""
    query = select(OrderInvoiceRow.number).where(OrderInvoiceRow.order_id == order.id)
    async with sessions() as session:
        return set(await session.scalars(query))


async def _invoice_numbers(sessions: Sessions, order: Order) -> tuple[str, ...]:
    """Invoices that the order knows of."""
    return (await _found(sessions, order)).invoice_numbers


FOR: dict[str, tuple[str | None, str | None, str | None]] = {
    "its own": ("own", "own", "own"),
    "its number, and no token": ("own", None, "own"),
    "its token, and no number": (None, "own", "own"),
    "the number of another order": ("other", "own", "own"),
    "a token that nobody knows": ("own", "lost", None),
    "the token of another business": ("own", "foreign", None),
    "number and token of another business": ("foreign", "foreign", None),
    "the number of another business": ("foreign", None, None),
    "nothing": (None, None, None),
}
"""What an invoice of the business of `own` names: whose number, whose token, and the order that it is for."""


@pytest.mark.parametrize("named", FOR)
async def test_an_invoice_reaches_the_order_of_its_token_and_no_other(
    portal: FastAPI, sessions: Sessions, orders: Orders, named: str
) -> None:
    number, token, expected = FOR[named]
    by_name = {"own": orders.own, "other": orders.other, "foreign": orders.foreign}
    tokens = {name: one.token for name, one in by_name.items()} | {"lost": a_name()}
    shipment = a_name()
    invoice = an_invoice(
        orders.own.partner_code,
        order_number=by_name[number].number if number else None,
        order_token=tokens[token] if token else None,
        shipment_number=shipment,
    )
    assert await post_events(portal, changed(invoice)) == [(202, True)]

    async def reached() -> list[Order]:
        return [
            one for one in orders.all if invoice.number in await _invoice_numbers(sessions, one)
        ]

    meant = [by_name[expected]] if expected else []
    assert await reached() == meant
    # Whatever else is told of an order has it look for invoices that are mirrored for it.
    await post_events(portal, *(an_event(one, "order.accepted") for one in orders.all))
    assert [one.id for one in await reached()] == [one.id for one in meant]
    async with sessions() as session:
        assert await id_of_invoiced(session, invoice) == (meant[0].id if meant else None)
        for one in orders.all:
            shown = await invoices_of_shipments(session, one.partner_code, one.number, one.token)
            assert shown == ({shipment: invoice.number} if one in meant else {})
            moments = await changed_at(session, one.id)
            assert moments is not None
            assert len(moments) == (2 if one in meant else 1)


async def test_an_invoice_of_an_order_that_was_lost_is_not_of_the_next_one_of_its_number(
    portal: FastAPI, sessions: Sessions, orders: Orders
) -> None:
    lost, own = a_name(), orders.own
    of_lost = an_invoice(own.partner_code, order_number=own.number, order_token=lost)
    of_own = an_invoice(own.partner_code, order_number=own.number, order_token=own.token)
    await post_events(portal, changed(of_lost), changed(of_own))
    assert await _invoice_numbers(sessions, own) == (of_own.number,)


@pytest.mark.parametrize("token", ["other", "lost"])
async def test_an_invoice_that_names_its_token_late_leaves_the_order_of_its_number(
    portal: FastAPI, sessions: Sessions, orders: Orders, token: str
) -> None:
    own, other = orders.own, orders.other
    stays = an_invoice(own.partner_code, order_number=own.number)
    first = an_invoice(own.partner_code, order_number=own.number, total="20.00")
    told = {"invoice_number": first.number, "amount": 20.0}
    await post_events(
        portal, changed(stays), changed(first), an_event(own, "order.invoiced", **told)
    )
    assert await _stored(sessions, own) == {stays.number, first.number}

    named = other.token if token == "other" else a_name()
    later = first.model_copy(update={"version": 2, "order_token": named})
    assert await post_events(portal, changed(later)) == [(202, True)]
    after = await _found(sessions, own)
    assert after.invoice_number == stays.number
    assert await _stored(sessions, own) == {stays.number}
    assert first.number not in [entry.note for entry in after.history]
    assert await _invoice_numbers(sessions, other) == ((first.number,) if token == "other" else ())
    # Neither an event that says so once more nor the invoice without its token brings it back.
    await post_events(portal, an_event(own, "order.invoiced", **told), changed(first))
    assert await _stored(sessions, own) == {stays.number}


async def test_an_invoice_names_the_token_of_its_order_wherever_it_is_read(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order(sessions, await a_partner(sessions), [a_line()])
    await orders_of(world).hand_over(order)
    documents = ErpDocuments(a_service_layer(world))

    async def listed() -> list[Invoice]:
        found = await documents.changed_since("")
        return [one for one in found.invoices if one.order_number == order.number]

    (issued,) = await until(listed, bool, within=10)
    entry = await documents.entry_of(INVOICES, issued.number, order.partner_code)
    assert entry is not None
    single = await documents.under(INVOICES, entry)
    assert isinstance(single, Invoice)

    async def mirrored() -> Invoice | None:
        async with sessions() as session:
            return await find_invoice(session, issued.number, order.partner_code)

    mirrored_one = await until(mirrored, lambda found: found is not None, within=10)
    assert mirrored_one is not None
    assert [one.order_token for one in (issued, single, mirrored_one)] == [order.token] * 3
