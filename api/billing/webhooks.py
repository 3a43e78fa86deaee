"""What the card provider and the ACH/COD gateway tell us: signed, at least once, in any order (rulings "Calls").

Kept before the answer; the workers' relay asks the provider and tells the runs (`workers/payment_relay.py`).
"""

import time
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, StringConstraints, ValidationError

from api.platform.deps import Portal, PortalDep
from api.platform.signatures import TOLERANCE_SECONDS, BadSignature, check_signature
from db.platform.webhook_events import save_event
from domain.billing.payment_events import BANK_EVENTS, PaymentEvent
from domain.errors import Invalid
from providers.cards.events import NotReadable, NotSigned, read_card_event

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

_Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class EventAnswer(BaseModel):
    """Whether the event was new."""

    is_new: bool


class _Metadata(BaseModel):
    payment_id: _Name | None = None
    method_id: _Name | None = None


class _BankEvent(BaseModel):
    id: _Name
    type: _Name
    reason: Annotated[str, StringConstraints(max_length=300)] | None = None
    metadata: _Metadata = _Metadata()


@router.post("/card", status_code=202)
async def receive_card_event(
    request: Request,
    portal: PortalDep,
    stripe_signature: Annotated[str, Header(max_length=1000)] = "",
) -> EventAnswer:
    """One event of the card provider, signed as Stripe signs. Of its body nothing is kept but which payment moved."""
    body = await request.body()
    try:
        event = read_card_event(
            body,
            stripe_signature,
            portal.card_webhook_secret,
            now=time.time(),
            tolerance=TOLERANCE_SECONDS,
        )
    except NotSigned:
        raise BadSignature from None
    except NotReadable:
        raise Invalid from None
    return await _store(portal, "card", event)


@router.post("/bank", status_code=202)
async def receive_bank_event(
    request: Request, portal: PortalDep, x_signature: Annotated[str, Header(max_length=200)] = ""
) -> EventAnswer:
    """One event of the ACH/COD gateway: of a transaction, or of deposits that came back."""
    body = await request.body()
    check_signature(portal.bank_webhook_secret, x_signature, body, time.time())
    try:
        bank_event = _BankEvent.model_validate_json(body)
    except ValidationError:
        raise Invalid from None
    event = PaymentEvent(
        id=bank_event.id,
        type=bank_event.type,
        payment_id=bank_event.metadata.payment_id,
        method_id=bank_event.metadata.method_id,
        status=BANK_EVENTS.get(bank_event.type),
        reason=bank_event.reason,
    )
    return await _store(portal, "bank", event)


async def _store(
    portal: Portal, provider: Literal["card", "bank"], event: PaymentEvent
) -> EventAnswer:
    async with portal.sessions.begin() as session:
        is_new = await save_event(
            session,
            provider=provider,
            event_id=event.id,
            type=event.type,
            subject="" if event.subject == event.id else event.subject,
            body=event.model_dump(mode="json"),
        )
    return EventAnswer(is_new=is_new)
