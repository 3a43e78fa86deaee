"""Which activations are a visit's: those that it let in, and that end with it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest

from db.devices.visits import runs_of_visit
from domain.identity.people import User
from tests.devices.visits.test_api import Json, an_owned_device, answers, asked, tell
from tests.drivers.factories import a_dealer, an_admin, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem


async def held_by(whole: Whole, visit: Json) -> tuple[Any, ...]:
    """The activations that end with the visit."""
    async with whole.sessions() as session:
        return await runs_of_visit(session, visit["id"])


async def test_the_end_of_a_visit_leaves_what_else_the_visitor_has_begun(whole: Whole) -> None:
    """Their business has the device by then."""
    owner, person = await an_owner(whole.sessions), await an_installer(whole.sessions)
    key = a_device_key("DR5400", traits="270")
    await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    async with whole.signed_in(person) as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        await whole.stage.control(key, owner_dealer_id=person.dealer_id)
        own = await visitor.started(key, type="replace-device")
        assert await held_by(whole, visit) == ()
        assert (await tell(home, visit, "end")).json()["state"] == "ended"
        assert not (await visitor.look(own["id"]))["ended"]


class Bench(NamedTuple):
    """A foreign device with its owner, and two colleagues of another business."""

    key: str
    visitor: Caller
    second: Caller
    colleague: User
    home: Caller

    async def let_in(self, caller: Caller) -> Json:
        visit = await asked(caller, self.key)
        await answers(self.home, visit, "yes")
        return visit


@asynccontextmanager
async def a_bench(whole: Whole) -> AsyncGenerator[Bench]:
    key, owner = await an_owned_device(whole)
    dealer = await a_dealer(whole.sessions)
    person, colleague = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(person) as visitor,
        whole.signed_in(colleague) as second,
        whole.signed_in(owner) as home,
    ):
        yield Bench(key, visitor, second, colleague, home)


async def test_a_visit_is_handed_over_to_nobody_whom_the_owner_has_not_let_in(
    whole: Whole,
) -> None:
    async with a_bench(whole) as bench:
        visitor, colleague = bench.visitor, bench.colleague
        visit = await bench.let_in(visitor)
        run = await visitor.started(bench.key, type="service-device")
        colleagues = f"/v1/activations/{run['id']}/colleagues"
        assert (await visitor.browser.get(colleagues)).json()["results"] == []
        given = {"seq": run["seq"], "user_id": colleague.id}
        refused = await visitor.tell(run["id"], "hand-over", **given)
        assert problem(refused) == (422, "invalid")
        assert "does not let this person in" in refused.text

        await bench.let_in(bench.second)
        offered = (await visitor.browser.get(colleagues)).json()["results"]
        assert [one["id"] for one in offered] == [colleague.id]
        assert (await visitor.tell(run["id"], "hand-over", **given)).status_code == 200
        assert len(await held_by(whole, visit)) == 1
        await bench.second.walk_to(await bench.second.look(run["id"]), "completed")
        seen = (await visitor.browser.get(f"/v1/visits/{visit['id']}")).json()
        assert seen["state"] == "ended"
        assert (await visitor.start(bench.key, type="service-device")).status_code == 404


@pytest.mark.parametrize("hand", ["the colleague", "an administrator"])
async def test_it_is_the_visit_of_whoever_began_it_by_whichever_hand_it_was_handed_over(
    whole: Whole, hand: str
) -> None:
    admin = await an_admin(whole.sessions)
    async with a_bench(whole) as bench, whole.signed_in(admin) as admins:
        visit, theirs = await bench.let_in(bench.visitor), await bench.let_in(bench.second)
        run = await bench.visitor.started(bench.key, type="service-device")
        by = admins if hand == "an administrator" else bench.second
        given = await by.tell(run["id"], "hand-over", seq=run["seq"], user_id=bench.colleague.id)
        assert given.json()["view"]["owner_id"] == bench.colleague.id
        assert len(await held_by(whole, visit)) == 1
        assert await held_by(whole, theirs) == ()


async def test_the_end_of_a_visit_leaves_the_one_of_a_colleague(whole: Whole) -> None:
    async with a_bench(whole) as bench:
        visit, theirs = await bench.let_in(bench.visitor), await bench.let_in(bench.second)
        await bench.second.started(bench.key, type="service-device")
        assert await held_by(whole, visit) == ()
        assert len(await held_by(whole, theirs)) == 1
