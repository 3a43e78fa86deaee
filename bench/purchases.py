"""Purchases of plans beside a bare workflow with as many activities: one device each, quoted, charged and set up in one run.

What is prepared, untimed: the start that `api/plans/purchase_start.py` makes for a buyer. The ceiling is that of
`bench/placements.py`. A mock run is timed as a buyer waits for it: from the start of the run to its figures.
"""

import asyncio
import time
import uuid

from api.plans.purchase_start import begin, once_at_rest, pay_by_of, start_of
from bench.activation import a_device_key
from bench.confirmations import count_as_mailed
from bench.placements import PARTNER, Activities, Buyer, activities_in
from domain.plans.purchase_mails import RECEIPT
from domain.plans.purchases import PurchaseStart
from domain.plans.quote import PlanLineRequest
from workflows import ids

PLAN = "premium_prepaid-1_year"


class PlanBuyer:
    """Buys plans by the saved card of the business."""

    def __init__(self, buyer: Buyer) -> None:
        self.portal, self.actor = buyer.portal, buyer.actor

    async def wanted(self, count: int) -> list[PurchaseStart]:
        """So many purchases of one device each, paid at once."""
        async with self.portal.sessions() as session:
            pay_by = await pay_by_of(session, PARTNER, None, cards=True)
        starts = [await self._start(1) for _ in range(count)]
        return [start.model_copy(update={"pay_by": pay_by}) for start in starts]

    async def unmailed(self, count: int) -> list[PurchaseStart]:
        """As `wanted`, and nobody is mailed a receipt."""
        starts = await self.wanted(count)
        keys = [f"{start.id}-{RECEIPT}" for start in starts]
        await count_as_mailed(self.portal.sessions, self.actor.person.email, keys)
        return starts

    async def buy(self, starts: list[PurchaseStart], at_once: int) -> None:
        """All of them, to their ends. Raises ValueError for one that was not confirmed."""
        places = asyncio.Semaphore(at_once)

        async def one(start: PurchaseStart) -> None:
            async with places:
                await begin(self.portal, self.actor, start)
                reply = await self._handle(start).result()
            if reply["state"] != "confirmed":
                raise ValueError(f"a purchase ended as {reply['state']}")

        await asyncio.gather(*map(one, starts))

    async def mock(self, devices: int) -> float:
        """Seconds until a mock run of so many devices has its figures."""
        start = await self._start(devices)
        begun = time.perf_counter()
        await begin(self.portal, self.actor, start)
        if await once_at_rest(self.portal, start.id) is None:
            raise ValueError("a mock run took longer than a call may")
        return time.perf_counter() - begun

    async def activities_of(self, start: PurchaseStart) -> Activities:
        return activities_in(await self._handle(start).fetch_history())

    def _handle(self, start: PurchaseStart):
        return self.portal.temporal.get_workflow_handle(ids.purchase_id(start.id))

    async def _start(self, devices: int) -> PurchaseStart:
        lines = tuple(
            PlanLineRequest(device_key=a_device_key(), plan_id=PLAN) for _ in range(devices)
        )
        async with self.portal.sessions() as session:
            return await start_of(self.portal, session, self.actor, uuid.uuid4().hex, lines, None)
