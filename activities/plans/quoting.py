"""What plans for devices would cost, and which of them cannot have theirs (decision 32)."""

import asyncio
from collections.abc import Mapping

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.plans.approvals import allowance_of_buyer
from db.base import Sessions, reading
from db.devices.lookups import count_wrong_lookups
from db.devices.ownership import facts_of_devices
from db.plans.plans import plans_for, present_subscriptions
from db.runs import device_reservations
from domain.base import Frozen, Utc
from domain.checkout.draft import PostalAddress
from domain.checkout.limits import Allowance
from domain.devices.devices import (
    Device,
    NotInServiceMode,
    UnknownDevice,
    parse_device_key,
)
from domain.devices.ownership import DeviceFacts, Ownership, is_paid_by_another, whose_device
from domain.errors import PortalError, Unavailable
from domain.plans.approvals import approval_above, over_limit
from domain.plans.plans import LineProblem, Plan, Subscription
from domain.plans.purchases import Buyer
from domain.plans.quote import (
    PlanLineRequest,
    Quote,
    QuotedLine,
    quote_of,
    quoted_line,
    refused_line,
)
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused

AT_ONCE = 8
"""Devices that are asked about at a time, for one purchase."""
TRIES = 3
"""After so many a device that nobody knows of is quoted as uncertain."""
QUOTE_SECONDS = 15.0
"""What the network has not told by then it has not told: a quote of many devices ends before its own time does, which is longer."""

_REFUSALS: Mapping[str, LineProblem] = {
    "device_blocked": LineProblem.DEVICE_BLOCKED,
    "region_refused": LineProblem.REGION_REFUSED,
}


class QuoteRequest(Frozen):
    """`at` is when the plans would begin."""

    purchase_id: str
    lines: tuple[PlanLineRequest, ...]
    address: PostalAddress
    buyer: Buyer
    at: Utc


class _Known(Frozen):
    """What the database knows of the devices of a purchase."""

    plans: dict[str, Plan]
    present: dict[str, Subscription]
    facts: dict[str, DeviceFacts]
    taken: frozenset[str]
    allowance: Allowance | None


class PlanQuoteActivities:
    def __init__(
        self,
        device_cloud: DeviceCloud,
        sessions: Sessions,
        *,
        quote_seconds: float = QUOTE_SECONDS,
    ) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions
        self._quote_seconds = quote_seconds

    @activity.defn(name="quote_plans")
    async def quote(self, request: QuoteRequest) -> Quote:
        """Works the figures out. Nothing is written but how many serial numbers were named in vain; those not twice."""
        keys = [line.device_key for line in request.lines]
        async with reading(self._sessions) as session:
            known = await _known(session, request, keys)
        limit = asyncio.Semaphore(AT_ONCE)
        ends = asyncio.get_running_loop().time() + self._quote_seconds

        async def one(line: PlanLineRequest) -> QuotedLine:
            try:
                async with asyncio.timeout_at(ends), limit:
                    return await self._line(request, line, known)
            except TimeoutError:
                _check_tried()
                return refused_line(line, None, LineProblem.UNCERTAIN)

        lines = await asyncio.gather(*(one(line) for line in request.lines))
        wrong = [line.device_key for line in lines if line.problem == LineProblem.UNKNOWN_DEVICE]
        if wrong:
            async with self._sessions.begin() as session:
                await count_wrong_lookups(session, request.buyer.person_id, wrong)
        quote = quote_of(lines, request.address, request.at)
        above = approval_above(known.allowance, quote.final_charge)
        over = over_limit(known.allowance, quote.final_charge)
        return quote.model_copy(
            update={"approval_above": above, "over_limit": over.code if over else None}
        )

    async def _line(
        self, request: QuoteRequest, line: PlanLineRequest, known: _Known
    ) -> QuotedLine:
        try:
            key = parse_device_key(line.device_key)
        except PortalError:
            return refused_line(line, None, LineProblem.UNKNOWN_DEVICE)
        device, problem = await self._judge(request.buyer, key, known)
        product = device.product_name if device else None
        if problem is not None or product is None:
            return refused_line(line, product, problem or LineProblem.UNCERTAIN)
        return quoted_line(
            line,
            product,
            known.plans.get(line.plan_id),
            known.present.get(key),
            request.address,
            request.at,
            known.plans.values(),
        )

    async def _judge(
        self, buyer: Buyer, key: str, known: _Known
    ) -> tuple[Device | None, LineProblem | None]:
        """The device, and what is wrong with it. A foreign one is not told apart from an absent one."""
        problem = None
        try:
            try:
                device = await self._device_cloud.purchasing_check(key, canadian=buyer.canadian)
            except NotInServiceMode:
                problem = LineProblem.SERVICE_MODE_REQUIRED
                device = await self._device_cloud.described(key)
            except Refused as refused:
                problem = _REFUSALS.get(refused.code, LineProblem.PLAN_REFUSED)
                device = await self._device_cloud.described(key)
        except UnknownDevice:
            return None, LineProblem.UNKNOWN_DEVICE
        except Unavailable:
            _check_tried()
            return None, LineProblem.UNCERTAIN
        facts = known.facts[key].with_network_owner(device.owner_dealer_id if device else None)
        is_foreign = whose_device(buyer.asker, facts) is Ownership.FOREIGN
        if is_foreign or is_paid_by_another(buyer.asker, facts):
            return None, LineProblem.UNKNOWN_DEVICE
        return device, problem or (LineProblem.IN_OTHER_PURCHASE if key in known.taken else None)


def _check_tried() -> None:
    """Raises Unavailable as long as the network is to be asked once more."""
    if activity.info().attempt < TRIES:
        raise Unavailable


async def _known(session: AsyncSession, request: QuoteRequest, keys: list[str]) -> _Known:
    buyer = request.buyer
    plans = await plans_for(session, buyer.channel, retired=True)
    return _Known(
        plans={plan.id: plan for plan in plans},
        present=await present_subscriptions(session, keys),
        facts=await facts_of_devices(session, keys),
        taken=await device_reservations.held_by_others(
            session, keys, "purchase", request.purchase_id
        ),
        allowance=await allowance_of_buyer(session, buyer, request.purchase_id, at=request.at),
    )
