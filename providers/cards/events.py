"""The card provider's events, as its webhooks bring them: signature, age, and the few fields that we use."""

from typing import Any

import stripe
from pydantic import BaseModel, ValidationError

from domain.billing.payment_events import CARD_EVENTS, DISPUTES, PaymentEvent


class _Object(BaseModel):
    id: str
    metadata: dict[str, Any] = {}


class _Data(BaseModel):
    object: _Object


class _Event(BaseModel):
    id: str
    type: str
    data: _Data


class NotSigned(Exception):
    """The signature does not fit, or it is too old."""


class NotReadable(Exception):
    """Signed, and no event."""


def read_card_event(
    body: bytes, header: str, secret: str, *, now: float, tolerance: int
) -> PaymentEvent:
    """Stripe's own scheme, several signatures included; at most `tolerance` seconds old, or ahead. Raises NotSigned,
    NotReadable."""
    try:
        # The SDK's own verification reads any number of signatures; its types leave the time open.
        stripe.WebhookSignature.verify_header(body, header, secret, tolerance)  # pyright: ignore[reportUnknownMemberType]
        stamped = next(part[2:] for part in header.split(",") if part.startswith("t="))
        if int(stamped) > now + tolerance:
            raise NotSigned
    except (stripe.SignatureVerificationError, UnicodeDecodeError, ValueError, StopIteration):
        raise NotSigned from None
    try:
        event = _Event.model_validate_json(body)
    except ValidationError:
        raise NotReadable from None
    if event.type.startswith(DISPUTES):
        return PaymentEvent(id=event.id, type=event.type, dispute_id=event.data.object.id[:200])
    payment_id = event.data.object.metadata.get("payment_id")
    return PaymentEvent(
        id=event.id,
        type=event.type,
        payment_id=str(payment_id)[:64] if payment_id else None,
        status=CARD_EVENTS.get(event.type),
    )
