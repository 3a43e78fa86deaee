"""Installer guides (devices spec 3 and 7)."""

import pytest
from fastapi import FastAPI

from db.base import Sessions
from tests.catalogue.people import signed_in
from tests.drivers.factories import an_installer
from tests.vehicles.wiring_calls import CAMRY, MIRRORING_CAMRY, ask


async def test_folders_lead_to_documents_and_back(wired: FastAPI, sessions: Sessions) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        top = (await browser.get("/api/folder")).json()
        (bypass,) = [one for one in top["folders"] if one["slug"] == "bypass-guides"]
        assert (bypass["folders"], bypass["documents"]) == (1, 6)
        inner = (await browser.get("/api/folder/bypass-keys")).json()
    assert [one["slug"] for one in inner["path"]] == ["bypass-guides"]
    assert len(inner["documents"]) == 6
    assert inner["documents"][0]["blocks"][0]["type"] == "paragraph"


async def test_titles_are_searched_in_all_folders(wired: FastAPI, sessions: Sessions) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        found = (
            await browser.get("/api/folder", params={"search": " BYPASS modules: first"})
        ).json()
        assert [(one["folder"], one["title"]) for one in found["documents"]] == [
            ("bypass-guides", "Bypass Modules: First steps")
        ]
        folders = (await browser.get("/api/folder", params={"search": "bypass"})).json()["folders"]
        assert {one["slug"] for one in folders} >= {"bypass-guides"}
        for words in ("%", "_", "no such guide"):
            nothing = (await browser.get("/api/folder", params={"search": words})).json()
            assert (nothing["folders"], nothing["documents"]) == ([], []), words


@pytest.mark.parametrize("slug", ["nowhere", "..%2F..%2Fetc", "a..b", "UPPER", "x" * 200])
async def test_a_folder_that_is_not_there_is_not_found(
    wired: FastAPI, sessions: Sessions, slug: str
) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        answer = await browser.get(f"/api/folder/{slug}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Not Found")


async def test_guides_are_found_by_vehicles(wired: FastAPI, sessions: Sessions) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        told = await ask(browser, "internal-vehicle-wiring", CAMRY)
        guides = await ask(browser, "guides-by-vehicle-ids", {"vehicleIds": [told["id"], 1]})
        none = await ask(browser, "guides-by-vehicle-ids", {"vehicleIds": [1]})
        empty = await browser.post("/api/guides-by-vehicle-ids", json={"vehicleIds": []})
    assert guides == told["vehicle_documents"]
    assert none == []
    assert empty.status_code == 422


async def test_a_vehicle_that_mirrors_another_has_the_guides_of_that_one(
    wired: FastAPI, sessions: Sessions
) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        mirroring = await ask(browser, "internal-vehicle-wiring", MIRRORING_CAMRY)
        ids = [mirroring["id"], mirroring["mirrors_vehicle"]["id"]]
        guides = await ask(browser, "guides-by-vehicle-ids", {"vehicleIds": ids})
    slugs = [
        [one["slug"] for one in guides if one["vehicle_id"] == vehicle_id] for vehicle_id in ids
    ]
    assert slugs[0]
    assert slugs == [[one["slug"] for one in mirroring["vehicle_documents"]]] * 2
