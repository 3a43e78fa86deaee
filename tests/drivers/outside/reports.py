"""What devices report, put straight into the inbox that the webhook fills: for answers that must come at a given moment."""

import uuid
from datetime import UTC, datetime
from typing import Any

from db.base import Sessions
from db.devices import devices
from domain.devices.devices import DeviceLog


def a_report(device_key: str, **more: Any) -> DeviceLog:
    values: dict[str, Any] = {
        "id": f"log-{uuid.uuid4().hex}",
        "type": "report",
        "timestamp": datetime.now(UTC),
    }
    return DeviceLog(device_key=device_key, **(values | more))


async def report(sessions: Sessions, *logs: DeviceLog) -> None:
    """The relay takes them to whoever waits for the device."""
    async with sessions.begin() as session:
        await devices.store_logs(session, logs)
