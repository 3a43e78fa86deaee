"""The effects of a purchase of plans: quoting, holding its devices, setting plans and receipts (decision 32)."""

import asyncio
from collections.abc import Mapping

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.identity.rights import is_linked
from activities.plans.approvals import allowance_of_buyer
from db.base import Sessions, one_statement, reading
from db.devices.lookups import count_wrong_lookups
from db.devices.ownership import facts_of_devices
from db.identity.people import find_user
from db.plans.plans import devices_of_purchase, plans_for, present_subscriptions, subscribe
from db.plans.receipts import keep_receipt, keep_settled
from db.runs import device_reservations, intents
from domain.base import Frozen, Utc
from domain.checkout.draft import PostalAddress
from domain.checkout.limits import Allowance
from domain.devices.devices import (
    Device,
    NotInServiceMode,
    Product,
    UnknownDevice,
    parse_device_key,
)
from domain.devices.ownership import DeviceFacts, Ownership, is_paid_by_another, whose_device
from domain.errors import PortalError, Unavailable
from domain.plans.approvals import approval_above, over_limit
from domain.plans.plans import LineProblem, Plan, Subscription, Term, may_still_buy_plans
from domain.plans.purchases import Buyer
from domain.plans.quote import (
    PlanLineRequest,
    Quote,
    QuotedLine,
    quote_of,
    quoted_line,
    refused_line,
)
from domain.plans.receipts import Receipt
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

FOR_GOOD = frozenset(
    {UnknownDevice.code, "sim_retired", "device_blocked", "region_refused", "plan_not_supported"}
)
"""Refusals by the device network that no other try changes."""


class QuoteRequest(Frozen):
    """`at` is when the plans would begin."""

    purchase_id: str
    lines: tuple[PlanLineRequest, ...]
    address: PostalAddress
    buyer: Buyer
    at: Utc


class HoldDevices(Frozen):
    purchase_id: str
    workflow_id: str
    device_keys: tuple[str, ...]


class ProvisionRequest(Frozen):
    """A line that is paid for; `at` is when its time begins."""

    purchase_id: str
    line: QuotedLine
    buyer: Buyer
    at: Utc

    @property
    def key(self) -> str:
        """One plan of one purchase for one device, however often it is tried."""
        return f"{self.purchase_id}:{self.line.device_key}"


class Provisioned(Frozen):
    """What became of a device. `problem` and `detail` say why it has no plan; `is_final` that it never will have it."""

    device_key: str
    problem: str | None = None
    detail: str | None = None
    is_final: bool = False


class Completion(Frozen):
    """The receipt, and the devices whose lines leave the cart."""

    receipt: Receipt
    person_id: str
    provisioned: tuple[str, ...]
    given_up: tuple[str, ...] = ()

    @property
    def settled(self) -> tuple[str, ...]:
        return (*self.provisioned, *self.given_up)


class BoughtFor(Frozen):
    """The devices that a purchase has given a plan."""

    device_keys: tuple[str, ...]


class StillTheirs(Frozen):
    """Devices of a purchase that was paid a while ago."""

    buyer: Buyer
    device_keys: tuple[str, ...]


class _Known(Frozen):
    """What the database knows of the devices of a purchase."""

    plans: dict[str, Plan]
    present: dict[str, Subscription]
    facts: dict[str, DeviceFacts]
    taken: frozenset[str]
    allowance: Allowance | None


class PurchaseActivities:
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

    @activity.defn(name="may_still_buy_plans")
    async def may_buy(self, buyer: Buyer) -> bool:
        """Reads rights, retirement and the link to the business again (promise 38). Read only."""
        async with reading(self._sessions) as session:
            person = await find_user(session, buyer.person_id)
            linked = person is not None and await is_linked(session, person, buyer.partner_code)
        return may_still_buy_plans(person, is_linked=linked)

    @activity.defn(name="hold_purchase_devices")
    async def hold(self, request: HoldDevices) -> None:
        """Takes what is free of the devices. What another purchase holds is found when the figures are worked out again.

        Idempotent by the purchase's id.
        """
        async with self._sessions.begin() as session:
            for key in sorted(request.device_keys):
                await device_reservations.reserve(
                    session,
                    device_key=key,
                    kind="purchase",
                    flow_id=request.purchase_id,
                    workflow_id=request.workflow_id,
                )

    @activity.defn(name="release_purchase_devices")
    async def release(self, purchase_id: str) -> None:
        """Gives the devices of a purchase up. Idempotent."""
        async with one_statement(self._sessions) as session:
            await device_reservations.release(session, flow_id=purchase_id)

    @activity.defn(name="provision_plan")
    async def provision(self, request: ProvisionRequest) -> Provisioned:
        """Sets a device's plan at the network and keeps its subscription. A refusal is an answer; it may be tried again.

        Idempotent by purchase and device.
        """
        line = request.line
        async with one_statement(self._sessions) as session:
            known = await intents.begin_intent(
                session, key=request.key, flow_id=request.purchase_id, kind="provision"
            )
        if known is not None:
            await self._keep(request)
            return Provisioned(device_key=line.device_key)
        assert line.ends_at is not None
        try:
            await self._device_cloud.set_plan(
                line.device_key, line.plan_id, line.ends_at, reference=request.key, key=request.key
            )
        except (Refused, UnknownDevice, NotInServiceMode) as refused:
            await self._refused(request)
            return Provisioned(
                device_key=line.device_key,
                problem=LineProblem.PLAN_REFUSED,
                detail=refused.detail,
                is_final=refused.code in FOR_GOOD,
            )
        await self._keep(request)
        return Provisioned(device_key=line.device_key)

    @activity.defn(name="look_up_plan")
    async def look_up(self, request: ProvisionRequest) -> Provisioned:
        """Whether a device has got its plan after all, when the network had not answered. Idempotent."""
        line = request.line
        try:
            held = await self._device_cloud.plan(line.device_key)
        except (Refused, UnknownDevice) as refused:
            await self._refused(request)
            return Provisioned(
                device_key=line.device_key,
                problem=LineProblem.PLAN_REFUSED,
                detail=refused.detail,
            )
        if held.reference != request.key:
            await self._refused(request)
            return Provisioned(device_key=line.device_key, problem=LineProblem.PLAN_REFUSED)
        await self._keep(request)
        return Provisioned(device_key=line.device_key)

    async def _refused(self, request: ProvisionRequest) -> None:
        """The device has no plan by this purchase; nobody waits for an outcome of it."""
        async with one_statement(self._sessions) as session:
            await intents.refuse_intents(session, [request.key])

    @activity.defn(name="still_theirs")
    async def still_theirs(self, asked: StillTheirs) -> BoughtFor:
        """Which of the devices are nobody else's by now, as far as we know without the network. Read only."""
        asker = asked.buyer.asker
        async with reading(self._sessions) as session:
            facts = await facts_of_devices(session, list(asked.device_keys))
        keys = tuple(
            key
            for key in asked.device_keys
            if whose_device(asker, facts[key]) is not Ownership.FOREIGN
            and not is_paid_by_another(asker, facts[key])
        )
        return BoughtFor(device_keys=keys)

    @activity.defn(name="bought_for")
    async def bought_for(self, purchase_id: str) -> BoughtFor:
        """What came of a purchase, by the subscriptions that it brought. Read only."""
        async with reading(self._sessions) as session:
            keys = await devices_of_purchase(session, purchase_id)
        return BoughtFor(device_keys=keys)

    @activity.defn(name="keep_receipt")
    async def keep_receipt(self, receipt: Receipt) -> None:
        """Writes the receipt as it is by now. Idempotent by its uuid."""
        async with one_statement(self._sessions) as session:
            await keep_receipt(session, receipt)

    @activity.defn(name="complete_purchase")
    async def complete(self, done: Completion) -> None:
        """Writes the last form of the receipt; the cart of its buyer waits for these devices no more. Idempotent."""
        async with self._sessions.begin() as session:
            await keep_settled(session, done.receipt, done.person_id, done.settled)

    @activity.defn(name="settle_purchase_devices")
    async def settle(self, done: Completion) -> None:
        """While others of its devices wait: writes the receipt as it is by now; the cart waits for those that are settled no more,
        and another purchase may have them. Idempotent."""
        async with self._sessions.begin() as session:
            await keep_settled(session, done.receipt, done.person_id, done.settled)
            await device_reservations.release(
                session, flow_id=done.receipt.uuid, device_keys=done.settled
            )

    async def _keep(self, request: ProvisionRequest) -> None:
        async with self._sessions.begin() as session:
            await subscribe(session, _subscription(request))
            await intents.settle_intent(session, request.key, {"done": True})

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
        facts = known.facts[key].told_by_network(device.owner_dealer_id if device else None)
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


def _subscription(request: ProvisionRequest) -> Subscription:
    line, buyer = request.line, request.buyer
    _, _, term = line.plan_id.rpartition("-")
    assert line.ends_at is not None
    return Subscription(
        id=request.key,
        device_key=line.device_key,
        product_name=Product(line.product_name).value,
        plan_id=line.plan_id,
        plan_slug=line.plan_slug,
        plan_name=line.new_plan_name,
        rank=line.rank,
        term=Term(term),
        starts_at=request.at,
        ends_at=line.ends_at,
        worth=line.worth,
        partner_code=buyer.partner_code,
        dealer_id=buyer.dealer_id,
        owner_id=buyer.person_id,
        purchase_id=request.purchase_id,
    )
