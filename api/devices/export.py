"""The devices that a business works on as a file for spreadsheets: every one that fits, however many."""

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from api.devices.reach import whose_runs
from api.platform.answers.csv_text import BATCH, CSV, Headings, Language, Row, as_csv, plain
from api.platform.deps import Portal, PortalDep, SignedIn
from db.devices.runs import Whose, devices_worked_on

router = APIRouter(tags=["devices"])

_HEADINGS: Headings = {
    "en": ("Device", "Product", "Last change"),
    "fr": ("Appareil", "Produit", "Dernier changement"),
}


@router.get("/v1/devices.csv", response_class=StreamingResponse, responses=CSV)
async def export_devices(
    portal: PortalDep,
    actor: SignedIn,
    starts_with: Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]*$")] = "",
    language: Annotated[Language, Query()] = "en",
) -> StreamingResponse:
    """CSV in UTF-8, with headings, the newest change first. Days are UTC."""
    found = _read(portal, whose_runs(actor), starts_with.upper())
    return as_csv("devices", _HEADINGS[language], found)


async def _read(portal: Portal, whose: Whose, starts_with: str) -> AsyncGenerator[Sequence[Row]]:
    before: tuple[datetime, str] | None = None
    while True:
        async with portal.sessions() as session:
            found = await devices_worked_on(
                session, whose, starts_with=starts_with, limit=BATCH, before=before
            )
        yield [
            (plain(one.device_key), plain(one.product_name), one.at.date().isoformat())
            for one in found
        ]
        if len(found) < BATCH:
            return
        before = (found[-1].at, found[-1].device_key)
