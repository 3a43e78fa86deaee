"""Orders in the ERP, under our number of them (`U_Reference`): its `Orders`, in our words (rulings "Money and devices").

Amounts are numbers with two places. What the ERP would work out in its own way stands in fields of ours, as it was
agreed with the buyer: `U_Tax`, `U_Coupon` and `U_Discount`, `U_Payment`, `U_ShippingMethod`, and of each line
`U_OnHand` and `U_Later`. Our numbers may repeat after a restore: `U_Token` tells an order from another one of the
same number. One that was handed over before it was told has none.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal

import structlog
from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from domain.base import Frozen
from domain.catalogue.erp_items import COMPANY_ZONE
from domain.orders.erp_events import CancelledOrder
from domain.orders.orders import Order, OrderAddress
from providers.erp.changes import Day
from providers.erp.service_layer import ALREADY_THERE, Record, ServiceLayer, money, text
from providers.errors import Refused

ORDERS = "Orders"
CLOSED = "-5006"
"""The ERP's code for what cannot be done with a document any more."""
UNSAID = "Cancelled without a reason."

log = structlog.stdlib.get_logger()

Said = Annotated[str | None, BeforeValidator(lambda value: value if value is None else str(value))]
"""Read as it stands: what is in it hides nothing else of the record."""


class ErpReceipt(Frozen):
    """An order as the ERP has it."""

    erp_number: str
    is_cancelled: bool


class AlreadyShipped(Refused):
    """Something of the order has left. `receipt` is the order as the ERP has it."""

    def __init__(self, receipt: ErpReceipt) -> None:
        super().__init__("already_shipped", "This order is on its way.", system="erp")
        self.receipt = receipt


class _WithdrawnRecord(BaseModel):
    number: str
    reason: str | None = None
    at: str
    parcels: list[dict[str, object]]


_WITHDRAWN = TypeAdapter(list[_WithdrawnRecord])


class OrderRecord(BaseModel):
    """`U_Withdrawn` are the shipments that will not be sent, in JSON: number, reason, moment and pieces of each."""

    DocEntry: int
    DocNum: int
    CardCode: str = Field(min_length=1, max_length=40)
    DocTotal: Decimal
    Cancelled: Literal["tYES", "tNO"] = "tNO"
    U_Reference: str = Field(min_length=1, max_length=160)
    U_Token: Said = None
    U_CancelReason: Said = None
    U_Withdrawn: Said = None
    UpdateDate: Day | None = None
    UpdateTime: Said = None

    @property
    def receipt(self) -> ErpReceipt:
        return ErpReceipt(erp_number=str(self.DocNum), is_cancelled=self.Cancelled == "tYES")

    def is_of(self, partner_code: str, token: str) -> bool:
        """Whether it is this order, and not an earlier one of the same number."""
        return self.CardCode == partner_code and self.U_Token in (None, token)

    @property
    def withdrawn(self) -> list[_WithdrawnRecord]:
        """Raises ValueError where it cannot be read."""
        return _WITHDRAWN.validate_json(self.U_Withdrawn or "[]")

    @property
    def cancelled(self) -> CancelledOrder | None:
        """What of it is cancelled; of an order that is so whole also where its shipments cannot be read. Raises ValueError where
        it cannot be read."""
        if not self.receipt.is_cancelled:
            return self._cancelled(self.withdrawn) if self.U_Withdrawn else None
        try:
            return self._cancelled(self.withdrawn)
        except ValueError:
            log.error("withdrawn shipments of the ERP are unreadable", number=self.U_Reference[:80])
            return self._cancelled([])

    def _cancelled(self, withdrawn: list[_WithdrawnRecord]) -> CancelledOrder:
        return CancelledOrder.model_validate(
            {
                "reference": self.U_Reference,
                "token": self.U_Token or None,
                "partner_code": self.CardCode,
                "erp_number": self.receipt.erp_number,
                "at": self._changed_at,
                "reason": _reason(self.U_CancelReason) if self.receipt.is_cancelled else None,
                "withdrawn": [
                    one.model_dump() | {"reason": _reason(one.reason)} for one in withdrawn
                ],
            }
        )

    @property
    def _changed_at(self) -> datetime:
        """Now, where the ERP says no time that can be read."""
        try:
            moment = datetime.fromisoformat(f"{self.UpdateDate}T{self.UpdateTime}")
        except ValueError:
            return datetime.now(UTC)
        return moment.replace(tzinfo=UTC)


class ErpOrders:
    """Orders in the ERP, by our number of them: it takes each once, however often it is asked.

    Raises Unavailable without a usable answer (`may_have_worked` says whether to look it up), Refused for a clear no.
    """

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def hand_over(
        self, order: Order, tax_number: str | None = None, *, is_new: bool = False
    ) -> ErpReceipt:
        """It is looked for first, unless it `is_new` and was never handed over; of two that hand it over at once one finds it
        there. `tax_number` is the buyer's, for the invoices of the order."""
        known = None if is_new else await self._find(order.number)
        found = known or await self._create(order, tax_number)
        if not found.is_of(order.partner_code, order.token) or found.DocTotal != order.total:
            raise Refused("reference_reused", "Another order has this number.", system="erp")
        return found.receipt

    async def find_order(self, reference: str) -> ErpReceipt | None:
        """None where the ERP never knew of it."""
        found = await self._find(reference)
        return found.receipt if found else None

    async def cancel_order(
        self, reference: str, reason: str, *, partner_code: str, token: str
    ) -> ErpReceipt | None:
        """None where the ERP never knew of it, or has another order of this number.
        Raises AlreadyShipped when it is too late."""
        found = await self._find(reference)
        if found is None or not found.is_of(partner_code, token):
            return None
        if found.receipt.is_cancelled:
            return found.receipt
        try:
            await self._service_layer.change(ORDERS, found.DocEntry, {"U_CancelReason": reason})
            await self._service_layer.act(ORDERS, found.DocEntry, "Cancel")
        except Refused as refusal:
            now = await self._find(reference)
            if now is None or not now.receipt.is_cancelled:
                raise _in_our_words(refusal, found) from None
        return found.receipt.model_copy(update={"is_cancelled": True})

    async def hold_order(
        self, reference: str, *, is_held: bool, partner_code: str, token: str
    ) -> ErpReceipt | None:
        """Keeps back what was not sent yet, or lets it go: an order that is not confirmed is not sent. Idempotent. None as
        above. Raises AlreadyShipped when there is nothing left to keep back."""
        found = await self._find(reference)
        if found is None or not found.is_of(partner_code, token):
            return None
        if not found.receipt.is_cancelled:
            confirmed = {"Confirmed": "tNO" if is_held else "tYES"}
            try:
                await self._service_layer.change(ORDERS, found.DocEntry, confirmed)
            except Refused as refusal:
                raise _in_our_words(refusal, found) from None
        return found.receipt

    async def _create(self, order: Order, tax_number: str | None) -> OrderRecord:
        try:
            return self._read(await self._service_layer.create(ORDERS, _written(order, tax_number)))
        except Refused as refusal:
            found = await self._find(order.number) if refusal.code == ALREADY_THERE else None
            if found is None:
                raise
            return found

    async def _find(self, reference: str) -> OrderRecord | None:
        record = await self._service_layer.first(ORDERS, f"U_Reference eq {text(reference)}")
        return None if record is None else self._read(record)

    def _read(self, record: Record) -> OrderRecord:
        try:
            return OrderRecord.model_validate(record)
        except ValidationError as error:
            raise self._service_layer.unreadable(ORDERS, error) from None


def _reason(reason: str | None) -> str:
    return (reason or "")[:120].strip() or UNSAID


def _in_our_words(refusal: Refused, found: OrderRecord) -> Refused:
    return AlreadyShipped(found.receipt) if refusal.code == CLOSED else refusal


def _written(order: Order, tax_number: str | None) -> Record:
    day = f"{order.created_at.astimezone(COMPANY_ZONE):%Y-%m-%d}"
    coupon = {"U_Coupon": order.coupon_code, "U_Discount": money(order.coupon_amount)}
    return {
        "CardCode": order.partner_code,
        **({"FederalTaxID": tax_number} if tax_number else {}),
        "DocDate": day,
        "DocDueDate": day,
        "DocCurrency": "USD",
        "DocTotal": money(order.total),
        "AddressExtension": {
            **_address("ShipTo", order.shipping_address),
            **_address("BillTo", order.billing_address),
        },
        "DocumentAdditionalExpenses": [{"ExpenseCode": 1, "LineTotal": money(order.freight)}],
        "DocumentLines": [
            {
                "ItemCode": line.sku,
                "Quantity": line.quantity,
                "UnitPrice": money(line.unit_price),
                "U_OnHand": line.now,
                "U_Later": line.later,
            }
            for line in order.lines
        ],
        "U_Reference": order.number,
        "U_Token": order.token,
        "U_Payment": order.payment_type.value,
        "U_ShippingMethod": order.shipping_method,
        "U_Tax": money(order.tax),
        **({"NumAtCard": order.po_number} if order.po_number else {}),
        **(coupon if order.coupon_code else {}),
    }


def _address(side: str, address: OrderAddress) -> Record:
    return {
        f"{side}Address2": address.name,
        f"{side}Street": address.street,
        f"{side}City": address.city,
        f"{side}State": address.country_area,
        f"{side}ZipCode": address.postal_code,
        f"{side}Country": address.country,
    }
