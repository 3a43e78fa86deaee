"""Saved lists by their calls: private until shared, changed by their maker and the owners, foreign ones absent."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.checkout.saved_lists import add_list
from domain.checkout.saved_lists import MOST_LISTS, MOST_SHARED, ListedRow
from domain.identity.people import User
from tests.checkout.cart.buyers import a_buyer, buying, refusal
from tests.drivers.factories import a_dealer, a_name, an_installer, an_owner
from tests.drivers.portal import a_key

LISTS = "/v1/saved-lists"
TEXT = "fx-1 2\nFX-2;10"
ROWS = [{"sku": "FX-1", "quantity": 2}, {"sku": "FX-2", "quantity": 10}]


def listing(name: str = "Every Monday", **more: Any) -> dict[str, Any]:
    return {"name": name, "text": TEXT} | more


async def make(browser: httpx.AsyncClient, name: str = "Every Monday", **more: Any) -> str:
    answer = await browser.post(LISTS, json=listing(name, **more))
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


async def names(browser: httpx.AsyncClient) -> list[str]:
    return [one["name"] for one in (await browser.get(LISTS)).json()["results"]]


@asynccontextmanager
async def colleagues(
    portal: FastAPI, sessions: Sessions
) -> AsyncGenerator[tuple[httpx.AsyncClient, httpx.AsyncClient, User]]:
    """A purchaser and an owner of one business, each in a browser of theirs."""
    dealer = await a_dealer(sessions)
    purchaser = await an_installer(sessions, dealer, is_purchaser=True)
    async with (
        buying(portal, purchaser) as theirs,
        buying(portal, await an_owner(sessions, dealer)) as owners,
    ):
        yield theirs, owners, purchaser


async def test_a_list_is_made_read_changed_and_deleted(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        id_ = await make(browser)
        one = (await browser.get(f"{LISTS}/{id_}")).json()
        assert (one["name"], one["rows"], one["count"]) == ("Every Monday", ROWS, 2)
        assert (one["is_own"], one["is_shared"], one["may_change"]) == (True, False, True)
        new = {"name": "every monday", "text": "FX-3", "is_shared": True}
        changed = (await browser.put(f"{LISTS}/{id_}", json=new)).json()
        assert (changed["name"], changed["rows"]) == (
            "every monday",
            [{"sku": "FX-3", "quantity": 1}],
        )
        assert (await browser.delete(f"{LISTS}/{id_}")).status_code == 204
        assert refusal(await browser.get(f"{LISTS}/{id_}")) == (404, "list_missing")
        assert await names(browser) == []


async def test_a_list_is_ones_own_until_it_is_shared(portal: FastAPI, sessions: Sessions) -> None:
    async with colleagues(portal, sessions) as (theirs, owners, purchaser):
        private = await make(theirs, "Mine")
        shared = await make(theirs, "Ours", is_shared=True)
        assert await names(owners) == ["Ours"]
        assert refusal(await owners.get(f"{LISTS}/{private}")) == (404, "list_missing")
        seen = (await owners.get(f"{LISTS}/{shared}")).json()
        assert (seen["made_by"], seen["is_own"]) == (purchaser.name, False)
        for call in (owners.put(f"{LISTS}/{private}", json=listing()),):
            assert refusal(await call) == (404, "list_missing")
        assert (await owners.delete(f"{LISTS}/{private}")).status_code == 404


async def test_an_owner_changes_what_is_shared_and_others_do_not(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with colleagues(portal, sessions) as (theirs, owners, _):
        shared = await make(theirs, "Ours", is_shared=True)
        changed = await owners.put(f"{LISTS}/{shared}", json=listing(text="FX-3"))
        assert (changed.status_code, changed.json()["is_shared"]) == (200, True)
        assert [row["sku"] for row in changed.json()["rows"]] == ["FX-3"]
        of_owner = await make(owners, "The owner's", is_shared=True)
        assert refusal(await theirs.put(f"{LISTS}/{of_owner}", json=listing())) == (
            403,
            "list_of_another",
        )
        assert refusal(await theirs.delete(f"{LISTS}/{of_owner}")) == (403, "list_of_another")
        assert (await owners.delete(f"{LISTS}/{shared}")).status_code == 204
        assert await names(theirs) == ["The owner's"]


async def test_what_somebody_else_has_changed_meanwhile_is_not_lost(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with colleagues(portal, sessions) as (theirs, owners, _):
        url = f"{LISTS}/{await make(theirs, 'Ours', is_shared=True)}"
        read = [(await browser.get(url)).json()["updated_at"] for browser in (theirs, owners)]
        body = listing("Ours", text="FX-3", is_shared=True, updated_at=read[0])
        first = await theirs.put(url, json=body)
        assert first.status_code == 200
        late = await owners.put(url, json=listing("Ours", text="FX-4", updated_at=read[1]))
        assert refusal(late) == (409, "list_changed")
        again = await theirs.put(url, json=body)
        assert (again.status_code, again.json()["rows"]) == (200, first.json()["rows"])
        seen = (await owners.get(url)).json()
        assert [row["sku"] for row in seen["rows"]] == ["FX-3"]
        fresh = listing("Ours", text="FX-4", updated_at=seen["updated_at"])
        assert (await owners.put(url, json=fresh)).status_code == 200


async def test_a_name_tells_an_owner_nothing_of_private_lists(
    portal: FastAPI, sessions: Sessions
) -> None:
    """Only its maker renames a list: a name that one of their private lists has is answered like any other."""
    async with colleagues(portal, sessions) as (theirs, owners, _):
        await make(theirs, "Mine")
        shared = await make(theirs, "Ours", is_shared=True)
        for name in ("Mine", "Nobody's"):
            answer = await owners.put(f"{LISTS}/{shared}", json=listing(name))
            assert (answer.status_code, answer.json()["name"]) == (200, "Ours")


async def test_another_business_finds_nothing(portal: FastAPI, sessions: Sessions) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        id_ = await make(browser, is_shared=True)
    async with buying(portal, await a_buyer(sessions)) as other:
        assert await names(other) == []
        for answer in (
            await other.get(f"{LISTS}/{id_}"),
            await other.put(f"{LISTS}/{id_}", json=listing()),
            await other.delete(f"{LISTS}/{id_}"),
        ):
            assert refusal(answer) == (404, "list_missing")


async def test_a_name_is_taken_once_and_a_repeat_makes_no_second_list(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        key = a_key()
        first = await browser.post(LISTS, json=listing(), headers=key)
        again = await browser.post(LISTS, json=listing(), headers=key)
        assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
        taken = await browser.post(LISTS, json=listing("EVERY MONDAY"))
        assert refusal(taken) == (409, "list_name_taken")
        other = await make(browser, "Other")
        renamed = await browser.put(f"{LISTS}/{other}", json=listing())
        assert refusal(renamed) == (409, "list_name_taken")
        at_once = await asyncio.gather(
            *(browser.post(LISTS, json=listing("At once")) for _ in range(4))
        )
        assert sorted(one.status_code for one in at_once) == [200, 409, 409, 409]


async def test_no_more_lists_than_there_may_be(portal: FastAPI, sessions: Sessions) -> None:
    buyer = await a_buyer(sessions)
    rows = [ListedRow(sku="FX-1", quantity=1)]
    async with sessions.begin() as session:
        for _ in range(MOST_LISTS):
            await add_list(
                session,
                buyer.id,
                buyer.partner_code or "",
                name=a_name(),
                is_shared=False,
                rows=rows,
            )
    async with buying(portal, buyer) as browser:
        refused = await browser.post(LISTS, json=listing())
        assert refusal(refused) == (409, "too_many_lists")


async def test_a_business_shares_no_more_lists_than_everybody_can_see(
    portal: FastAPI, sessions: Sessions
) -> None:
    """The last place goes to one of those who ask at once; whoever sees all shared ones sees their own beside them."""
    async with colleagues(portal, sessions) as (_, owners, purchaser):
        async with sessions.begin() as session:
            for _ in range(MOST_SHARED - 1):
                await add_list(
                    session,
                    purchaser.id,
                    purchaser.partner_code or "",
                    name=a_name(),
                    is_shared=True,
                    rows=[ListedRow(sku="FX-1", quantity=1)],
                )
        private = await make(owners, "Mine")
        share = listing("Mine", is_shared=True)
        answers = await asyncio.gather(
            owners.put(f"{LISTS}/{private}", json=share),
            owners.post(LISTS, json=listing("New", is_shared=True)),
        )
        assert sorted(one.status_code for one in answers) == [200, 409]
        refused = next(one for one in answers if one.status_code == 409)
        assert refusal(refused) == (409, "too_many_shared_lists")
        more = await owners.post(LISTS, json=listing("More"))
        assert more.status_code == 200
        seen = (await owners.get(LISTS)).json()
        assert sum(one["is_shared"] for one in seen["results"]) == MOST_SHARED
        assert {"Mine", "More"} <= {one["name"] for one in seen["results"] if one["is_own"]}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (listing(" "), "invalid"),
        (listing("x" * 61), "invalid"),
        ({"name": "A"}, "invalid"),
        ({"name": "A", "text": "FX-1 many"}, "list_row_unclear"),
        ({"name": "A", "text": "\n".join(["FX-1 1"] * 201)}, "list_too_long"),
        ({"name": "A", "text": " \n"}, "no_rows"),
        (listing(colour="red"), "invalid"),
    ],
)
async def test_bad_input_is_refused(
    portal: FastAPI, sessions: Sessions, body: dict[str, Any], code: str
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert refusal(await browser.post(LISTS, json=body)) == (422, code)


async def test_who_may_not_buy_keeps_no_lists(portal: FastAPI, sessions: Sessions) -> None:
    installer = await an_installer(sessions, await a_dealer(sessions))
    async with buying(portal, installer) as browser:
        assert (await browser.get(LISTS)).status_code == 403
        assert (await browser.post(LISTS, json=listing())).status_code == 403
