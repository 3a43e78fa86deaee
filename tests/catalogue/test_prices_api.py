"""The price that somebody sees, why, and how soon after a change (shop spec 1)."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.catalogue.prices import set_msrp
from domain.catalogue.pricing import ListKind, scope_of_partner
from tests.catalogue.factories import Made, a_list, a_product, a_word, priced
from tests.catalogue.people import a_buyer, a_rep_for, signed_in
from tests.drivers.portal import a_browser, sign_in


async def pricing(browser: httpx.AsyncClient, made: Made) -> tuple[float | None, str]:
    answer = await browser.get(f"/api/product-by-id/{made.id}")
    assert answer.status_code == 200, answer.text
    told = answer.json()["pricing"]
    shown = told["priceRange"]
    return shown and shown["start"]["net"]["amount"], told["why"]["rule"]


@pytest.fixture
async def channel() -> str:
    return a_word()


async def a_priced_product(sessions: Sessions, channel: str) -> tuple[Made, str]:
    tier = await a_list(sessions, channel)
    made = await a_product(sessions, msrp="100")
    await priced(sessions, tier, made, "75")
    return made, tier


async def test_a_visitor_sees_the_list_price_and_nothing_of_the_others(
    browser: httpx.AsyncClient, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    assert await pricing(browser, made) == (100, "msrp")
    assert "75" not in str((await browser.get(f"/api/product-by-id/{made.id}")).json()["pricing"])


async def test_an_approved_brand_is_shown_at_the_price_of_the_channel(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    async with signed_in(portal, await a_buyer(sessions, made.brand, channel=channel)) as browser:
        assert await pricing(browser, made) == (75, "approved_brand")
    async with signed_in(portal, await a_buyer(sessions, channel=channel)) as browser:
        assert await pricing(browser, made) == (100, "msrp")


async def test_a_retired_person_sees_the_discounted_price(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    retired = await a_buyer(sessions, channel=channel, is_retired=True)
    async with signed_in(portal, retired) as browser:
        assert await pricing(browser, made) == (75, "retired")


async def test_a_rep_sees_the_prices_of_the_business_that_is_chosen(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    rep, code = await a_rep_for(sessions, channel=channel)
    async with a_browser(portal) as browser:
        await sign_in(browser, rep)
        assert await pricing(browser, made) == (100, "msrp")
        named = {"searchTerm": made.sku, "sapBpCode": code}
        early = await browser.post("/api/search-products", json=named)
        assert (early.status_code, early.json()["code"]) == (409, "other_business")
        await browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert await pricing(browser, made) == (75, "rep_for_business")
        assert (await browser.post("/api/search-products", json=named)).status_code == 200


async def test_somebody_elses_business_does_not_exist(
    browser: httpx.AsyncClient, portal: FastAPI, sessions: Sessions
) -> None:
    foreign = (await a_buyer(sessions)).partner_code
    asked = {"sapBpCode": foreign}
    assert (await browser.post("/api/search-products", json=asked)).status_code == 404
    async with signed_in(portal, await a_buyer(sessions)) as other:
        assert (await other.post("/api/search-products", json=asked)).status_code == 404


async def test_a_price_agreed_with_the_business_goes_before_the_channels(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    buyer = await a_buyer(sessions, made.brand, channel=channel)
    assert buyer.partner_code is not None
    scope = scope_of_partner(buyer.partner_code)
    await priced(sessions, await a_list(sessions, scope, kind=ListKind.AGREED), made, "61.50")
    async with signed_in(portal, buyer) as browser:
        told = (await browser.get(f"/api/product-by-id/{made.id}")).json()["pricing"]
    assert told["priceRange"]["start"]["net"] == {"amount": 61.5, "currency": "USD"}
    assert told["priceRangeUndiscounted"]["start"]["net"]["amount"] == 100
    assert told["why"] == {
        "rule": "approved_brand",
        "listName": f"List of {scope}",
        "kind": "agreed",
        "endsAt": None,
    }


async def test_a_changed_price_is_seen_by_the_next_request(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    """The page itself is kept in memory; prices are not."""
    made, tier = await a_priced_product(sessions, channel)
    async with signed_in(portal, await a_buyer(sessions, made.brand, channel=channel)) as browser:
        assert await pricing(browser, made) == (75, "approved_brand")
        await priced(sessions, tier, made, "74")
        assert await pricing(browser, made) == (74, "approved_brand")
        await priced(sessions, tier, made, None)
        assert await pricing(browser, made) == (100, "approved_brand")
        async with sessions.begin() as session:
            await set_msrp(session, made.variant_id, None)
        assert await pricing(browser, made) == (None, "approved_brand")


async def test_a_deal_holds_for_its_time_and_says_until_when(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    made, _ = await a_priced_product(sessions, channel)
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    for begins, ends, amount in ((-3, -2, "40"), (-2, 2, "60"), (2, 3, "50")):
        deal = await a_list(
            sessions,
            channel,
            kind=ListKind.DEAL,
            starts_at=now + begins * hour,
            ends_at=now + ends * hour,
        )
        await priced(sessions, deal, made, amount)
    async with signed_in(portal, await a_buyer(sessions, made.brand, channel=channel)) as browser:
        told = (await browser.get(f"/api/product-by-id/{made.id}")).json()["pricing"]
        deals = (await browser.get("/api/get-discounted-products")).json()
    assert told["priceRange"]["start"]["net"]["amount"] == 60
    assert told["why"]["kind"] == "deal"
    assert datetime.fromisoformat(told["why"]["endsAt"]) == now + 2 * hour
    async with signed_in(portal, await a_buyer(sessions, channel=channel)) as another:
        not_approved = (await another.get("/api/get-discounted-products")).json()
    assert [one["id"] for one in deals["results"]] == [made.id]
    assert not_approved == {"results": [], "totalCount": 0}


async def test_the_channel_that_a_client_names_must_be_its_own(
    portal: FastAPI, sessions: Sessions, channel: str
) -> None:
    async with signed_in(portal, await a_buyer(sessions, channel=channel)) as browser:
        answer = await browser.post(
            "/api/search-products", json={}, headers={"X-Channel-Type": "dealer-4"}
        )
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_channel")
