"""The devices of a business, and those of them that are in work."""

import csv
import io
from collections import Counter
from typing import Any

from tests.devices.asking import done
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import a_dealer, an_admin, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole


async def listed(caller: Caller, **narrowed: Any) -> dict[str, Any]:
    answer = await caller.browser.get("/v1/devices", params=narrowed)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_in_work_is_what_an_unfinished_run_of_the_business_holds(whole: Whole) -> None:
    left, again, colleagues, foreign = (a_device_key() for _ in range(4))
    dealer = await a_dealer(whole.sessions)
    people = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(people[0]) as installer,
        whole.signed_in(people[1]) as colleague,
        whole.signed_in() as stranger,
    ):
        for key in (left, again):
            begun = await installer.started(key)
            await installer.send(begun["id"], "abandon", seq=begun["seq"])
            await installer.until(begun["id"], lambda flow: flow["ended"])
        await installer.started(again)
        await colleague.started(colleagues)
        await stranger.started(foreign)

        everything = await listed(installer)
        in_work = await listed(installer, in_work=True)
        one = await listed(installer, starts_with=left)
        first = await listed(installer, in_work=True, limit=1)
        rest = await listed(installer, in_work=True, limit=1, cursor=first["end_cursor"])
        file = (await installer.browser.get("/v1/devices.csv", params={"in_work": True})).text
    assert everything["counts"] == in_work["counts"] == {"all": 3, "in_work": 2}
    assert {each["device_key"] for each in everything["results"]} == {left, again, colleagues}
    assert [each["device_key"] for each in in_work["results"]] == [colleagues, again]
    assert one["counts"] == {"all": 1, "in_work": 0}
    assert first["results"] + rest["results"] == in_work["results"]
    assert (rest["counts"], rest["end_cursor"]) == (None, None)
    _, *rows = csv.reader(io.StringIO(file))
    assert [row[0] for row in rows] == [colleagues, again]


async def test_what_everybody_works_on_is_listed_and_not_counted(whole: Whole) -> None:
    key = a_device_key()
    async with (
        whole.signed_in() as installer,
        whole.signed_in(await an_admin(whole.sessions)) as admin,
    ):
        await installer.started(key)
        page = await listed(admin, starts_with=key, in_work=True)
    assert ([one["device_key"] for one in page["results"]], page["counts"]) == ([key], None)


async def test_devices_of_a_first_page_are_put_together_once_for_rows_and_counts(
    whole: Whole,
) -> None:
    """Also where there is no row to show."""
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        await installer.send(begun["id"], "abandon", seq=begun["seq"])
        await installer.until(begun["id"], lambda flow: flow["ended"])
        with statements_of(whole.app) as asked:
            page = await listed(installer, in_work=True)
    assert (page["results"], page["end_cursor"]) == ([], None)
    assert page["counts"] == {"all": 1, "in_work": 0}
    (grouped,) = [one for one in asked if "GROUP BY flow.device_key" in one]
    assert "flow.view" not in grouped


async def test_an_owners_look_at_a_device_asks_nothing_twice(whole: Whole) -> None:
    """Neither of the database nor of the device network."""
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    async with whole.signed_in(await an_owner(whole.sessions, dealer)) as home:
        before = await whole.stage.asked(key, "device")
        with statements_of(whole.app) as asked:
            record = await done(home, "GET", f"/v1/devices/{key}")
        of_network = await whole.stage.asked(key, "device") - before
    assert (record["in_use"], record["may_release"]) == (False, True)
    twice = {one: times for one, times in Counter(asked).items() if times > 1}
    assert (twice, of_network) == ({}, 1)
