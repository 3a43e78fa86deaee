"""What the lists of subscriptions and of receipts are narrowed by."""

from decimal import Decimal
from typing import Annotated

from fastapi import Depends, Query
from pydantic import Field, StringConstraints

from api.platform.border.queries import or_default
from db.plans.receipts import ReceiptFilter
from domain.base import ID_PATTERN
from domain.plans.plans import SubscriptionState

State = Annotated[SubscriptionState | None, or_default(None)]
StartsWith = Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]*$")]
"""The beginning of a serial number."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=80, pattern=ID_PATTERN)]
Amount = Annotated[Decimal, Field(ge=0, le=10_000_000, max_digits=12, decimal_places=2)]
Texts = Annotated[list[Text], Query(max_length=20)]
Amounts = Annotated[list[Amount], Query(max_length=20)]


def receipts_narrowed(
    successes_only: Annotated[bool, or_default(False)] = False,
    declined_only: Annotated[bool, or_default(False)] = False,
    subscriber_id: Annotated[str | None, Query(max_length=80, pattern=ID_PATTERN)] = None,
    transaction_id: Texts = [],  # noqa: B006 (FastAPI copies defaults)
    total_charges: Amounts = [],  # noqa: B006
    subtotal: Amounts = [],  # noqa: B006
    gst_hst: Amounts = [],  # noqa: B006
) -> ReceiptFilter:
    """A filter named several times takes any of its values (shop spec 3, "filter options")."""
    return ReceiptFilter(
        successes_only=successes_only,
        declined_only=declined_only,
        subscriber_id=subscriber_id,
        transaction_ids=tuple(transaction_id),
        total_charges=tuple(total_charges),
        subtotals=tuple(subtotal),
        gst_hst=tuple(gst_hst),
    )


ReceiptsNarrowed = Annotated[ReceiptFilter, Depends(receipts_narrowed)]
