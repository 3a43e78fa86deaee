"""A visit whose run is gone is over within a round, and the visitor can ask anew."""

import pytest

from activities.operations.lost_rows import LostRows
from activities.operations.reconciler import Bounds, ReconcilerActivities
from domain.devices.visits import Visit
from domain.operations.operations import Repair
from tests.devices.visits.test_api import Json, an_owned_device, answers, asked, save, send
from tests.drivers.factories import an_installer, an_owner
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.operations.reconciler.rounds import a_round, audited


async def ended_from_outside(whole: Whole, visit: Json) -> None:
    await whole.stage.client.get_workflow_handle(f"visit-{visit['id']}").terminate("by mistake")


async def state_of(caller: Caller, visit: Json) -> str:
    return (await caller.browser.get(f"/v1/visits/{visit['id']}")).json()["state"]


async def test_a_request_lapses(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await a_round(whole.stage)
        assert await state_of(visitor, visit) == "waiting"
        await ended_from_outside(whole, visit)
        assert problem(await answers(home, visit, "yes")) == (503, "unavailable")
        await a_round(whole.stage)
        assert await state_of(visitor, visit) == "lapsed"
        assert problem(await answers(home, visit, "yes")) == (410, "visit_ended")
        ((action, more),) = [
            one for one in await audited(whole.stage, "visit", visit["id"]) if one[0] == Repair.LOST
        ]
        assert (action, more["state"]) == (Repair.LOST, "waiting")
        again = await asked(visitor, key)
        assert again["id"] != visit["id"]
        assert (await answers(home, again, "yes")).json()["state"] == "permitted"


async def test_one_that_was_permitted_ends_with_the_visitors_activation(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        run = await visitor.started(key, type="service-device")
        await ended_from_outside(whole, visit)
        await a_round(whole.stage)
        assert await state_of(home, visit) == "ended"
        assert (await visitor.start(key, type="service-device")).status_code == 404

        async def stopped() -> bool:
            look = await visitor.browser.get(f"/v1/activations/{run['id']}")
            return look.status_code == 200 and look.json()["ended"]

        await until(stopped)
        assert problem(await send(home, visit, "end")) == (410, "visit_ended")


async def test_a_round_looks_at_so_many_visits_and_no_more(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = whole.stage
    owner, person = await an_owner(whole.sessions), await an_installer(whole.sessions)
    await save(whole, owner, person, [("waiting", 1)] * 3)
    bounds = Bounds(looked=0, visits=2, accounts=0)
    cloud = stage.systems.device_cloud
    looked: list[Visit] = []

    async def look(_: LostRows[Visit], visit: Visit) -> bool:
        looked.append(visit)
        return False

    monkeypatch.setattr(LostRows, "look", look)
    await ReconcilerActivities(stage.client, stage.sessions, cloud, bounds).compare()
    assert len(looked) == 2
