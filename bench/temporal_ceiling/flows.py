"""The smallest workflows of each shape that the portal has: no business logic, one small payload.

`CEILING_MODEL=pydantic` makes the payload a pydantic model, for the converter that the portal uses; otherwise it is a
dataclass and the SDK's own converter.
"""

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from temporalio import activity, workflow

NOTE = "0123456789" * 10
UPDATES = 15
"""Updates of one wizard, as many as an activation has steps."""

if not TYPE_CHECKING and os.environ.get("CEILING_MODEL") == "pydantic":
    from pydantic.dataclasses import dataclass
else:
    from dataclasses import dataclass


@dataclass
class Order:
    id: str
    email: str = "installer@people.example"
    sku: str = "GW-1000"
    quantity: int = 2
    total_cents: int = 129900
    note: str = NOTE


LIMIT = timedelta(seconds=60)


@activity.defn
async def step(order: Order) -> Order:
    return order


async def normal(order: Order) -> Order:
    return await workflow.execute_activity(step, order, start_to_close_timeout=LIMIT)


async def local(order: Order) -> Order:
    return await workflow.execute_local_activity(step, order, start_to_close_timeout=LIMIT)


@workflow.defn
class One:
    """Scenario a."""

    @workflow.run
    async def run(self, order: Order) -> Order:
        return await normal(order)


@workflow.defn
class Four:
    """Scenario b: four activities in sequence, as a checkout has."""

    @workflow.run
    async def run(self, order: Order) -> Order:
        for _ in range(4):
            order = await normal(order)
        return order


@workflow.defn
class FourLocal:
    """Scenario b-local."""

    @workflow.run
    async def run(self, order: Order) -> Order:
        for _ in range(4):
            order = await local(order)
        return order


@workflow.defn
class AsMany:
    """Scenario b-alike: as many activities of both kinds as another run has, in sequence."""

    @workflow.run
    async def run(self, order: Order, normal_ones: int, local_ones: int) -> Order:
        for _ in range(normal_ones):
            order = await normal(order)
        for _ in range(local_ones):
            order = await local(order)
        return order


class _Counting:
    def __init__(self) -> None:
        self.seen = 0

    async def all_seen(self) -> int:
        await workflow.wait_condition(
            lambda: self.seen >= UPDATES and workflow.all_handlers_finished()
        )
        return self.seen


@workflow.defn
class Wizard(_Counting):
    """Scenario c: updates that each run one activity, as an activation does."""

    @workflow.run
    async def run(self, order: Order) -> int:
        return await self.all_seen()

    @workflow.update
    async def advance(self, order: Order) -> Order:
        done = await normal(order)
        self.seen += 1
        return done


@workflow.defn
class WizardLocal(_Counting):
    """Scenario c-local."""

    @workflow.run
    async def run(self, order: Order) -> int:
        return await self.all_seen()

    @workflow.update
    async def advance(self, order: Order) -> Order:
        done = await local(order)
        self.seen += 1
        return done


@workflow.defn
class WizardBare(_Counting):
    """Scenario c-bare: updates that change state only, the floor of an update's round trip."""

    @workflow.run
    async def run(self, order: Order) -> int:
        return await self.all_seen()

    @workflow.update
    async def advance(self, order: Order) -> Order:
        self.seen += 1
        return order


SCENARIOS = {
    "a": One,
    "b": Four,
    "b-local": FourLocal,
    "b-alike": AsMany,
    "c": Wizard,
    "c-local": WizardLocal,
    "c-bare": WizardBare,
}
