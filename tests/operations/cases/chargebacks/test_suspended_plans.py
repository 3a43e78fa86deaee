"""Plans that were not paid rest wherever they are by now, however many they are, and come back once they are paid."""

import uuid
from datetime import UTC, datetime, timedelta

from db.plans.plans import Holders, count_subscriptions, move_subscription, present_subscriptions
from domain.plans.plans import SubscriptionState
from tests.drivers.stage import Stage, a_device_key
from tests.drivers.until import until as come
from tests.operations.cases.chargebacks.sold_plans import Sold, is_suspended
from tests.operations.cases.factories import case_in, mailed_about
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


async def states_of(stage: Stage, device_key: str) -> set[SubscriptionState]:
    async with stage.sessions() as session:
        counts = await count_subscriptions(
            session, Holders(everybodys=True), device_key, datetime.now(UTC)
        )
    return {state for state, count in counts.items() if count}


async def test_a_plan_that_rests_is_kept_as_such_and_its_buyer_is_told_of_it_and_of_its_return(
    stage: Stage,
) -> None:
    sold = await Sold(stage, 2).set()
    new = await swapped(stage, sold.devices[0])
    await moved(stage, sold.devices[0], new)
    devices = [new, sold.devices[1]]
    owing = await sold.owed(HASTY)
    await until(stage, owing.handle, "suspended")
    for device_key in devices:
        assert await states_of(stage, device_key) == {SubscriptionState.SUSPENDED}
    (text,) = await mailed_about(stage, owing.buyer.id, "The plans are suspended, and come back")
    assert "$10.00 is owed again" in text
    assert f"/cart/checkout/subscriptions?uuid={sold.id}" in text
    assert await owing.pay() is None
    await until(stage, owing.handle, "solved")
    for device_key in devices:
        assert await states_of(stage, device_key) == {SubscriptionState.ACTIVE}
    await mailed_about(stage, owing.buyer.id, "Its plans are active again.")


async def test_a_case_that_is_paid_in_time_speaks_of_no_plan_that_came_back(stage: Stage) -> None:
    sold = await Sold(stage).set()
    owing = await sold.owed(HASTY.model_copy(update={"grace": timedelta(days=1)}))
    await until(stage, owing.handle, "owed")
    assert await owing.pay() is None
    await until(stage, owing.handle, "solved")
    (text,) = await mailed_about(stage, owing.buyer.id, "It has been taken care of.")
    assert "active again" not in text
    async with stage.sessions() as session:
        present = await present_subscriptions(session, sold.devices)
    assert present[sold.devices[0]].suspended_at is None
