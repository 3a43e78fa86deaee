"""The ERP's books, read page by page: orders, incoming payments, and what a business owes."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from domain.base import Frozen
from domain.billing.reconciliation.facts import ErpOrder, Posting
from domain.orders.erp_events import CancelledOrder
from providers.erp.accounts import Erp, Owed
from providers.erp.cancellations import cancelled_of
from providers.erp.orders import ORDERS, OrderRecord
from providers.erp.payments import PAYMENTS, IncomingPayment
from providers.erp.service_layer import ServiceLayer, text

PAGE = 100

Shape = TypeVar("Shape", bound=BaseModel)


class _Entry(BaseModel):
    DocEntry: int


class ErpOrderPage(Frozen):
    orders: tuple[ErpOrder, ...]
    cursor: str | None


class PostingPage(Frozen):
    postings: tuple[Posting, ...]
    cursor: str | None


class ErpLists:
    """Read only. Raises Unavailable without a usable answer."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer
        self._accounts = Erp(service_layer)

    async def owed_by(self, partner_code: str) -> Owed:
        """Raises Refused for a business that the ERP does not know."""
        return await self._accounts.owed_by(partner_code)

    async def orders(self, since: datetime, after: str | None) -> ErpOrderPage:
        """Those that were entered `since` then, behind the cursor `after`."""
        rows, behind = await self._page(ORDERS, OrderRecord, since, after)
        return ErpOrderPage(
            orders=tuple(
                ErpOrder(
                    reference=one.U_Reference,
                    number=one.receipt.erp_number,
                    is_cancelled=one.receipt.is_cancelled,
                    total=one.DocTotal,
                    withdrawn=_withdrawn(one),
                )
                for one in rows
            ),
            cursor=behind,
        )

    async def cancelled(self, reference: str) -> CancelledOrder | None:
        """What of an order of ours is cancelled at this moment."""
        record = await self._service_layer.first(ORDERS, f"U_Reference eq {text(reference)}")
        return cancelled_of(record) if record else None

    async def postings(self, since: datetime, after: str | None) -> PostingPage:
        """Likewise; what was cancelled there posts nothing."""
        rows, behind = await self._page(PAYMENTS, IncomingPayment, since, after)
        return PostingPage(
            postings=tuple(
                Posting(
                    number=str(one.DocEntry),
                    reference=one.U_Reference,
                    invoice_number=one.U_InvoiceNumber,
                    partner_code=one.CardCode,
                    amount=one.TransferSum,
                    discount=sum((part.TotalDiscount for part in one.PaymentInvoices), Decimal(0)),
                    from_memos=-sum((part.SumApplied for part in one.notes), Decimal(0)),
                )
                for one in rows
                if not one.is_cancelled
            ),
            cursor=behind,
        )

    async def _page(
        self, entity: str, shape: type[Shape], since: datetime, after: str | None
    ) -> tuple[list[Shape], str | None]:
        """Those with a reference of ours, and where the next page begins. What was entered by hand has none, and any shape."""
        begun = since.astimezone(UTC)
        day, at = text(f"{begun:%Y-%m-%d}"), text(f"{begun:%H:%M:%S}")
        asked = {
            "$orderby": "DocEntry",
            "$filter": f"DocEntry gt {int(after or 0)} and (CreationDate gt {day} or"
            f" (CreationDate eq {day} and DocTime ge {at}))",
        }
        page = await self._service_layer.page(entity, asked, size=PAGE)
        try:
            ours = [shape.model_validate(one) for one in page.records if one.get("U_Reference")]
            last = _Entry.model_validate(page.records[-1]) if page.has_more else None
        except ValidationError as error:
            raise self._service_layer.unreadable(entity, error) from None
        return ours, str(last.DocEntry) if last else None


def _withdrawn(record: OrderRecord) -> tuple[str, ...]:
    """None where it cannot be read: the feed logs that."""
    try:
        return tuple(one.number for one in record.withdrawn)
    except ValueError:
        return ()
