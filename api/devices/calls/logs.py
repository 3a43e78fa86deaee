"""What a device has told of itself (devices spec 3 and 7): the entries that the portal keeps, newest first."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from api.devices.access import OWN_RECORDS
from api.devices.calls.changes import AskingDep
from api.platform.border.queries import counted
from api.platform.paging import from_cursor, to_cursor
from db.base import reading
from db.devices.devices import logs_of
from db.devices.ownership import history_of_device
from domain.devices.devices import DeviceKey, IccidDigits
from domain.devices.logs import LogEntry, entry_of
from domain.devices.own_time import own_since
from domain.devices.ownership import asker_of

router = APIRouter(prefix="/v1/iot", tags=["devices"])


class LogEntries(BaseModel):
    """`end_cursor` is the `before` of the next page; null at the end."""

    results: list[LogEntry]
    end_cursor: str | None


@router.get("/logs")
async def list_device_logs(
    ask: AskingDep,
    device_key: Annotated[DeviceKey, Query()],
    iccid_last_digits: Annotated[IccidDigits | None, Query()] = None,
    before: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=100), counted(25, most=100)] = 25,
) -> LogEntries:
    """The log of a device since it is one's own; colleagues read it while one of them activates the device."""
    device = await ask.authorize(device_key, iccid_last_digits, OWN_RECORDS)
    async with reading(ask.portal.sessions) as session:
        history = await history_of_device(session, device.key)
        found = await logs_of(
            session,
            device.key,
            limit=limit + 1,
            before=from_cursor(before) if before else None,
            since=own_since(asker_of(ask.actor), device.known, history, datetime.now(UTC)),
        )
    shown = found[:limit]
    more = len(found) > limit
    return LogEntries(
        results=[entry_of(log) for log in shown],
        end_cursor=to_cursor(shown[-1].timestamp, shown[-1].id) if more else None,
    )
