"""Plans that were not paid rest wherever they are by now, however many they are, and come back once they are paid."""

import uuid
from datetime import timedelta

from db.plans.plans import move_subscription
from tests.drivers.stage import Stage, a_device_key
from tests.drivers.until import until as come
from tests.operations.cases.factories import case_in
from tests.operations.cases.sold_plans import Sold, is_suspended
from tests.operations.cases.stories import HASTY, id_of, until

LINES = 100


async def swapped(stage: Stage, old: str) -> str:
    """The device that took its place at the network; our row of its plan is not moved yet."""
    await stage.control(old, device_state="activated")
    new = a_device_key()
    await stage.systems.device_cloud.swap(old, new, key=uuid.uuid4().hex)
    return new


async def moved(stage: Stage, old: str, new: str) -> None:
    async with stage.sessions.begin() as session:
        await move_subscription(session, old, new, None)


async def test_a_plan_that_was_swapped_before_is_suspended_and_restored(stage: Stage) -> None:
    sold = await Sold(stage).set()
    new = await swapped(stage, sold.devices[0])
    await moved(stage, sold.devices[0], new)
    owing = await sold.owed(HASTY)
    await until(stage, owing.handle, "suspended")
    assert await is_suspended(stage, new)
    assert await owing.pay() is None
    await until(stage, owing.handle, "solved")
    assert not await is_suspended(stage, new)


async def test_a_plan_that_is_swapped_while_it_rests_is_restored(stage: Stage) -> None:
    sold = await Sold(stage).set()
    owing = await sold.owed(HASTY)
    await until(stage, owing.handle, "suspended")
    new = await swapped(stage, sold.devices[0])
    await moved(stage, sold.devices[0], new)
    assert await is_suspended(stage, new), "a swap pays nothing"
    assert await owing.pay() is None
    await until(stage, owing.handle, "solved")
    assert not await is_suspended(stage, new)


async def test_a_plan_that_is_being_swapped_is_looked_for(stage: Stage) -> None:
    sold = await Sold(stage).set()
    new = await swapped(stage, sold.devices[0])
    owing = await sold.owed(HASTY)
    await until(stage, owing.handle, "suspending")
    await moved(stage, sold.devices[0], new)
    await until(stage, owing.handle, "suspended")
    assert await is_suspended(stage, new)


async def test_many_plans_are_suspended_by_a_slow_network_and_one_that_fails_holds_up_none(
    stage: Stage,
) -> None:
    sold = await Sold(stage, LINES).set()
    failing = sold.devices[0]
    await stage.control(failing, outages=1_000_000)
    await stage.turn(latency=0.2)
    try:
        policy = HASTY.model_copy(
            update={"suspend": timedelta(seconds=8), "bank": timedelta(milliseconds=200)}
        )
        owing = await sold.owed(policy)
        await until(stage, owing.handle, "suspended")
    finally:
        await stage.turn(latency=0)
    assert await sold.rest(failing)
    case = await case_in(stage, id_of(owing.handle), "suspended")
    assert "Not every device answered" in " ".join(note.text for note in case.done)
    assert (await stage.effects(sold.devices[-1]))["suspend-plan"] == 1
    await stage.control(failing, outages=0)
    await come(lambda: is_suspended(stage, failing), within=40)
    assert await owing.pay() is None
    await until(stage, owing.handle, "solved")
    assert not any([await is_suspended(stage, one) for one in sold.devices])
