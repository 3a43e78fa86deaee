"""Documents of the ERP: our client and its stand-in, asked together."""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from providers.erp import ErpOrders
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.lists import ErpLists
from providers.erp.payments import ErpPayments
from providers.erp.shipments import ErpShipments
from providers.errors import Refused
from simulators.main import create_app
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice
from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import ErpDesk, a_service_layer, an_entered_order, issue
from tests.drivers.until import until

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
AT_ONCE = {"accept_seconds": 0, "ship_seconds": 0, "invoice_seconds": 0}


def an_order(reference: str, **more: Any) -> dict[str, Any]:
    """As the Service Layer takes one."""
    line = {"ItemCode": "T-1", "Quantity": 2, "UnitPrice": 10.0, "U_OnHand": 2}
    return {
        "CardCode": "N1",
        "DocDate": "2026-11-20",
        "DocDueDate": "2026-11-20",
        "DocTotal": 20.0,
        "AddressExtension": {"ShipToCity": "Montréal"},
        "DocumentLines": [line],
        "U_Reference": reference,
        "U_Payment": "TERMS",
        "U_ShippingMethod": "ground",
        **more,
    }


async def enter(client: httpx.AsyncClient, reference: str | None, **more: Any) -> None:
    body = an_entered_order(reference, "N1", **more)
    (await client.post("/erp/_orders", json=body)).raise_for_status()


async def code_of(call: Any) -> str:
    with pytest.raises(Refused) as refused:
        await call
    return refused.value.code


async def test_a_session_that_ends_in_mid_call_is_renewed_and_the_order_taken_once(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    erp = a_service_layer(client)
    assert await erp.first("Orders", "U_Reference eq 'T-1'") is None
    await desk.turn(is_expired=True)
    made = await erp.create("Orders", an_order("T-1"))
    assert [one["status"] for one in await desk.asked("Orders")] == [200, 401, 201]
    await desk.turn(is_expired=True)
    found = await erp.first("Orders", "U_Reference eq 'T-1'")
    assert found is not None
    assert (found["DocEntry"], found["DocNum"]) == (made["DocEntry"], made["DocNum"])
    assert len(await desk.asked("Login")) == 3


async def test_pages_are_followed_by_their_links(client: httpx.AsyncClient, desk: ErpDesk) -> None:
    for n in range(45):
        await enter(client, f"T-{n}")
    await desk.turn(page_limit=20)
    erp = a_service_layer(client)
    asked = {"$orderby": "DocEntry desc", "$select": "DocEntry,U_Reference"}
    found = await erp.everything("Orders", asked)
    assert [one["U_Reference"] for one in found] == [f"T-{n}" for n in reversed(range(45))]
    assert {tuple(one) for one in found} == {("DocEntry", "U_Reference")}
    some = await erp.everything("Orders", {"$top": "30", "$skip": "10", "$orderby": "DocEntry"})
    assert [one["U_Reference"] for one in some] == [f"T-{n}" for n in range(10, 40)]
    await desk.turn(page_limit=0)
    lists = ErpLists(erp)
    page = await lists.orders(LONG_AGO, None)
    assert (len(page.orders), page.cursor) == (45, None)
    assert (await lists.orders(datetime.now(UTC) + timedelta(minutes=1), None)).orders == ()


async def test_what_is_wrong_is_told_by_its_code(client: httpx.AsyncClient) -> None:
    erp = a_service_layer(client)
    unknown = an_order("T-1", Colour="red")
    assert await code_of(erp.page("Orders", {"$filter": "Colour eq 'red'"})) == "-1000"
    assert await code_of(erp.page("Invoices", {"$select": "DocEntry,Colour"})) == "-1000"
    assert await code_of(erp.create("Orders", unknown)) == "-1000"
    assert await code_of(erp.create("Orders", an_order("T-1", DocTotal=-1))) == "-5002"
    assert await code_of(erp.create("Invoices", {})) == "-5006"
    assert await code_of(erp.act("Orders", 77, "Cancel")) == "-2028"
    assert await code_of(erp.change("Orders", 77, {"Confirmed": "tNO"})) == "-2028"
    assert await code_of(erp.page("Colours", {})) == "-1"
    refused = an_order("T-1", NumAtCard="ERP-REFUSED")
    with pytest.raises(Refused, match=r"^The ERP does not accept this order\.$"):
        await erp.create("Orders", refused)


async def test_a_reference_is_there_once(client: httpx.AsyncClient) -> None:
    erp = a_service_layer(client)
    told = await asyncio.gather(
        *(erp.create("Orders", an_order("T-1")) for _ in range(3)), return_exceptions=True
    )
    refused = [one.code for one in told if isinstance(one, Refused)]
    assert refused == ["-2035", "-2035"]
    assert len(await erp.everything("Orders")) == 1


async def test_a_cancelled_order_is_cancelled_once_by_whose_it_is(
    client: httpx.AsyncClient,
) -> None:
    await enter(client, "T-1")
    erp = a_service_layer(client)
    orders = ErpOrders(erp)
    assert await orders.cancel_order("T-1", "Not theirs", partner_code="N2", token="") is None
    told = await asyncio.gather(
        *(orders.cancel_order("T-1", "Twice", partner_code="N1", token="") for _ in range(3))
    )
    assert [one and one.is_cancelled for one in told] == [True, True, True]
    record = await erp.first("Orders", "U_Reference eq 'T-1'")
    assert record is not None
    assert (record["DocumentStatus"], record["U_CancelReason"]) == ("bost_Close", "Twice")
    assert await code_of(erp.act("Orders", record["DocEntry"], "Cancel")) == "-5006"


@pytest.mark.parametrize("total", ["0.29", "1234567.89", "9999999998.99", "1.10"])
async def test_money_is_exact(client: httpx.AsyncClient, total: str) -> None:
    amount = Decimal(total)
    invoice = an_invoice(a_name()).model_copy(
        update={
            "subtotal": amount,
            "freight": Decimal(0),
            "tax": Decimal(0),
            "total": amount,
            "payoff": amount,
        }
    )
    await issue(client, invoice)
    erp = a_service_layer(client)
    (read,) = (await ErpDocuments(erp).changed_since("")).invoices
    assert (read.total, read.balance) == (amount, amount)
    (left,) = await ErpPayments(erp).post(
        "p:1",
        partner_code=invoice.partner_code,
        invoice_number=invoice.number,
        amount=Decimal("0.07"),
        discount=Decimal("0.01"),
        memos=[],
        paid_on=ISSUED,
    )
    assert left.balance == amount - Decimal("0.08")
    (posting,) = (await ErpLists(erp).postings(LONG_AGO, None)).postings
    assert (posting.amount, posting.discount) == (Decimal("0.07"), Decimal("0.01"))
    assert (posting.reference, posting.invoice_number) == ("p:1", invoice.number)


async def test_a_payment_is_taken_back_once(client: httpx.AsyncClient) -> None:
    invoice = an_invoice(a_name())
    memo = a_memo(invoice.partner_code)
    await issue(client, invoice, memo)
    payments = ErpPayments(a_service_layer(client))
    await payments.post(
        "p:1",
        partner_code=invoice.partner_code,
        invoice_number=invoice.number,
        amount=Decimal("68.00"),
        discount=Decimal("2.00"),
        memos=[(memo.number, Decimal("30.00"))],
        paid_on=ISSUED,
    )
    first = await payments.cancel("p:1")
    assert {one.number: one.balance for one in first} == {
        invoice.number: invoice.balance,
        memo.number: memo.balance,
    }
    assert await payments.cancel("p:1") == first
    assert await code_of(payments.cancel("p:2")) == "payment_unknown"


async def test_each_shipment_is_a_delivery_note_with_an_invoice_of_its_own(
    client: httpx.AsyncClient,
) -> None:
    (await client.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
    lines = [
        {"sku": "A", "quantity": 3, "now": 2, "later": 1, "unit_price": 33.33},
        {"sku": "B", "quantity": 1, "now": 1, "later": 0, "unit_price": 0.02},
    ]
    amounts = {"subtotal": 100.01, "discount": 5.0, "freight": 12.5, "tax": 7.01, "total": 114.52}
    await enter(client, "T-1", po_number="PO", lines=lines, coupon="SPRING", **amounts)
    erp = a_service_layer(client)
    sent = (await ErpShipments(erp).changed_since("")).shipments
    assert [(one.reference, one.partner_code) for one in sent] == [("T-1", "N1")] * 2
    assert [[(p.sku, p.quantity) for p in one.shipment.parcels] for one in sent] == [
        [("A", 2), ("B", 1)],
        [("A", 1)],
    ]
    issued = (await ErpDocuments(erp).changed_since("")).invoices
    assert {one.shipment_number for one in issued} == {one.shipment.number for one in sent}
    assert sum(one.total for one in issued) == Decimal("114.52")
    assert sum(one.subtotal for one in issued) == Decimal("95.01")
    for one in issued:
        lines_come_to = sum(line.total for line in one.lines)
        assert one.coupon_code == "SPRING"
        assert lines_come_to - one.coupon_amount == one.subtotal
    assert sum(one.coupon_amount for one in issued) == Decimal("5.00")
    (order,) = await erp.everything("Orders")
    notes = await erp.everything("DeliveryNotes", {"$orderby": "DocEntry"})
    assert {line["BaseEntry"] for note in notes for line in note["DocumentLines"]} == {
        order["DocEntry"]
    }
    invoices = await erp.everything("Invoices", {"$orderby": "DocEntry"})
    assert [one["DocumentLines"][0]["BaseEntry"] for one in invoices] == [
        one["DocEntry"] for one in notes
    ]
    assert order["DocumentStatus"] == "bost_Close"
    assert {line["RemainingOpenQuantity"] for line in order["DocumentLines"]} == {0}
    refused = ErpOrders(erp).cancel_order("T-1", "Too late", partner_code="N1", token="")
    assert await code_of(refused) == "already_shipped"


async def test_an_order_that_is_held_is_neither_sent_nor_invoiced(
    client: httpx.AsyncClient,
) -> None:
    knobs = {"accept_seconds": 0, "ship_seconds": 3_600, "invoice_seconds": 0}
    (await client.post("/erp/_knobs", json=knobs)).raise_for_status()
    await enter(client, "T-1", po_number="PO")
    erp = a_service_layer(client)
    orders, sent = ErpOrders(erp), ErpShipments(erp)
    await orders.hold_order("T-1", is_held=True, partner_code="N1", token="")
    (await client.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
    assert (await sent.changed_since("")).shipments == ()
    (order,) = await erp.everything("Orders")
    assert order["Confirmed"] == "tNO"
    await orders.hold_order("T-1", is_held=False, partner_code="N1", token="")
    await until(lambda: sent.changed_since(""), lambda told: len(told.shipments) == 1, within=5)
    assert len((await ErpDocuments(erp).changed_since("")).invoices) == 1


@pytest.mark.parametrize("fault", ["ERP-REVOKES", "ERP-PARTS"])
async def test_an_order_that_is_held_may_be_cancelled_there_all_the_same(
    client: httpx.AsyncClient, fault: str
) -> None:
    knobs = {"accept_seconds": 0.5, "ship_seconds": 0, "invoice_seconds": 0}
    (await client.post("/erp/_knobs", json=knobs)).raise_for_status()
    await enter(client, "T-1", po_number=fault)
    erp = a_service_layer(client)
    await ErpOrders(erp).hold_order("T-1", is_held=True, partner_code="N1", token="")
    cancelled = ErpCancellations(erp)
    await until(lambda: cancelled.changed_since(""), lambda told: len(told.orders) == 1, within=5)
    (order,) = await erp.everything("Orders")
    assert order["Confirmed"] == "tNO"


async def test_changes_are_read_from_a_moment_and_the_last_second_again(
    client: httpx.AsyncClient,
) -> None:
    invoices = [an_invoice(a_name()) for _ in range(3)]
    for invoice in invoices:
        await issue(client, invoice)
    documents = ErpDocuments(a_service_layer(client))
    feed = await documents.changed_since("")
    assert {one.number for one in feed.invoices} == {one.number for one in invoices}
    again = await documents.changed_since(feed.cursor)
    assert set(again.invoices) <= set(feed.invoices)
    await issue(client, invoices[0].model_copy(update={"paid": Decimal(5)}))
    changed = await documents.changed_since(feed.cursor)
    assert (invoices[0].number, 2) in {(one.number, one.version) for one in changed.invoices}
    later = (datetime.now(UTC) + timedelta(minutes=1)).isoformat()
    assert (await documents.changed_since(later)).invoices == ()
    earlier = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    assert len((await documents.changed_since(earlier)).invoices) == 3


async def test_what_was_entered_by_hand_keeps_nothing_of_ours_back(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    invoice = an_invoice(a_name())
    await issue(client, invoice)
    cheque = {
        "business_partner": invoice.partner_code,
        "invoice_number": invoice.number,
        "amount": 10.0,
        "paid_on": "2026-11-20",
    }
    for reference in (None, "T-1", None, "T-2", None):
        await enter(client, reference)
        body = {**cheque, "reference": reference}
        (await client.post("/erp/_payments", json=body)).raise_for_status()
    lists = ErpLists(a_service_layer(client))
    for limit in (0, 1, 2):
        await desk.turn(page_limit=limit)
        assert await _pages(lists.orders, "orders") == ["T-1", "T-2"]
        assert await _pages(lists.postings, "postings") == ["T-1", "T-2"]


async def test_a_field_that_holds_nothing_is_null_and_read_as_empty(
    client: httpx.AsyncClient,
) -> None:
    code = a_name()
    invoice = an_invoice(code).model_dump(mode="json", exclude={"payoff", "early_pay"})
    memo = a_memo(code).model_dump(mode="json", exclude={"reason"})
    for kind, document in (("invoice", invoice), ("credit_memo", memo)):
        body = {"kind": kind, "document": document, "is_told": False}
        (await client.post("/erp/_documents", json=body)).raise_for_status()
    erp = a_service_layer(client)
    (shown,) = await erp.everything("Invoices")
    empty = ("U_Payoff", "U_EarlyPay", "U_SettledWith", "U_OrderNumber")
    assert {name: shown[name] for name in empty} == dict.fromkeys(empty)
    feed = await ErpDocuments(erp).changed_since("")
    (read,), (credit,) = feed.invoices, feed.credit_memos
    assert (read.payoff, read.early_pay, read.settled_with) == (read.balance, (), ())
    assert (credit.reason, credit.applied_to) == ("", ())


@pytest.mark.parametrize("field", ["TrackingNumber", "U_Carrier"])
async def test_what_left_without_a_tracking_number_or_carrier_is_a_shipment(
    stand_ins: FastAPI, field: str
) -> None:
    async with at(stand_ins) as client:
        (await client.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
        await enter(client, "T-1", po_number="PO")
        erase(stand_ins, field)
        (sent,) = (await ErpShipments(a_service_layer(client)).changed_since("")).shipments
    shown = {"TrackingNumber": sent.shipment.tracking_number, "U_Carrier": sent.shipment.carrier}
    assert shown.pop(field) == ""
    assert all(shown.values())


async def test_texts_longer_than_ours_are_cut_and_no_document_is_lost(stand_ins: FastAPI) -> None:
    async with at(stand_ins) as client:
        (await client.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
        await enter(client, "T-1", po_number="PO")
        memo = a_memo(a_name()).model_dump(mode="json")
        body = {"kind": "credit_memo", "document": {**memo, "reason": "Came damaged. " * 30}}
        (await client.post("/erp/_documents", json=body | {"is_told": False})).raise_for_status()
        write(stand_ins, "U_Carrier", "Northern Parcel " * 20)
        service_layer = a_service_layer(client)
        (sent,) = (await ErpShipments(service_layer).changed_since("")).shipments
        (read,) = (await ErpDocuments(service_layer).changed_since("")).credit_memos
    assert sent.shipment.carrier == ("Northern Parcel " * 20)[:120]
    assert read.reason == ("Came damaged. " * 30)[:254]


async def test_a_line_without_a_name_is_named_by_its_article(stand_ins: FastAPI) -> None:
    async with at(stand_ins) as client:
        invoice = an_invoice(a_name())
        await issue(client, invoice)
        write(stand_ins, "DocumentLines[0].ItemDescription", None)
        (read,) = (await ErpDocuments(a_service_layer(client)).changed_since("")).invoices
    assert read.lines[0].name == invoice.lines[0].sku


async def test_a_page_on_which_nothing_has_a_time_is_not_asked_for_at_once_again(
    stand_ins: FastAPI,
) -> None:
    async with at(stand_ins) as client:
        for _ in range(3):
            await issue(client, an_invoice(a_name()))
        await ErpDesk(client).turn(page_limit=2)
        documents = ErpDocuments(a_service_layer(client))
        assert (await documents.changed_since("")).has_more
        erase(stand_ins, "UpdateTime")
        feed = await documents.changed_since("")
    assert (len(feed.invoices), feed.has_more) == (2, False)


@pytest.fixture
def stand_ins(tmp_path: Path) -> FastAPI:
    return create_app(tmp_path / "own.sqlite")


def at(stand_ins: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(stand_ins)
    return httpx.AsyncClient(transport=transport, base_url="http://erp")


def erase(stand_ins: FastAPI, field: str) -> None:
    """It is null in every document."""
    write(stand_ins, field, None)


def write(stand_ins: FastAPI, field: str, value: str | None) -> None:
    """It holds this in every document."""
    with stand_ins.state.file.transaction() as db:
        db.execute("update erp_shown set body = json_set(body, ?, ?)", (f"$.{field}", value))


async def _pages(ask: Any, name: str) -> list[str]:
    """The references on all pages."""
    page = await ask(LONG_AGO, None)
    found = list(getattr(page, name))
    while page.cursor is not None:
        page = await ask(LONG_AGO, page.cursor)
        found += getattr(page, name)
    return [one.reference for one in found]
