"""The ERP: what it knows of a business, and the orders that it is handed (rulings "Money and devices")."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, Field, ValidationError

from domain.base import Frozen
from domain.orders.orders import Order
from domain.partners.partners import ErpAccount
from providers.erp.wire import wire_of
from providers.errors import Refused


class _Invoice(BaseModel):
    due_date: date
    open_amount: Decimal


class _Account(BaseModel):
    balance: Decimal
    credit_limit: Decimal
    invoice_count: Annotated[int, Field(ge=0)]
    open_invoices: tuple[_Invoice, ...]


class Erp:
    """Raises Unavailable without a usable answer, Refused for a code that the ERP does not know."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        seconds: float = 1.5,
        at_once: int = 16,
    ) -> None:
        self._wire = wire_of(client, base_url, seconds=seconds, at_once=at_once)

    async def account_of(self, code: str, today: date) -> ErpAccount:
        """What the business owes; an invoice is past due when it was due before `today`."""
        answer = await self._wire.call(
            "account", "GET", f"/business-partners/{quote(code, safe='')}"
        )
        try:
            told = _Account.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("account", error) from None
        late = [one for one in told.open_invoices if one.due_date < today and one.open_amount > 0]
        return ErpAccount(
            account_balance=told.balance,
            credit_limit=told.credit_limit,
            past_due_invoices=len(late),
            invoice_count=told.invoice_count,
        )


class ErpReceipt(Frozen):
    """An order as the ERP has it."""

    erp_number: str
    is_cancelled: bool


class _Order(BaseModel):
    order_number: Annotated[str, Field(min_length=1, max_length=80)]
    status: str


ORDER_UNKNOWN = "order_unknown"


class ErpOrders:
    """Orders in the ERP, by our number of them: it takes each once, however often it is asked.

    Raises Unavailable without a usable answer (`may_have_worked` says whether to look it up), Refused for a clear no.
    """

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 7.0, at_once: int = 32
    ) -> None:
        self._wire = wire_of(client, base_url, seconds=seconds, at_once=at_once)

    async def hand_over(self, order: Order, key: str) -> ErpReceipt:
        """`key` is the idempotency key of this effect."""
        return self._receipt(
            "hand_over",
            await self._wire.call("hand_over", "POST", "/orders", json=_written(order), key=key),
        )

    async def find_order(self, reference: str) -> ErpReceipt | None:
        """None where the ERP never heard of it."""
        try:
            answer = await self._wire.call("find_order", "GET", _path(reference))
        except Refused as refusal:
            if refusal.code == ORDER_UNKNOWN:
                return None
            raise
        return self._receipt("find_order", answer)

    async def cancel_order(
        self, reference: str, reason: str, *, partner_code: str
    ) -> ErpReceipt | None:
        """None where the ERP never heard of it, or has it of another business: numbers of ours may repeat after a restore.
        Raises Refused (`already_shipped`) when it is too late."""
        try:
            answer = await self._wire.call(
                "cancel_order",
                "POST",
                f"{_path(reference)}/cancel",
                json={"reason": reason, "business_partner": partner_code},
            )
        except Refused as refusal:
            if refusal.code == ORDER_UNKNOWN:
                return None
            raise
        return self._receipt("cancel_order", answer)

    async def hold_order(
        self, reference: str, *, is_held: bool, partner_code: str
    ) -> ErpReceipt | None:
        """Keeps back what was not sent yet, or lets it go. Idempotent. None as above. Raises Refused
        (`already_shipped`) when there is nothing left to keep back."""
        try:
            answer = await self._wire.call(
                "hold_order",
                "POST",
                f"{_path(reference)}/hold",
                json={"is_held": is_held, "business_partner": partner_code},
            )
        except Refused as refusal:
            if refusal.code == ORDER_UNKNOWN:
                return None
            raise
        return self._receipt("hold_order", answer)

    def _receipt(self, operation: str, answer: bytes) -> ErpReceipt:
        try:
            told = _Order.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable(operation, error) from None
        return ErpReceipt(erp_number=told.order_number, is_cancelled=told.status == "cancelled")


def _path(reference: str) -> str:
    return f"/orders/{quote(reference, safe='')}"


def _written(order: Order) -> dict[str, Any]:
    """In the ERP's words. Amounts are numbers with two places."""
    return {
        "reference": order.number,
        "business_partner": order.partner_code,
        "po_number": order.po_number,
        "currency": "USD",
        "payment": order.payment_type.value,
        "shipping_method": order.shipping_method,
        "ship_to": order.shipping_address.model_dump(),
        "bill_to": order.billing_address.model_dump(),
        "lines": [
            line.model_dump(mode="json", include={"sku", "quantity", "now", "later", "unit_price"})
            for line in order.lines
        ],
        **order.model_dump(mode="json", include={"subtotal", "freight", "tax", "total"}),
        **(
            {"coupon": order.coupon_code, "discount": float(order.coupon_amount)}
            if order.coupon_code
            else {}
        ),
    }
