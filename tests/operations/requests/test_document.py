"""The document of the API is for people who are signed in, in production (decision 36)."""

import httpx
from fastapi import FastAPI

from api.main import create_app
from db.base import Sessions
from tests.dev.deploy.test_compose import PRODUCTION, settings_of
from tests.drivers.factories import an_installer
from tests.drivers.portal import a_browser, sign_in


def in_production(portal: FastAPI) -> FastAPI:
    """The application as production has it, with what the portal of the tests is connected to."""
    app = create_app(settings_of("api", PRODUCTION))
    app.state.portal = portal.state.portal
    return app


async def test_in_production_it_is_for_who_is_signed_in(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    signed_in = await sign_in(browser, await an_installer(sessions))
    token = signed_in.json()["access_token"]
    async with a_browser(in_production(portal)) as production:
        refused = await production.get("/openapi.json")
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
        told = await production.get("/openapi.json", headers={"Authorization": f"Bearer {token}"})
        assert "/v1/activations" in told.json()["paths"]


async def test_elsewhere_it_is_open(browser: httpx.AsyncClient) -> None:
    assert "/v1/activations" in (await browser.get("/openapi.json")).json()["paths"]
