"""A dealer's people and their rights, over the API."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from db.base import Sessions
from db.identity.people import find_user
from db.operations.audit import AuditRow
from db.partner_tables import DealerRow
from domain.identity.people import User
from tests.drivers.factories import (
    PASSWORD,
    a_dealer,
    a_name,
    an_admin,
    an_installer,
    an_owner,
)
from tests.drivers.portal import a_browser, sign_in


async def change(browser: httpx.AsyncClient, user: User, **json: Any) -> httpx.Response:
    return await browser.patch(f"/v1/installer/{user.id}", json=json)


async def present(sessions: Sessions, user: User) -> User:
    async with sessions() as session:
        found = await find_user(session, user.id)
    assert found is not None
    return found


async def test_owners_stand_first_and_of_both_the_retired_last(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    gone = await an_installer(sessions, dealer, is_retired=True)
    hand = await an_installer(sessions, dealer)
    former = await an_installer(sessions, dealer, is_owner=True, is_retired=True)
    owner = await an_owner(sessions, dealer)
    await sign_in(browser, owner)
    answer = (await browser.get(f"/v1/dealers/{dealer.id}/installers")).json()
    shown = [one["id"] for one in answer["results"]]
    assert shown == [owner.id, former.id, hand.id, gone.id]
    assert answer["count"] == 4
    assert answer["results"][0]["last_seen_at"] is not None
    assert answer["results"][2]["last_seen_at"] is None
    page = (await browser.get(f"/v1/dealers/{dealer.id}/installers?limit=1&offset=2")).json()
    assert [one["id"] for one in page["results"]] == [hand.id]


async def test_another_dealer_is_not_there(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    stranger = await an_installer(sessions)
    await sign_in(browser, await an_owner(sessions))
    assert stranger.dealer_id is not None
    for path in ("", "/installers", "/device-rewards", "/reward-sums", "/payouts"):
        answer = await browser.get(f"/v1/dealers/{stranger.dealer_id}{path}")
        assert answer.status_code == 404, path
    assert (await change(browser, stranger, is_purchaser=True)).status_code == 404
    assert not (await present(sessions, stranger)).is_purchaser


async def test_only_one_dealer_is_listed_and_all_for_an_administrator(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner, _ = await an_owner(sessions), await an_owner(sessions)
    await sign_in(browser, owner)
    listed = (await browser.get("/v1/dealers")).json()
    assert [one["id"] for one in listed["results"]] == [owner.dealer_id]
    await sign_in(browser, await an_admin(sessions))
    assert (await browser.get("/v1/dealers?limit=1")).json()["count"] > 1


async def test_a_right_acts_at_the_next_request(
    portal: FastAPI, sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    dealer_id = owner.dealer_id
    assert dealer_id is not None
    dealer = (await a_dealer(sessions)).model_copy(update={"id": dealer_id})
    hand = await an_installer(sessions, dealer)
    await sign_in(browser, owner)
    async with a_browser(portal) as theirs:
        await sign_in(theirs, hand)
        assert not (await theirs.get("/v1/auth/user")).json()["user"]["purchasing_rights"]
        assert (await change(browser, hand, is_purchaser=True)).status_code == 200
        assert (await theirs.get("/v1/auth/user")).json()["user"]["purchasing_rights"]
        assert (await change(browser, hand, is_retired=True)).status_code == 200
        assert (await theirs.get("/v1/auth/user")).json()["user"]["is_retired"]
        assert (await theirs.get("/v1/activations")).status_code == 403
        assert (await change(browser, hand, is_retired=False)).status_code == 200
        assert (await theirs.get("/v1/activations")).status_code == 200


@pytest.mark.parametrize(
    "body", [{"is_owner": True}, {"dealer_id": "other"}, {"user_type": []}, {}, {"is_retired": 1}]
)
async def test_nothing_else_is_writable(
    sessions: Sessions, browser: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    answer = await browser.patch(f"/v1/installer/{owner.id}", json=body)
    assert answer.status_code == 422
    assert (await present(sessions, owner)) == owner


async def test_two_owners_who_retire_each_other_at_once_leave_one(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    first, second = await an_owner(sessions, dealer), await an_owner(sessions, dealer)
    async with a_browser(portal) as one, a_browser(portal) as other:
        await sign_in(one, first)
        await sign_in(other, second)
        await asyncio.gather(
            change(one, second, is_retired=True), change(other, first, is_retired=True)
        )
    left = [not (await present(sessions, owner)).is_retired for owner in (first, second)]
    assert any(left)


async def test_the_last_owner_stays(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    answer = await change(browser, owner, is_retired=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "last_owner")
    assert not (await present(sessions, owner)).is_retired


async def test_an_owner_is_made_with_ones_own_password_and_it_is_written_down(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    await sign_in(browser, owner)
    path = f"/v1/dealers/{dealer.id}/owners"
    wrong = await browser.post(path, json={"user_id": hand.id, "password": "Not-Mine-1!"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_password")
    assert not (await present(sessions, hand)).is_owner
    for _ in range(2):
        right = await browser.post(path, json={"user_id": hand.id, "password": PASSWORD})
        assert right.status_code == 200, right.text
    assert (await present(sessions, hand)).is_owner
    async with sessions() as session:
        entries = await session.scalars(
            select(AuditRow.actor).where(
                AuditRow.action == "made an owner", AuditRow.object_id == hand.id
            )
        )
        assert entries.all() == [f"user:{owner.id}"]


async def test_nobody_retired_or_foreign_becomes_an_owner(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    await sign_in(browser, await an_owner(sessions, dealer))
    gone = await an_installer(sessions, dealer, is_retired=True)
    stranger = await an_installer(sessions)
    path = f"/v1/dealers/{dealer.id}/owners"
    for user, status in ((gone, 409), (stranger, 404)):
        answer = await browser.post(path, json={"user_id": user.id, "password": PASSWORD})
        assert answer.status_code == status
        assert not (await present(sessions, user)).is_owner


async def test_permissions_are_changed_all_or_none(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    owner, hand = await an_owner(sessions, dealer), await an_installer(sessions, dealer)
    stranger = await an_installer(sessions)
    await sign_in(browser, owner)

    async def permit(*ids: str, **more: str) -> httpx.Response:
        given = [{"id": id_, "isProductPurchaser": True} for id_ in ids]
        return await browser.post(
            "/api/update-user-permissions", json={"permissions": given, **more}
        )

    assert (await permit(hand.id, stranger.id)).status_code == 404
    assert (await permit(hand.id, hand.id)).status_code == 422
    assert (await permit(hand.id, businessPartner=a_name())).status_code == 404
    assert not (await present(sessions, hand)).is_purchaser
    assert (await permit(hand.id, businessPartner=dealer.partner_code)).json() == {"updated": 1}
    assert (await present(sessions, hand)).is_purchaser
    info = (
        await browser.get("/api/users-info-saleor", params={"bpId": dealer.partner_code})
    ).json()
    buys = {one["id"]: one["isProductPurchaser"] for one in info["employees"]}
    assert buys == {owner.id: False, hand.id: True}


async def test_the_public_profile_is_kept_and_is_a_plain_text(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    path = f"/v1/dealer/{owner.dealer_id}"
    profile = {"name": "<b>Shop</b>", "website": "https://shop.example", "USCA": True}
    answer = await browser.patch(path, json={"is_public_profile": True, "dealer_profile": profile})
    assert answer.status_code == 200, answer.text
    kept = (await browser.get(f"/v1/dealers/{owner.dealer_id}")).json()
    assert kept["is_public_profile"] is True
    assert kept["dealer_profile"]["name"] == "<b>Shop</b>"
    assert (kept["dealer_profile"]["USCA"], kept["dealer_profile"]["AU"]) == (True, False)
    refused = await browser.patch(path, json={"dealer_profile": {"website": "javascript:alert(1)"}})
    assert refused.status_code == 422


async def test_what_of_a_profile_is_refused_by_now_is_left_out_when_it_is_read(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    kept = {"name": "Shop", "website": "https:///nowhere"}
    async with sessions.begin() as session:
        changed = update(DealerRow).where(DealerRow.id == owner.dealer_id)
        await session.execute(changed.values(dealer_profile=kept))
    profile = (await browser.get(f"/v1/dealers/{owner.dealer_id}")).json()["dealer_profile"]
    assert (profile["name"], profile["website"]) == ("Shop", "")
