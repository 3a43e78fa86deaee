"""Plans that were not paid rest wherever they are by now, however many they are, and come back once they are paid."""

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from db.plans.plans import move_subscription, subscribe
from domain.billing.payments import PayingFlow
from domain.operations.cases import BelongsTo, CaseCause, CasePolicy
from domain.plans.plans import Subscription, Term
from tests.drivers.factories import an_owner
from tests.drivers.stage import Stage, a_device_key
from tests.drivers.until import until as come
from tests.operations.cases.factories import case_in
from tests.operations.cases.stories import HASTY, Owing, id_of, opened, until

LINES = 100


async def is_suspended(stage: Stage, device_key: str) -> bool:
    return (await stage.systems.device_cloud.plan(device_key)).is_suspended


class Sold:
    """Plans that were bought together, and the devices that they were bought for."""

    def __init__(self, stage: Stage, lines: int = 1) -> None:
        self.stage, self.id = stage, uuid.uuid4().hex
        self.devices = [a_device_key() for _ in range(lines)]

    async def set(self) -> "Sold":
        at = datetime.now(UTC)
        for device_key in self.devices:
            plan = Subscription(
                id=f"{self.id}:{device_key}",
                device_key=device_key,
                product_name="dr5400",
                plan_id="basic_prepaid-1_year",
                plan_slug="basic_prepaid",
                plan_name="Basic",
                rank=1,
                term=Term.ONE_YEAR,
                starts_at=at,
                ends_at=at + timedelta(days=365),
                worth=Decimal(10),
                partner_code=None,
                dealer_id=None,
                owner_id=None,
                purchase_id=self.id,
            )
            async with self.stage.sessions.begin() as session:
                await subscribe(session, plan)
            await self.stage.systems.device_cloud.set_plan(
                device_key, plan.plan_id, plan.ends_at, reference=plan.id, key=plan.id
            )
        return self

    async def owed(self, policy: CasePolicy) -> Owing:
        """Their debit came back."""
        buyer = await an_owner(self.stage.sessions)
        handle = await opened(
            self.stage,
            amount="10.00",
            policy=policy,
            is_paid=False,
            cause=CaseCause.DEBIT_RETURNED,
            buyer=buyer,
            belongs_to=BelongsTo(
                kind="purchase",
                id=self.id,
                name="Purchase of plans",
                flow=PayingFlow.PURCHASE,
                flow_id=self.id,
            ),
        )
        return Owing(self.stage, handle, buyer)

    async def rest(self, *but: str) -> bool:
        return all([await is_suspended(self.stage, one) for one in self.devices if one not in but])


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
