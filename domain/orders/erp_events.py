"""What the ERP tells: of an order that it was handed, by `reference`, our number of it; and of its documents (rulings
"Money and devices")."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from domain.base import Frozen, Utc
from domain.billing.invoices.events import CreditMemoChanged, DocumentEvent, InvoiceChanged
from domain.money import Money

LONGEST_CARRIER = 120

Short = Annotated[str, StringConstraints(min_length=1, max_length=120)]


class ErpParcel(Frozen):
    sku: Short
    quantity: Annotated[int, Field(ge=1, le=9_999)]


class ErpShipment(Frozen):
    number: Short
    carrier: Annotated[str, StringConstraints(max_length=LONGEST_CARRIER)] = ""
    tracking_number: Annotated[str, StringConstraints(max_length=120)] = ""
    parcels: Annotated[tuple[ErpParcel, ...], Field(min_length=1, max_length=1_000)]


class _Event(Frozen):
    """`id` names the event for good: the same again is the same. `token` tells the order from another one of its number; None of
    one that was handed over without."""

    id: Short
    at: Utc
    reference: Short
    token: Short | None = None
    erp_number: Short


class OrderAccepted(_Event):
    type: Literal["order.accepted"] = "order.accepted"


class OrderShipped(_Event):
    type: Literal["order.shipped"] = "order.shipped"
    shipment: ErpShipment


class SentShipment(Frozen):
    """A shipment as the ERP's books have it. `reference` is our number of the order, `partner_code` the business there, `token` as
    above."""

    reference: Short
    token: Short | None = None
    partner_code: Short
    at: Utc
    shipment: ErpShipment


class ShipmentFeed(Frozen):
    """A page of what was sent; `cursor` is where the next one begins."""

    shipments: tuple[SentShipment, ...] = ()
    cursor: str
    has_more: bool


class OrderInvoiced(_Event):
    """`shipment_number` is the shipment that the invoice is for; without one it is for the whole order."""

    type: Literal["order.invoiced"] = "order.invoiced"
    invoice_number: Short
    shipment_number: Short | None = None
    amount: Annotated[Money, Field(ge=0)]


class Withdrawn(Frozen):
    """A shipment that will not be sent, by the ERP's number of it."""

    number: Short
    parcels: Annotated[tuple[ErpParcel, ...], Field(min_length=1, max_length=1_000)]


class ShipmentCancelled(_Event):
    """A part of the order stays unsent; the rest goes on."""

    type: Literal["order.shipment_cancelled"] = "order.shipment_cancelled"
    reason: Short
    shipment: Withdrawn


class OrderCancelled(_Event):
    type: Literal["order.cancelled"] = "order.cancelled"
    reason: Short


class WithdrawnInBooks(Withdrawn):
    reason: Short
    at: Utc


class CancelledOrder(Frozen):
    """An order that the ERP cancelled, as its books have it: whole, for `reason`, or some of its shipments, `withdrawn`. `token`
    as above."""

    reference: Short
    token: Short | None = None
    partner_code: Short
    erp_number: Short
    at: Utc
    reason: Short | None = None
    withdrawn: Annotated[tuple[WithdrawnInBooks, ...], Field(max_length=200)] = ()

    @property
    def events(self) -> Iterator["OrderCancelled | ShipmentCancelled"]:
        """As the ERP would have told it."""
        for one in self.withdrawn:
            shipment = Withdrawn(number=one.number, parcels=one.parcels)
            yield ShipmentCancelled(
                id=f"books-{one.number}",
                at=one.at,
                reason=one.reason,
                shipment=shipment,
                reference=self.reference,
                token=self.token,
                erp_number=self.erp_number,
            )
        if self.reason is not None:
            yield OrderCancelled(
                id="books-cancelled",
                at=self.at,
                reason=self.reason,
                reference=self.reference,
                token=self.token,
                erp_number=self.erp_number,
            )


class CancellationFeed(Frozen):
    """A page of what was cancelled; `cursor` is where the next one begins."""

    orders: tuple[CancelledOrder, ...] = ()
    cursor: str
    has_more: bool


ErpEvent = Annotated[
    OrderAccepted | OrderShipped | OrderInvoiced | ShipmentCancelled | OrderCancelled,
    Field(discriminator="type"),
]
ERP_EVENT: TypeAdapter[
    OrderAccepted
    | OrderShipped
    | OrderInvoiced
    | ShipmentCancelled
    | OrderCancelled
    | InvoiceChanged
    | CreditMemoChanged
] = TypeAdapter(ErpEvent | DocumentEvent)
