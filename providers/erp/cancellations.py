"""What the ERP has cancelled: its `Orders` behind a place, in our words."""

import structlog

from domain.orders.erp_events import CancellationFeed, CancelledOrder
from providers.erp.changes import changes_behind, cursor_of
from providers.erp.orders import ORDERS, OrderRecord
from providers.erp.service_layer import Record, ServiceLayer

log = structlog.stdlib.get_logger()


class ErpCancellations:
    """Raises Unavailable without a usable answer, Refused for a clear no."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def changed_since(self, cursor: str) -> CancellationFeed:
        """Of what changed behind `cursor`, which is empty for all of it, or a moment, the orders that are cancelled, whole or in
        part; behind the last page, the last second again. What is no order of ours or cannot be read is passed over."""
        page = await changes_behind(self._service_layer, ORDERS, cursor_of(cursor))
        read = [cancelled_of(record) for record in page.records]
        return CancellationFeed(
            orders=tuple(one for one in read if one is not None),
            cursor=page.cursor.model_dump_json(),
            has_more=page.has_more,
        )


def cancelled_of(record: Record) -> CancelledOrder | None:
    """What of an order of ours is cancelled; None also for what is none, or cannot be read."""
    if not record.get("U_Reference"):
        return None
    try:
        return OrderRecord.model_validate(record).cancelled
    except ValueError as error:
        number = str(record.get("U_Reference"))[:80]
        log.error("an order of the ERP is unreadable", number=number, kind=type(error).__name__)
        return None
