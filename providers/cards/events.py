"""The card provider's events, as its webhooks bring them: signature, age, and the few fields that we use."""

from typing import Any

import stripe
from pydantic import BaseModel, ValidationError

from domain.billing.payment_events import (
    ACCOUNT_UPDATED,
    CARD_EVENTS,
    DEPOSITS_RETURNED,
    DISPUTES,
    REFUND_FAILED,
    TRANSFER_REVERSED,
    PaymentEvent,
)


class _Error(BaseModel):
    message: str | None = None


class _Object(BaseModel):
    """Some have no id (a balance), and some no metadata: an event of them is kept all the same, lest it come for days."""

    id: str | None = None
    metadata: dict[str, Any] | None = None
    last_setup_error: _Error | None = None


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
    """Stripe's own scheme, several signatures included; at most `tolerance` seconds old, or ahead. `secret` may be several,
    parted by commas: events of connected accounts come by an endpoint of their own. Raises NotSigned, NotReadable."""
    secrets = filter(None, map(str.strip, secret.split(",")))
    if not any(_fits(body, header, one, tolerance) for one in secrets):
        raise NotSigned
    try:
        stamped = next(part[2:] for part in header.split(",") if part.startswith("t="))
        if int(stamped) > now + tolerance:
            raise NotSigned
    except (ValueError, StopIteration):
        raise NotSigned from None
    try:
        event = _Event.model_validate_json(body)
    except ValidationError:
        raise NotReadable from None
    record = event.data.object
    name, metadata = (record.id or "")[:200] or None, record.metadata or {}
    if event.type.startswith(DISPUTES):
        return PaymentEvent(id=event.id, type=event.type, dispute_id=name)
    if event.type == REFUND_FAILED:
        return PaymentEvent(id=event.id, type=event.type, refund_id=name)
    if event.type == ACCOUNT_UPDATED:
        return PaymentEvent(id=event.id, type=event.type, account_id=name)
    if event.type == TRANSFER_REVERSED:
        return PaymentEvent(id=event.id, type=event.type, transfer_id=name)
    if event.type in DEPOSITS_RETURNED and (method_id := metadata.get("method_id")):
        error = record.last_setup_error
        reason = error.message[:300] if error is not None and error.message else None
        return PaymentEvent(
            id=event.id, type=event.type, method_id=str(method_id)[:64], reason=reason
        )
    payment_id = metadata.get("payment_id")
    return PaymentEvent(
        id=event.id,
        type=event.type,
        payment_id=str(payment_id)[:64] if payment_id else None,
        status=CARD_EVENTS.get(event.type),
    )


def _fits(body: bytes, header: str, secret: str, tolerance: int) -> bool:
    try:
        # The SDK's own verification reads any number of signatures; its types leave the time open.
        stripe.WebhookSignature.verify_header(body, header, secret, tolerance)  # pyright: ignore[reportUnknownMemberType]
    except (stripe.SignatureVerificationError, UnicodeDecodeError, ValueError):
        return False
    return True
