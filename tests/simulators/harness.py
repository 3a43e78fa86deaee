"""The simulators in process, with what a test wants to do with them."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from domain.devices.devices import DeviceLog
from providers.device_network.device_cloud import DeviceCloud
from simulators.main import API_KEY, create_app
from tests.drivers.outside.mail_server import a_messenger, taking_mail
from tests.drivers.until import until
from tests.simulators.agreement import Agreement

BASE = "http://simulators"
START = datetime(2020, 1, 1, tzinfo=UTC)
T = TypeVar("T")

_serials = (serial for serial in count(1) if serial % 10 < 8)
"""The last digit is the controller: all but 8 and 9 have option tables."""


def a_key(digits: str = "000", product: str = "FT-X1") -> str:
    """A device that no other test of this process uses; `digits` are the three that set its traits."""
    return f"{product}-{digits}{next(_serials):05d}"


class World:
    """One set of simulators and the clients that face it."""

    def __init__(self, app: FastAPI, mail_url: str) -> None:
        self.app = app
        self.agreement = Agreement("device-network.yaml")
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url=BASE,
            event_hooks={"response": [self.agreement.look]},
        )
        self.cloud = self.cloud_with()
        self.mail_url = mail_url
        self.messenger = a_messenger(self.http, mail_url, base_url=BASE)

    def cloud_with(self, *, api_key: str = API_KEY, at_once: int = 32) -> DeviceCloud:
        return DeviceCloud(
            self.http, base_url=f"{BASE}/device-cloud", api_key=api_key, at_once=at_once
        )

    async def control(self, **changes: Any) -> dict[str, Any]:
        answer = await self.http.post("/device-cloud/_control", json=changes)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def ledger(self, device_key: str) -> list[dict[str, Any]]:
        answer = await self.http.get("/device-cloud/_ledger", params={"device_key": device_key})
        return answer.json()["results"]

    async def effects(self, device_key: str) -> dict[str, int]:
        answer = await self.http.get("/device-cloud/_ledger", params={"device_key": device_key})
        return answer.json()["effects"]

    async def outbox(self, to: str) -> list[dict[str, Any]]:
        return (await self.http.get("/messenger/_outbox", params={"to": to})).json()["results"]

    async def logs(self, device_key: str, at_least: int = 1) -> Sequence[DeviceLog]:
        """The device's logs, once there are so many."""
        return await until(
            lambda: self.cloud.logs(device_key, START), lambda logs: len(logs) >= at_least
        )


@asynccontextmanager
async def a_world(
    path: Path,
    *,
    latency: tuple[float, float] = (0.01, 0.02),
    webhook_url: str | None = None,
    receiver: FastAPI | None = None,
    secret: str = "shared-secret",
) -> AsyncGenerator[World]:
    """Simulators over the state file at `path`, running; logs go to `receiver` when there is one."""
    app = create_app(
        path,
        webhook_url,
        secret,
        latency=latency,
        webhook_transport=httpx.ASGITransport(receiver) if receiver is not None else None,
    )
    async with app.router.lifespan_context(app), taking_mail(lambda: app) as mail_url:
        world = World(app, mail_url)
        async with world.http:
            yield world
