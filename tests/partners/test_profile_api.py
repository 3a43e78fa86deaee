"""The profile load, and changing one's own record."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from db.base import Sessions
from db.identity.people import PersonRow
from tests.drivers.factories import a_dealer, an_admin, an_inside_rep, an_installer, an_owner
from tests.drivers.portal import a_browser, sign_in
from tests.partners.factories import a_primary, let_see


async def test_the_drone_profile_names_the_identity_and_its_groups(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    await sign_in(browser, rep)
    answer = await browser.get("/api/get-user-drone-profile")
    assert answer.json() == {
        "droneProfile": {"droneUserId": rep.drone_user_id},
        "permissionGroups": [{"name": "Inside Sales Rep"}],
    }


async def test_without_an_identity_the_profile_says_so(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == user.id).values(drone_user_id=None)
        )
    answer = await browser.get("/api/get-user-drone-profile")
    assert answer.json()["droneProfile"] == {"droneUserId": None}


async def test_one_reads_ones_own_record(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    shown = (await browser.get(f"/v1/user/{owner.id}")).json()
    assert (shown["id"], shown["email"], shown["dealer_id"]) == (
        owner.id,
        owner.email,
        owner.dealer_id,
    )
    assert shown["user_type"] == [{"type": "installer", "is_owner": True, "is_purchaser": False}]


async def test_a_rep_reads_the_record_of_the_person_they_act_for_only(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    rep = await an_inside_rep(sessions)
    dealer = await a_dealer(sessions)
    primary = await a_primary(sessions, dealer)
    await let_see(sessions, rep, dealer.partner_code)
    await sign_in(browser, rep)
    assert (await browser.get(f"/v1/user/{primary.id}")).status_code == 404
    await browser.put("/v1/auth/business", json={"sapBpCode": dealer.partner_code})
    assert (await browser.get(f"/v1/user/{primary.id}")).json()["id"] == primary.id


async def test_one_changes_ones_own_name(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    answer = await browser.patch(f"/v1/user/{user.id}", json={"first_name": "Zoé"})
    assert (answer.json()["first_name"], answer.json()["last_name"]) == ("Zoé", user.last_name)
    assert (await browser.get("/v1/auth/user")).json()["user"]["first_name"] == "Zoé"


async def test_ones_picture_is_set_and_taken_away(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    url = f"/v1/user/{user.id}"
    for image in ("/pictures/people/zoe.svg", None):
        answer = await browser.patch(url, json={"image": image})
        assert answer.json()["image"] == image
        assert (await browser.get("/v1/auth/user")).json()["user"]["image"] == image
    for elsewhere in ("https://elsewhere.example/me.png", "//elsewhere.example/me.png"):
        assert (await browser.patch(url, json={"image": elsewhere})).status_code == 422


async def test_a_subscriber_id_is_set_by_administrators(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    url = f"/v1/user/{user.id}"
    assert (await browser.patch(url, json={"subscriber_id": "S-1"})).status_code == 422
    async with a_browser(portal) as admins:
        await sign_in(admins, await an_admin(sessions))
        assert (await admins.patch(url, json={"subscriber_id": "S-1"})).status_code == 200
    assert (await browser.get(url)).json()["subscriber_id"] == "S-1"


@pytest.mark.parametrize("sent", [{"content": b""}, {"json": {}}, {"content": b"null"}])
async def test_an_update_needs_its_object(
    sessions: Sessions, browser: httpx.AsyncClient, sent: dict[str, Any]
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    headers = {"Content-Type": "application/json"}
    answer = await browser.patch(f"/v1/user/{user.id}", headers=headers, **sent)
    assert (answer.status_code, answer.json()["detail"]) == (422, "Updates object is required")


async def test_an_update_needs_an_id(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    await sign_in(browser, await an_installer(sessions))
    answer = await browser.patch("/v1/user/%20", json={"first_name": "Zoé"})
    assert (answer.status_code, answer.json()["detail"]) == (422, "User id is a required field")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("is_owner", True),
        ("user_type", [{"type": "installer", "is_owner": True}]),
        ("access_type", "firstech_admin"),
        ("dealer_id", "harbour"),
        ("is_retired", False),
        ("email", "new@people.example"),
        ("stripe_onboarding_complete", True),
    ],
)
async def test_protected_fields_are_refused_and_the_attempt_is_kept(
    sessions: Sessions, portal: FastAPI, browser: httpx.AsyncClient, field: str, value: Any
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    answer = await browser.patch(f"/v1/user/{user.id}", json={"first_name": "Zoé", field: value})
    assert answer.status_code == 422
    assert answer.json()["validation_errors"] == [
        {"field": field, "message": "This field cannot be changed"}
    ]
    assert (await browser.get(f"/v1/user/{user.id}")).json()["first_name"] == user.first_name
    async with a_browser(portal) as admins:
        await sign_in(admins, await an_admin(sessions))
        found = await admins.get(
            "/v1/audit", params={"actor": f"user:{user.id}", "outcome": "refused"}
        )
    assert [(e["action"], e["more"]) for e in found.json()["results"]] == [
        ("tried to change protected fields", {"fields": [field]})
    ]


async def test_an_unknown_field_is_refused_without_repeating_it(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    answer = await browser.patch(f"/v1/user/{user.id}", json={"shoe_size": 43})
    assert answer.status_code == 422
    assert "shoe" not in answer.text


async def test_somebody_elses_record_is_absent(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    colleague, owner = await an_installer(sessions, dealer), await an_owner(sessions, dealer)
    await sign_in(browser, owner)
    for id_ in (colleague.id, "nobody"):
        assert (await browser.get(f"/v1/user/{id_}")).status_code == 404
        assert (await browser.patch(f"/v1/user/{id_}", json={"first_name": "A"})).status_code == 404
