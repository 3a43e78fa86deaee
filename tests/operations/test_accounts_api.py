"""An administrator finds an account and locks it."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from db.base import Sessions
from tests.drivers.factories import an_admin, an_installer, an_owner
from tests.drivers.portal import a_browser, running_portal, sign_in


@pytest.fixture
async def browser(database_url: str) -> AsyncGenerator[httpx.AsyncClient]:
    async with running_portal(database_url) as app, a_browser(app) as client:
        yield client


async def look(browser: httpx.AsyncClient, who: str) -> httpx.Response:
    return await browser.get("/v1/operations/account", params={"who": who})


async def test_an_account_is_found_by_address_or_id_and_shown_as_locked(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, await an_admin(sessions))
    found = (await look(browser, f" {user.email.upper()} ")).json()
    assert found == (await look(browser, user.id)).json()
    assert found == {
        "id": user.id,
        "name": user.name,
        "email": user.email,
        "business_code": user.partner_code,
        "is_locked": False,
        "is_retired": False,
        "awaits_password": False,
    }
    assert (await browser.post(f"/v1/user/{user.id}/lock")).status_code == 204
    assert (await look(browser, user.email)).json()["is_locked"] is True


async def test_an_unknown_one_is_not_found(browser: httpx.AsyncClient, sessions: Sessions) -> None:
    await sign_in(browser, await an_admin(sessions))
    assert (await look(browser, "nobody")).status_code == 404
    for bad in ("", "x" * 400):
        assert (await look(browser, bad)).status_code == 422


async def test_nobody_else_looks_accounts_up(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    owner = await an_owner(sessions)
    assert (await look(browser, owner.email)).status_code == 401
    await sign_in(browser, owner)
    assert (await look(browser, owner.email)).status_code == 403
