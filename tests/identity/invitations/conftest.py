"""The whole portal for the tests of invitations, its businesses, and what was mailed."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from temporalio.client import Client

from db.base import Sessions
from domain.identity.invitations import InvitationPolicy
from domain.identity.people import User
from tests.drivers.factories import an_owner
from tests.drivers.portal import a_browser, a_key, sign_in
from tests.drivers.stage import SIMULATED
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, a_whole_portal

QUICK = InvitationPolicy(reminder=timedelta(milliseconds=300), expiry=timedelta(seconds=6))
NAMES = {"first_name": "Nia", "last_name": "Newcomer"}


@dataclass
class Inviting:
    """The portal, and what people do in it about invitations."""

    whole: Whole

    async def mails_to(self, address: str) -> list[str]:
        answer = await self.whole.stage.http.get(
            f"{SIMULATED}/messenger/_outbox", params={"to": address}
        )
        return [f"{each['subject']}\n{each['text']}" for each in answer.json()["results"]]

    async def token_for(self, address: str, page: str = "accept-invite") -> str:
        """The token of the newest link to this page, once it was mailed."""
        found: list[str] = []

        async def mailed() -> bool:
            text = "\n".join(await self.mails_to(address))
            found[:] = re.findall(rf"/{page}\?token=([\w-]+)", text)
            return bool(found)

        await until(mailed)
        return found[-1]

    @asynccontextmanager
    async def owner(
        self, user: User | None = None
    ) -> AsyncGenerator[tuple[httpx.AsyncClient, User]]:
        person = user or await an_owner(self.whole.sessions)
        async with a_browser(self.whole.app) as browser:
            assert (await sign_in(browser, person)).status_code == 200
            yield browser, person

    async def accept(self, token: str, key: str | None = None, **body: Any) -> httpx.Response:
        async with a_browser(self.whole.app) as browser:
            headers = {"Idempotency-Key": key} if key else a_key()
            return await browser.post(
                "/v1/auth/invitations/accept", json={"token": token, **body}, headers=headers
            )

    async def decline(self, token: str, key: str | None = None) -> httpx.Response:
        async with a_browser(self.whole.app) as browser:
            headers = {"Idempotency-Key": key} if key else {}
            return await browser.delete(
                "/v1/user/invite/decline/", params={"token": token}, headers=headers
            )

    async def read(self, token: str) -> httpx.Response:
        async with a_browser(self.whole.app) as browser:
            return await browser.post("/v1/auth/invitations/read", json={"token": token})


async def invite(
    browser: httpx.AsyncClient, address: str, key: str | None = None
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else a_key()
    return await browser.post("/v1/user/invite", json={"email": address}, headers=headers)


async def pending(browser: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = await browser.get("/v1/user/token")
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


@asynccontextmanager
async def _inviting(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    folder: Path,
    **settings: Any,
) -> AsyncGenerator[Inviting]:
    async with a_whole_portal(
        temporal, temporal_address, sessions, database_url, folder, **settings
    ) as whole:
        yield Inviting(whole)


@pytest.fixture(scope="package")
async def inviting(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Inviting]:
    folder = tmp_path_factory.mktemp("inviting")
    async with _inviting(temporal, temporal_address, sessions, database_url, folder) as here:
        yield here


@pytest.fixture(scope="package")
async def quick(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Inviting]:
    """The same with a reminder that comes at once, and an end soon after, also on a busy machine."""
    folder = tmp_path_factory.mktemp("quick")
    policy = QUICK.model_dump(mode="json")
    async with _inviting(
        temporal, temporal_address, sessions, database_url, folder, policy_invitation=policy
    ) as here:
        yield here
