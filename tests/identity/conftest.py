"""A portal for the tests of identity, with Temporal down: none of this needs it."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from api.identity.signing_in import second_factor, sign_in
from domain.identity.second_factor import totp_steps
from tests.drivers.portal import a_browser, running_portal
from tests.drivers.times import NOON
from tests.identity.messages import Reachable, a_reachable_portal


@pytest.fixture(autouse=True)
def _one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step of authenticator codes stands still: none grows old between its making and its use."""
    for module in (second_factor, sign_in):
        monkeypatch.setattr(module, "totp_steps", lambda _now: totp_steps(NOON))


@pytest.fixture(scope="package")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


@pytest.fixture
async def here(database_url: str, simulators: FastAPI) -> AsyncGenerator[Reachable]:
    """One with second factors on, and what it sent; for a test of its own."""
    async with a_reachable_portal(database_url, simulators) as reachable:
        yield reachable


@pytest.fixture
async def browser(portal: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as client:
        yield client
