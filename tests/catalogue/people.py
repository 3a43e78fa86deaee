"""People who look at prices, and the requests that they make."""

from contextlib import asynccontextmanager
from typing import Any

import httpx
from fastapi import FastAPI
from sqlalchemy import update

from db.base import Sessions
from db.partner_tables import PartnerRow
from domain.identity.people import User
from tests.drivers.factories import a_dealer, an_inside_rep, an_installer
from tests.drivers.portal import a_browser, sign_in
from tests.partners.factories import a_primary, let_see


async def a_buyer(
    sessions: Sessions,
    *brands: str,
    channel: str = "dealer-1",
    is_retired: bool = False,
) -> User:
    """An installer of a new business in this channel, approved for these brands."""
    dealer = await a_dealer(sessions)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == dealer.partner_code)
            .values(channel_slug=channel, approved_brands=list(brands))
        )
    return await an_installer(sessions, dealer, is_retired=is_retired)


@asynccontextmanager
async def signed_in(app: FastAPI, user: User):
    async with a_browser(app) as browser:
        answer = await sign_in(browser, user)
        assert answer.is_success, answer.text
        yield browser


async def a_rep_for(sessions: Sessions, *, channel: str) -> tuple[User, str]:
    """An inside rep, and the code of a business that they may choose."""
    dealer = await a_dealer(sessions)
    async with sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == dealer.partner_code)
            .values(channel_slug=channel)
        )
    await a_primary(sessions, dealer)
    rep = await an_inside_rep(sessions)
    await let_see(sessions, rep, dealer.partner_code)
    return rep, dealer.partner_code


async def search(browser: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await browser.post("/api/search-products", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(found: dict[str, Any]) -> list[str]:
    return [one["id"] for one in found["results"]]


def amounts(found: dict[str, Any]) -> list[float | None]:
    ranges = [one["pricing"]["priceRange"] for one in found["results"]]
    return [one and one["start"]["net"]["amount"] for one in ranges]
