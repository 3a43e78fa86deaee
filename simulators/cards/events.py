"""What the card provider tells by its webhook, in Stripe's shape."""

from typing import Any

from simulators.cards.desk import Desk, new_id, now


def queue_event(
    desk: Desk, kind: str, about: dict[str, Any], *, after: float = 0.0, **more: Any
) -> None:
    desk.paying.queue_event(
        {
            "id": new_id("evt"),
            "object": "event",
            "api_version": "2026-01-28",
            "created": now(),
            "data": {"object": about},
            "livemode": False,
            "pending_webhooks": 1,
            "request": {"id": None, "idempotency_key": None},
            "type": kind,
            **more,
        },
        about["id"],
        after=after,
    )
