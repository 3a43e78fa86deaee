"""The devices that a business works on as a file for spreadsheets: every one that fits, however many."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from api.devices.access import whose_runs
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
from api.platform.border.queries import or_default
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.devices.runs import WorkedOn, devices_worked_on

router = APIRouter(tags=["devices"])

_Place = tuple[datetime, str]

_HEADINGS: Headings = {
    "en": ("Device", "Product", "Last change"),
    "fr": ("Appareil", "Produit", "Dernier changement"),
}


@router.get("/v1/devices.csv", response_class=StreamingResponse, responses=CSV)
async def export_devices(
    portal: PortalDep,
    actor: SignedIn,
    starts_with: Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]*$")] = "",
    in_work: Annotated[bool, Query(), or_default(False)] = False,
    language: Annotated[Language, Query()] = "en",
) -> StreamingResponse:
    """CSV in UTF-8, with headings, the newest change first. Days are UTC."""
    whose, begins = whose_runs(actor), starts_with.upper()

    async def read(before: _Place | None) -> tuple[Sequence[WorkedOn], _Place | None]:
        async with reading(portal.sessions) as session:
            found = await devices_worked_on(
                session, whose, starts_with=begins, in_work=in_work, limit=BATCH, before=before
            )
        is_end = len(found) < BATCH
        return found, None if is_end else (found[-1].at, found[-1].device_key)

    return as_csv("devices", _HEADINGS[language], batches(read, _cells))


def _cells(one: WorkedOn) -> Row:
    return plain(one.device_key), plain(one.product_name), one.at.date().isoformat()
