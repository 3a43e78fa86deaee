"""What third parties tell us: signed, at least once, in any order (rulings "Calls")."""

import time
from typing import Annotated

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, Field, ValidationError

from api.platform.deps import PortalDep
from api.platform.signatures import check_signature
from db.devices.devices import store_logs
from domain.base import Frozen
from domain.devices.devices import SentLog
from domain.errors import Invalid

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])


class DeviceLogs(Frozen):
    logs: Annotated[tuple[SentLog, ...], Field(max_length=100)]


class Stored(BaseModel):
    """How many of the entries were new."""

    stored: int


@router.post("/device", status_code=202)
async def receive_device_logs(
    request: Request, portal: PortalDep, x_signature: Annotated[str, Header(max_length=200)] = ""
) -> Stored:
    """Device logs. Kept before the answer, handed to their runs by the workers' relay; a repeated entry is one row."""
    body = await request.body()
    check_signature(portal.device_webhook_secret, x_signature, body, time.time())
    try:
        logs = DeviceLogs.model_validate_json(body).logs
    except ValidationError:
        raise Invalid from None
    async with portal.sessions.begin() as session:
        return Stored(stored=await store_logs(session, logs))
