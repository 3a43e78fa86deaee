"""The ERP's books, read page by page: orders, incoming payments, and what a business owes."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, Field, ValidationError

from domain.base import Frozen
from domain.billing.reconciliation.facts import ErpOrder, OpenInvoice, Posting
from providers.erp.wire import wire_of

PAGE = 100

Row = TypeVar("Row")
_Short = Annotated[str, Field(max_length=160)]


class ErpOrderPage(Frozen):
    orders: tuple[ErpOrder, ...]
    cursor: str | None


class PostingPage(Frozen):
    postings: tuple[Posting, ...]
    cursor: str | None


class Owed(Frozen):
    """What the ERP says of an account."""

    balance: Decimal
    open_invoices: tuple[OpenInvoice, ...]


class _Order(BaseModel):
    reference: _Short
    order_number: _Short
    status: _Short
    total: Decimal


class _Memo(BaseModel):
    amount: Decimal


class _Payment(BaseModel):
    number: _Short
    reference: _Short
    business_partner: _Short
    invoice_number: _Short
    amount: Decimal
    discount: Decimal
    memos: list[_Memo]


class _Page(BaseModel, Generic[Row]):
    results: list[Row]
    cursor: int
    has_more: bool


class _Open(BaseModel):
    number: _Short
    open_amount: Decimal


class _Account(BaseModel):
    balance: Decimal
    open_invoices: list[_Open]


class ErpLists:
    """Read only. Raises Unavailable without a usable answer, Refused for a business that the ERP does not know."""

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 7.0, at_once: int = 32
    ) -> None:
        self._wire = wire_of(client, base_url, seconds=seconds, at_once=at_once)

    async def orders(self, since: datetime, after: str | None) -> ErpOrderPage:
        page = await self._page("list_orders", "/orders", _Page[_Order], since, after)
        return ErpOrderPage(
            orders=tuple(
                ErpOrder(
                    reference=one.reference,
                    number=one.order_number,
                    is_cancelled=one.status == "cancelled",
                    total=one.total,
                )
                for one in page.results
            ),
            cursor=_next(page),
        )

    async def postings(self, since: datetime, after: str | None) -> PostingPage:
        page = await self._page("list_payments", "/payments", _Page[_Payment], since, after)
        return PostingPage(
            postings=tuple(
                Posting(
                    number=one.number,
                    reference=one.reference,
                    invoice_number=one.invoice_number,
                    partner_code=one.business_partner,
                    amount=one.amount,
                    discount=one.discount,
                    from_memos=sum((part.amount for part in one.memos), Decimal(0)),
                )
                for one in page.results
            ),
            cursor=_next(page),
        )

    async def owed_by(self, partner_code: str) -> Owed:
        path = f"/business-partners/{quote(partner_code, safe='')}"
        answer = await self._wire.call("account", "GET", path)
        try:
            told = _Account.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("account", error) from None
        return Owed(
            balance=told.balance,
            open_invoices=tuple(
                OpenInvoice(number=one.number, amount=one.open_amount)
                for one in told.open_invoices
                if one.open_amount > 0
            ),
        )

    async def _page(
        self,
        operation: str,
        path: str,
        shape: type[_Page[Row]],
        since: datetime,
        after: str | None,
    ) -> _Page[Row]:
        params = {"since": int(since.timestamp()), "after": int(after or 0), "limit": PAGE}
        answer = await self._wire.call(operation, "GET", path, params=params)
        try:
            return shape.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable(operation, error) from None


def _next(page: _Page[Any]) -> str | None:
    return str(page.cursor) if page.has_more else None
