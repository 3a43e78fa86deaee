"""What the ERP has sent: its `DeliveryNotes`, in our words. The shipment's printed number is `U_Number`, our order's
`U_OrderNumber` and `U_Token`, the carrier `U_Carrier`; times are those of the ERP, in UTC."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal

import structlog
from pydantic import BaseModel, Field

from domain.orders.erp_events import LONGEST_CARRIER, SentShipment, ShipmentFeed
from providers.erp.changes import Day, changes_behind, cursor_of
from providers.erp.service_layer import Record, ServiceLayer

DELIVERY_NOTES = "DeliveryNotes"

log = structlog.stdlib.get_logger()


class _Line(BaseModel):
    ItemCode: str
    Quantity: Decimal


class _DeliveryNote(BaseModel):
    CardCode: str
    CreationDate: Day
    DocTime: str
    Cancelled: Literal["tYES", "tNO"] = "tNO"
    TrackingNumber: str | None = None
    U_Number: str
    U_OrderNumber: str
    U_Token: str | None = None
    U_Carrier: str | None = None
    DocumentLines: Annotated[list[_Line], Field(max_length=1_000)]


class ErpShipments:
    """Raises Unavailable without a usable answer, Refused for a clear no."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def changed_since(self, cursor: str) -> ShipmentFeed:
        """What was sent behind `cursor`, which is empty for all of it, or a moment; behind the last page, the last second again.
        What is cancelled there, is no order of ours or cannot be read is passed over."""
        page = await changes_behind(self._service_layer, DELIVERY_NOTES, cursor_of(cursor))
        read = [_shipment_of(record) for record in page.records]
        return ShipmentFeed(
            shipments=tuple(one for one in read if one is not None),
            cursor=page.cursor.model_dump_json(),
            has_more=page.has_more,
        )


def _shipment_of(record: Record) -> SentShipment | None:
    if not record.get("U_OrderNumber"):
        return None
    try:
        note = _DeliveryNote.model_validate(record)
        if note.Cancelled == "tYES":
            return None
        at = datetime.fromisoformat(f"{note.CreationDate}T{note.DocTime}").replace(tzinfo=UTC)
        return SentShipment.model_validate(
            {
                "reference": note.U_OrderNumber,
                "token": note.U_Token or None,
                "partner_code": note.CardCode,
                "at": at,
                "shipment": {
                    "number": note.U_Number,
                    "carrier": (note.U_Carrier or "")[:LONGEST_CARRIER],
                    "tracking_number": note.TrackingNumber or "",
                    "parcels": [
                        {"sku": line.ItemCode, "quantity": line.Quantity}
                        for line in note.DocumentLines
                    ],
                },
            }
        )
    except ValueError as error:
        number = str(record.get("U_Number"))[:80]
        log.error("a delivery note is unreadable", number=number, kind=type(error).__name__)
        return None
