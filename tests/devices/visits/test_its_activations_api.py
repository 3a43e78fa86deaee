"""Which activations are a visit's: those that it let in, and that end with it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest

from db.devices.visits import runs_of_visit
from domain.identity.people import User
from tests.devices.visits.test_api import Json, an_owned_device, answers, asked, send
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import Dealer, a_dealer, an_admin, an_installer, an_owner
from tests.drivers.portal import a_key
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
        assert (await send(home, visit, "end")).json()["state"] == "ended"
        assert not (await visitor.look(own["id"]))["ended"]


class Bench(NamedTuple):
    """A foreign device with its owner, and two colleagues of another business."""

    key: str
    dealer: Dealer
    person: User
    colleague: User
    visitor: Caller
    second: Caller
    home: Caller

    async def let_in(self, caller: Caller) -> Json:
        visit = await asked(caller, self.key)
        await answers(self.home, visit, "yes")
        return visit


@asynccontextmanager
async def a_bench(whole: Whole) -> AsyncGenerator[Bench]:
    """It has no plan at the device network: its service comes to the choice of one."""
    key, owner = await an_owned_device(whole)
    dealer = await a_dealer(whole.sessions)
    person, colleague = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(person) as visitor,
        whole.signed_in(colleague) as second,
        whole.signed_in(owner) as home,
    ):
        yield Bench(key, dealer, person, colleague, visitor, second, home)


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
        refused = await visitor.send(run["id"], "hand-over", **given)
        assert problem(refused) == (409, "not_let_in")

        await bench.let_in(bench.second)
        offered = (await visitor.browser.get(colleagues)).json()["results"]
        assert [one["id"] for one in offered] == [colleague.id]
        assert (await visitor.send(run["id"], "hand-over", **given)).status_code == 200
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
        given = await by.send(run["id"], "hand-over", seq=run["seq"], user_id=bench.colleague.id)
        assert given.json()["view"]["owner_id"] == bench.colleague.id
        assert len(await held_by(whole, visit)) == 1
        assert await held_by(whole, theirs) == ()


async def test_it_comes_back_to_nobody_whom_the_owner_has_not_let_in(whole: Whole) -> None:
    """Its visitor leaves while a colleague has it only to pay."""
    async with (
        a_bench(whole) as bench,
        whole.signed_in(await an_owner(whole.sessions, bench.dealer)) as boss,
    ):
        heir = await an_installer(whole.sessions, bench.dealer)
        for one in (bench.visitor, bench.second, boss):
            await bench.let_in(one)
        begun = await bench.visitor.started(bench.key, type="service-device")
        run = await bench.visitor.walk_to(begun, "purchase-plan")
        given = await bench.visitor.send(
            run["id"],
            "hand-over",
            seq=run["seq"],
            user_id=bench.colleague.id,
            only_to_pay=True,
        )
        assert given.status_code == 200, given.text

        async def leave() -> Json:
            path = f"/v1/dealers/{heir.dealer_id}/hand-over"
            body = {"from_id": bench.person.id, "to_id": heir.id}
            return (await boss.browser.post(path, json=body, headers=a_key())).json()

        assert await leave() == {"handed": 0, "left": 1}
        async with whole.signed_in(heir) as heirs:
            await bench.let_in(heirs)
        assert await leave() == {"handed": 1, "left": 0}
        view = (await boss.look(run["id"]))["view"]
        assert (view["owner_id"], view["handed"]["back_to_id"]) == (bench.colleague.id, heir.id)


async def test_who_could_go_on_is_asked_once_however_many_colleagues_there_are(
    whole: Whole,
) -> None:
    async with a_bench(whole) as bench:
        await bench.let_in(bench.visitor)
        run = await bench.visitor.started(bench.key, type="service-device")
        asked_with: list[int] = []
        for _ in range(2):
            await an_installer(whole.sessions, bench.dealer)
            with statements_of(whole.app) as asked_of_it:
                answer = await bench.visitor.browser.get(f"/v1/activations/{run['id']}/colleagues")
            assert answer.json()["results"] == []
            asked_with.append(sum("visit" in statement for statement in asked_of_it))
        assert asked_with[0] == asked_with[1] > 0


async def test_the_end_of_a_visit_leaves_the_one_of_a_colleague(whole: Whole) -> None:
    async with a_bench(whole) as bench:
        visit, theirs = await bench.let_in(bench.visitor), await bench.let_in(bench.second)
        await bench.second.started(bench.key, type="service-device")
        assert await held_by(whole, visit) == ()
        assert len(await held_by(whole, theirs)) == 1
