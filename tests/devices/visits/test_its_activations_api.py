"""Which activations are a visit's: those that it let in, and that end with it."""

from typing import Any

from db.devices.visits import runs_of_visit
from tests.devices.visits.test_api import Json, an_owned_device, answers, asked, tell
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole, problem


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


async def test_a_visit_is_handed_over_to_nobody_whom_the_owner_has_not_let_in(
    whole: Whole,
) -> None:
    key, owner = await an_owned_device(whole)
    dealer = await a_dealer(whole.sessions)
    person, colleague = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(person) as visitor,
        whole.signed_in(colleague) as second,
        whole.signed_in(owner) as home,
    ):
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        run = await visitor.started(key, type="service-device")
        colleagues = f"/v1/activations/{run['id']}/colleagues"
        assert (await visitor.browser.get(colleagues)).json()["results"] == []
        given = {"seq": run["seq"], "user_id": colleague.id}
        refused = await visitor.tell(run["id"], "hand-over", **given)
        assert problem(refused) == (422, "invalid")
        assert "does not let this person in" in refused.text

        theirs = await asked(second, key)
        await answers(home, theirs, "yes")
        offered = (await visitor.browser.get(colleagues)).json()["results"]
        assert [one["id"] for one in offered] == [colleague.id]
        assert (await visitor.tell(run["id"], "hand-over", **given)).status_code == 200
        assert len(await held_by(whole, visit)) == 1
        await second.walk_to(await second.look(run["id"]), "completed")
        seen = (await visitor.browser.get(f"/v1/visits/{visit['id']}")).json()
        assert seen["state"] == "ended"
        assert (await visitor.start(key, type="service-device")).status_code == 404


async def test_the_end_of_a_visit_leaves_the_one_of_a_colleague(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    dealer = await a_dealer(whole.sessions)
    person, colleague = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with (
        whole.signed_in(person) as visitor,
        whole.signed_in(colleague) as second,
        whole.signed_in(owner) as home,
    ):
        visit, theirs = await asked(visitor, key), await asked(second, key)
        for one in (visit, theirs):
            await answers(home, one, "yes")
        await second.started(key, type="service-device")
        assert await held_by(whole, visit) == ()
        assert len(await held_by(whole, theirs)) == 1
