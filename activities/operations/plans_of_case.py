"""Plans that were not paid: suspended at the device network, and restored once they are."""

import asyncio

from temporalio import activity

from db.base import Sessions, reading
from db.dealers.rewards import take_back_paid_back
from db.operations.cases import starts
from db.plans.plans import device_of_plan, mark_suspended, plans_of_purchase
from domain.base import Frozen
from domain.devices.devices import NotInServiceMode, UnknownDevice
from domain.operations.cases import BelongsTo
from domain.plans.plans import Subscription
from providers.device_network.device_cloud import DeviceCloud
from providers.device_network.line import SYSTEM
from providers.errors import Refused, Unavailable

AT_ONCE = 8
"""Plans that are suspended at a time, for one purchase."""
OTHER_PLAN = "other_plan"
MOST_LOOKS = 5
"""How often a plan is looked for that the network has on no device."""


class SuspendRequest(Frozen):
    case_id: str
    belongs_to: BelongsTo
    is_suspended: bool


class PlansOfCaseActivities:
    """The plans of a purchase, each on the device that has it by now."""

    def __init__(self, device_cloud: DeviceCloud, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions

    @activity.defn(name="suspend_for_case")
    async def suspend(self, request: SuspendRequest) -> tuple[str, ...] | None:
        """Suspends the plans of a purchase, or restores them, and names the devices of which the network refuses it. Another try
        asks for those alone that did not answer: they hold up no other. Our rows say what the network has done. What was earned
        with plans that nobody paid for is taken back, judged by when their money went. Idempotent. Raises Unavailable once all
        were asked."""
        if request.belongs_to.kind != "purchase":
            return None
        if request.is_suspended:
            async with self._sessions.begin() as session:
                start = await starts.find_start(session, request.case_id)
                assert start is not None
                await take_back_paid_back(session, request.belongs_to.id, start.opened_at)
        known, refused_before = activity.info().heartbeat_details or ((), ())
        done, refused = set[str](known), list[str](refused_before)
        async with reading(self._sessions) as session:
            plans = await plans_of_purchase(session, request.belongs_to.id)
        places = asyncio.Semaphore(AT_ONCE)

        async def one(plan: Subscription) -> Unavailable | None:
            async with places:
                try:
                    if not await self._suspend_one(request, plan):
                        refused.append(plan.device_key)
                    done.add(plan.id)
                except Unavailable as error:
                    return error
                finally:
                    activity.heartbeat(sorted(done), refused)
            return None

        for error in await asyncio.gather(*(one(plan) for plan in plans if plan.id not in done)):
            if error is not None:
                raise error
        return tuple(sorted(refused))

    async def _suspend_one(self, request: SuspendRequest, plan: Subscription) -> bool:
        """False where the network refuses it. A device that has another plan by now keeps it. Raises Unavailable."""
        device_key = plan.device_key
        while True:
            try:
                await self._device_cloud.suspend_plan(
                    device_key,
                    reference=plan.id,
                    key=f"{request.case_id}:{device_key}:{request.is_suspended}",
                    is_suspended=request.is_suspended,
                )
                async with self._sessions.begin() as session:
                    await mark_suspended(session, plan.id, is_suspended=request.is_suspended)
                return True
            except (Refused, UnknownDevice, NotInServiceMode) as refused:
                if refused.code != OTHER_PLAN:
                    return False
            now_on = await self._device_of(plan)
            if now_on is None:
                return True
            if now_on == device_key:
                return await self._has_another(device_key)
            device_key = now_on

    async def _device_of(self, plan: Subscription) -> str | None:
        async with reading(self._sessions) as session:
            return await device_of_plan(session, plan.id)

    async def _has_another(self, device_key: str) -> bool:
        """Whether its plan is truly another one. One without any is being swapped: we know in a moment which device has its plan.
        Raises Unavailable until then; False where nobody tells."""
        try:
            if (await self._device_cloud.plan(device_key)).reference is not None:
                return True
        except (Refused, UnknownDevice):
            return False
        if activity.info().attempt < MOST_LOOKS:
            raise Unavailable(system=SYSTEM, may_have_worked=False)
        return False
