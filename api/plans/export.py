"""Subscriptions and receipts as files for spreadsheets: every one that fits, however many."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from api.plans.holders import holders_of, receipt_holders
from api.plans.narrowed import ReceiptsNarrowed, StartsWith, State
from api.platform.answers.csv_text import (
    BATCH,
    CSV,
    Headings,
    Language,
    Row,
    as_csv,
    batches,
    plain,
)
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.plans.plans import list_subscriptions
from db.plans.receipts import list_receipts
from db.platform.clock import database_now
from domain.plans.plans import ENDING_WITHIN, Subscription, state_of
from domain.plans.receipts import Receipt

router = APIRouter(tags=["plans"])

_Place = tuple[datetime, str]

_SUBSCRIPTIONS: Headings = {
    "en": ("Device", "Product", "Plan", "Term", "State", "Began", "Ends"),
    "fr": ("Appareil", "Produit", "Forfait", "Durée", "État", "Début", "Fin"),
}
_RECEIPTS: Headings = {
    "en": (
        "Receipt",
        "Date",
        "Devices",
        "Bought by",
        "Paid by",
        "Transaction",
        "Subtotal (USD)",
        "Discount",
        "Tax",
        "Charged",
        "Refunded",
    ),
    "fr": (
        "Reçu",
        "Date",
        "Appareils",
        "Acheté par",
        "Payé par",
        "Transaction",
        "Sous-total (USD)",
        "Remise",
        "Taxes",
        "Débité",
        "Remboursé",
    ),
}


@router.get("/v1/subscriptions.csv", response_class=StreamingResponse, responses=CSV)
async def export_subscriptions(
    portal: PortalDep,
    actor: SignedIn,
    state: State = None,
    starts_with: StartsWith = "",
    language: Annotated[Language, Query()] = "en",
) -> StreamingResponse:
    """CSV in UTF-8, with headings; those that end first come first. Days are UTC."""
    holders, begins = holders_of(actor), starts_with.upper()
    async with reading(portal.sessions) as session:
        now = await database_now(session)

    async def read(after: _Place | None) -> tuple[Sequence[Subscription], _Place | None]:
        async with reading(portal.sessions) as session:
            found = await list_subscriptions(
                session,
                holders,
                state=state,
                starts_with=begins,
                now=now,
                ending_within=ENDING_WITHIN,
                limit=BATCH,
                after=after,
            )
        is_end = len(found) < BATCH
        return found, None if is_end else (found[-1].ends_at, found[-1].id)

    cells = partial(_subscription, now=now)
    return as_csv("subscriptions", _SUBSCRIPTIONS[language], batches(read, cells))


@router.get("/v1/payments.csv", response_class=StreamingResponse, responses=CSV)
async def export_receipts(
    portal: PortalDep,
    actor: SignedIn,
    wanted: ReceiptsNarrowed,
    language: Annotated[Language, Query()] = "en",
) -> StreamingResponse:
    """CSV in UTF-8, with headings, the latest first; what was declined was charged nothing. Days are UTC."""
    holders = receipt_holders(actor)

    async def read(after: _Place | None) -> tuple[Sequence[Receipt], _Place | None]:
        async with reading(portal.sessions) as session:
            found = await list_receipts(session, holders, wanted, limit=BATCH, after=after)
        is_end = len(found) < BATCH
        return found, None if is_end else (found[-1].created_at, found[-1].uuid)

    return as_csv("receipts", _RECEIPTS[language], batches(read, _receipt))


def _subscription(one: Subscription, now: datetime) -> Row:
    return (
        plain(one.device_key),
        plain(one.product_name),
        plain(one.plan_name),
        one.term.value,
        state_of(one.ends_at, now, is_suspended=one.suspended_at is not None).value,
        one.starts_at.date().isoformat(),
        one.ends_at.date().isoformat(),
    )


def _receipt(one: Receipt) -> Row:
    return (
        plain(one.uuid),
        one.created_at.date().isoformat(),
        plain(" ".join(line.device_key for line in one.lines)),
        plain(one.bought_by),
        plain(one.payment_shown),
        plain(one.transaction_id),
        str(one.base_amount),
        str(one.currency_discount),
        str(one.base_tax),
        str(one.final_charge if one.succeeded else 0),
        str(one.refunded),
    )
