"""Pages of businesses, and the search."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from domain.identity.people import User
from tests.drivers.factories import (
    a_dealer,
    a_name,
    a_partner,
    an_admin,
    an_inside_rep,
    an_installer,
    an_outside_rep,
)
from tests.drivers.portal import a_browser, sign_in
from tests.partners.factories import a_primary, let_see, lose_sight, rename


async def ask(browser: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await browser.post("/api/business-partners", json={"limit": 100, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def codes(page: dict[str, Any]) -> list[str]:
    return [edge["node"]["sapBpCode"] for edge in page["edges"]]


async def a_rep_with(sessions: Sessions, *names: str, **partner: Any) -> tuple[User, list[str]]:
    rep = await an_inside_rep(sessions)
    made: list[str] = []
    for name in names:
        code = await a_partner(sessions, **partner)
        await rename(sessions, code, name)
        made.append(code)
    await let_see(sessions, rep, *made)
    return rep, made


async def test_a_rep_reads_all_their_businesses_page_by_page(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep, made = await a_rep_with(sessions, "delta", "Alpha", "charlie", "Bravo", "Alpha")
    await sign_in(browser, rep)
    seen: list[str] = []
    cursor = None
    for expected in (2, 2, 1):
        page = await ask(browser, limit=2, endCursor=cursor)
        assert (len(page["edges"]), page["totalCount"]) == (expected, 5)
        seen += codes(page)
        cursor = page["pageInfo"]["endCursor"]
        assert page["pageInfo"]["hasNextPage"] is (expected == 2)
    assert cursor is None
    assert sorted(seen) == sorted(made)
    assert seen[2:] == [made[3], made[2], made[0]]


async def test_the_present_business_and_recent_ones_come_before_the_first_page(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealers = [await a_dealer(sessions) for _ in range(3)]
    for dealer in dealers:
        await a_primary(sessions, dealer)
    first, second, third = (dealer.partner_code for dealer in dealers)
    await let_see(sessions, rep, first, second, third)
    await sign_in(browser, rep)
    assert (await ask(browser))["recent"] == []
    for code in (third, first):
        chosen = await browser.put("/v1/auth/business", json={"sapBpCode": code})
        assert chosen.status_code == 200, chosen.text
    page = await ask(browser, limit=2)
    assert [one["sapBpCode"] for one in page["recent"]] == [first, third]
    assert len(page["edges"]) == 2
    further = await ask(browser, limit=2, endCursor=page["pageInfo"]["endCursor"])
    assert (further["recent"], (await ask(browser, search=first))["recent"]) == ([], [])
    await lose_sight(sessions, rep, third)
    assert [one["sapBpCode"] for one in (await ask(browser))["recent"]] == [first]


async def test_a_business_shows_its_code_name_and_channel(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep, (code,) = await a_rep_with(sessions, "Harbour Car Audio", channel="dealer-2")
    await sign_in(browser, rep)
    node = (await ask(browser))["edges"][0]["node"]
    assert (node["sapBpCode"], node["companyName"]) == (code, "Harbour Car Audio")
    assert node["channel"] == {"slug": "dealer-2"}


async def test_us_leaves_the_american_ones(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    rep, _ = await a_rep_with(sessions, "Canadian")
    american = await a_partner(sessions, prefix="A", country="US")
    await let_see(sessions, rep, american)
    await sign_in(browser, rep)
    assert codes(await ask(browser, us=True)) == [american]
    assert (await ask(browser, us=False))["totalCount"] == 2


@pytest.mark.parametrize("typed", ["harbour", "HARBOUR CAR", "bour", "harbuor", "car audio"])
async def test_the_search_forgives_small_errors(
    sessions: Sessions, browser: httpx.AsyncClient, typed: str
) -> None:
    rep, (harbour, _) = await a_rep_with(sessions, "Harbour Car Audio", "Prairie Remote Start")
    await sign_in(browser, rep)
    page = await ask(browser, search=typed)
    assert (codes(page), page["totalCount"]) == ([harbour], 1)


async def test_the_search_finds_codes_and_shows_those_that_begin_so_first(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep, (plain, named) = await a_rep_with(sessions, "Plain", "Other")
    await rename(sessions, named, f"Formerly {plain.lower()}")
    await sign_in(browser, rep)
    assert codes(await ask(browser, search=plain.lower())) == [plain, named]


async def test_a_search_is_paged_without_loss(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    names = ["Summit Audio", "Summit Sound", "Sumit Stereo", "Summits", "The Summit"]
    rep, made = await a_rep_with(sessions, *names, "Unrelated")
    await sign_in(browser, rep)
    seen: list[str] = []
    cursor = None
    while True:
        page = await ask(browser, search="summit", limit=2, endCursor=cursor)
        seen += codes(page)
        assert page["totalCount"] == 5
        cursor = page["pageInfo"]["endCursor"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(made[:5])


@pytest.mark.parametrize("typed", ["%", "_", "\\", "'", "100%_"])
async def test_signs_of_the_database_are_plain_signs(
    sessions: Sessions, browser: httpx.AsyncClient, typed: str
) -> None:
    rep, _ = await a_rep_with(sessions, "Harbour")
    await sign_in(browser, rep)
    assert codes(await ask(browser, search=typed)) == []


async def test_each_sees_their_own_businesses_only(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    _, (code,) = await a_rep_with(sessions, "Somebody else's")
    installer = await an_installer(sessions)
    await sign_in(browser, installer)
    assert codes(await ask(browser)) == [installer.partner_code]
    async with a_browser(portal) as other:
        await sign_in(other, await an_outside_rep(sessions))
        assert await ask(other) == {
            "recent": [],
            "edges": [],
            "totalCount": 0,
            "pageInfo": {"hasNextPage": False, "endCursor": None},
        }
    async with a_browser(portal) as admins:
        await sign_in(admins, await an_admin(sessions))
        assert codes(await ask(admins, search=code)) == [code]


@pytest.mark.parametrize(
    "body",
    [{"endCursor": "nonsense"}, {"endCursor": "eyJyYW5rIjoieCJ9"}],
)
async def test_bad_pages_are_refused(
    sessions: Sessions, browser: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    await sign_in(browser, await an_installer(sessions))
    answer = await browser.post("/api/business-partners", json=body)
    assert answer.status_code == 422
    assert answer.json()["validation_errors"][0]["field"] == next(iter(body))


async def test_a_cursor_of_another_place_ends_the_list(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep, _ = await a_rep_with(sessions, a_name())
    await sign_in(browser, rep)
    page = await ask(browser, endCursor="eyJyYW5rIjowLCJuYW1lIjoienp6enoiLCJpZCI6InoifQ")
    assert (codes(page), page["totalCount"]) == ([], 1)
