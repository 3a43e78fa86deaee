"""What the ERP tells of orders and documents: signed, at least once, in any order (rulings "Calls")."""

import time
from typing import Annotated

import structlog
from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, ValidationError

from api.platform.deps import Portal, PortalDep
from api.platform.signatures import check_signature
from db.base import once_more
from db.billing.invoices.documents import record_document
from db.orders.erp_events import record_event, record_invoice
from domain.billing.invoices.events import CreditMemoChanged, InvoiceChanged
from domain.errors import Invalid
from domain.orders.erp_events import ERP_EVENT, ErpEvent

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

log = structlog.get_logger()


class EventAnswer(BaseModel):
    """Whether the event was new."""

    is_new: bool


@router.post("/erp", status_code=202)
async def receive_erp_event(
    request: Request, portal: PortalDep, x_signature: Annotated[str, Header(max_length=200)] = ""
) -> EventAnswer:
    """One event of an order, or the new version of a document. Kept before the answer, together with what it
    changes; a repeated one changes nothing."""
    body = await request.body()
    check_signature(portal.erp_webhook_secret, x_signature, body, time.time())
    try:
        event = ERP_EVENT.validate_json(body)
    except ValidationError:
        raise Invalid from None
    is_new, subject = await once_more(lambda: _record(portal, event))
    log.info("erp_event_heard", type=event.type, reference=subject, is_new=is_new)
    return EventAnswer(is_new=is_new)


async def _record(
    portal: Portal, event: ErpEvent | InvoiceChanged | CreditMemoChanged
) -> tuple[bool, str]:
    """Whether it was new, and what it tells of. An invoice may touch two orders, as a page of the feed does meanwhile."""
    async with portal.sessions.begin() as session:
        if not isinstance(event, InvoiceChanged | CreditMemoChanged):
            return await record_event(session, event), event.reference
        is_new = await record_document(session, event)
        if is_new and isinstance(event, InvoiceChanged):
            await record_invoice(session, event.document)
        return is_new, event.document.number
