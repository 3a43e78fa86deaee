"""What the database does not take of one document, shipment or cancellation: it is named in the log, and the others do not
wait behind it."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, cast

from structlog.testing import capture_logs

from db.base import Sessions
from db.billing.invoices.documents import find_invoice, find_memo
from db.orders.orders import find_order
from db.orders.progress import mark_handed_over
from domain.billing.invoices.events import Feed
from domain.orders.erp_events import CancellationFeed, CancelledOrder, SentShipment, ShipmentFeed
from domain.orders.orders import Order, OrderStatus
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.shipments import ErpShipments
from tests.billing.invoices.factories import a_memo, an_invoice
from tests.drivers.factories import a_name, a_partner
from tests.orders.factories import a_line, an_order
from workers.document_feed import DocumentFeed


class Books:
    """Stands for the ERP: each kind is one page."""

    def __init__(self, page: Any) -> None:
        self._page = page

    async def changed_since(self, cursor: str) -> Any:
        return self._page


def a_feed(
    sessions: Sessions,
    *,
    documents: Feed | None = None,
    shipments: ShipmentFeed | None = None,
    cancellations: CancellationFeed | None = None,
) -> DocumentFeed:
    nothing: dict[str, Any] = {"cursor": "", "has_more": False}
    return DocumentFeed(
        cast(ErpDocuments, Books(documents or Feed(**nothing))),
        cast(ErpShipments, Books(shipments or ShipmentFeed(**nothing))),
        cast(ErpCancellations, Books(cancellations or CancellationFeed(**nothing))),
        sessions,
    )


async def three_orders(sessions: Sessions) -> list[Order]:
    """At the ERP, in the order in which they are told."""
    orders = [
        await an_order(sessions, await a_partner(sessions), [a_line(quantity=1)]) for _ in range(3)
    ]
    async with sessions.begin() as session:
        for order in orders:
            await mark_handed_over(session, order.id, order.number, datetime.now(UTC))
    return sorted(orders, key=lambda one: one.number)


async def status_of(sessions: Sessions, order: Order) -> OrderStatus:
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert found is not None
    return found.status


@contextmanager
def passed_over() -> Generator[list[str]]:
    """The numbers of what cannot be kept, as the log names them; there at the end."""
    numbers: list[str] = []
    with capture_logs() as lines:
        yield numbers
    told = [one for one in lines if one["event"] == "a document cannot be kept"]
    assert {one["log_level"] for one in told} <= {"error"}
    numbers += sorted(one["number"] for one in told)


async def test_an_invoice_that_cannot_be_kept_holds_up_no_other(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    good, nul, large, last = (an_invoice(code, order_number=f"T-{a_name()}") for _ in range(4))
    page = Feed(
        invoices=(
            good,
            nul.model_copy(update={"po_number": "PO\x007"}),
            large.model_copy(update={"version": 2**40}),
            last,
        ),
        cursor="",
        has_more=False,
    )
    with passed_over() as numbers:
        assert await a_feed(sessions, documents=page).read() is False
    assert numbers == sorted([nul.number, large.number])
    async with sessions() as session:
        kept = [await find_invoice(session, one.number, code) for one in (good, nul, large, last)]
    assert kept == [good, None, None, last]


async def test_a_credit_memo_that_cannot_be_kept_holds_up_no_other(sessions: Sessions) -> None:
    code = await a_partner(sessions)
    good, nul, last = (a_memo(code) for _ in range(3))
    memos = (good, nul.model_copy(update={"reason": "Ret\x00rned"}), last)
    page = Feed(credit_memos=memos, cursor="", has_more=False)
    with passed_over() as numbers:
        assert await a_feed(sessions, documents=page).read() is False
    assert numbers == [nul.number]
    async with sessions() as session:
        kept = [await find_memo(session, one.number, code) for one in (good, nul, last)]
    assert kept == [good, None, last]


async def test_a_shipment_that_cannot_be_kept_holds_up_no_other(sessions: Sessions) -> None:
    orders = await three_orders(sessions)
    sent = [
        SentShipment.model_validate(
            {
                "reference": order.number,
                "partner_code": order.partner_code,
                "at": datetime.now(UTC),
                "shipment": {
                    "number": a_name(),
                    "carrier": carrier,
                    "parcels": [{"sku": order.lines[0].sku, "quantity": 1}],
                },
            }
        )
        for order, carrier in zip(orders, ("Van", "V\x00n", "Van"), strict=True)
    ]
    page = ShipmentFeed(shipments=tuple(sent), cursor="", has_more=False)
    with passed_over() as numbers:
        assert await a_feed(sessions, shipments=page).read() is False
    assert numbers == [sent[1].shipment.number]
    now = [await status_of(sessions, order) for order in orders]
    assert now == [OrderStatus.SHIPPED, OrderStatus.HANDED_OVER, OrderStatus.SHIPPED]


async def test_a_cancellation_that_cannot_be_kept_holds_up_no_other(sessions: Sessions) -> None:
    orders = await three_orders(sessions)
    cancelled = [
        CancelledOrder.model_validate(
            {
                "reference": order.number,
                "partner_code": order.partner_code,
                "erp_number": order.number,
                "at": datetime.now(UTC),
                "reason": reason,
            }
        )
        for order, reason in zip(orders, ("Lost", "L\x00st", "Lost"), strict=True)
    ]
    page = CancellationFeed(orders=tuple(cancelled), cursor="", has_more=False)
    with passed_over() as numbers:
        assert await a_feed(sessions, cancellations=page).read() is False
    assert numbers == [orders[1].number]
    now = [await status_of(sessions, order) for order in orders]
    assert now == [OrderStatus.CANCELLED, OrderStatus.HANDED_OVER, OrderStatus.CANCELLED]
