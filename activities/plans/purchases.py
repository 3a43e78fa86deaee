"""The effects of a purchase of plans: holding its devices, setting plans and receipts (decision 32)."""

from temporalio import activity

from activities.identity.rights import is_linked
from db.base import Sessions, one_statement, reading
from db.devices.ownership import facts_of_devices
from db.identity.people import find_user
from db.plans.plans import devices_of_purchase, subscribe
from db.plans.receipts import save_receipt, save_receipt_and_cart
from db.runs import device_reservations, intents
from domain.base import Frozen, Utc
from domain.devices.devices import (
    NotInServiceMode,
    Product,
    UnknownDevice,
)
from domain.devices.ownership import Ownership, is_paid_by_another, whose_device
from domain.plans.plans import LineProblem, Subscription, Term, may_still_buy_plans
from domain.plans.purchases import Buyer
from domain.plans.quote import (
    QuotedLine,
)
from domain.plans.receipts import Receipt
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused

FOR_GOOD = frozenset(
    {UnknownDevice.code, "sim_retired", "device_blocked", "region_refused", "plan_not_supported"}
)
"""Refusals by the device network that no other try changes."""


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
    def final(self) -> tuple[str, ...]:
        return (*self.provisioned, *self.given_up)


class BoughtFor(Frozen):
    """The devices that a purchase has given a plan."""

    device_keys: tuple[str, ...]


class StillTheirs(Frozen):
    """Devices of a purchase that was paid a while ago."""

    buyer: Buyer
    device_keys: tuple[str, ...]


class PurchaseActivities:
    def __init__(self, device_cloud: DeviceCloud, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions

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
            await self._save(request)
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
        await self._save(request)
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
        await self._save(request)
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
    async def save_receipt(self, receipt: Receipt) -> None:
        """Writes the receipt as it is by now. Idempotent by its uuid."""
        async with one_statement(self._sessions) as session:
            await save_receipt(session, receipt)

    @activity.defn(name="complete_purchase")
    async def complete(self, done: Completion) -> None:
        """Writes the last form of the receipt; the cart of its buyer waits for these devices no more. Idempotent."""
        async with self._sessions.begin() as session:
            await save_receipt_and_cart(session, done.receipt, done.person_id, done.final)

    @activity.defn(name="settle_purchase_devices")
    async def release_final(self, done: Completion) -> None:
        """While others of its devices wait: writes the receipt as it is by now; the cart waits for those that are final no more,
        and another purchase may have them. Idempotent."""
        async with self._sessions.begin() as session:
            await save_receipt_and_cart(session, done.receipt, done.person_id, done.final)
            await device_reservations.release(
                session, flow_id=done.receipt.uuid, device_keys=done.final
            )

    async def _save(self, request: ProvisionRequest) -> None:
        async with self._sessions.begin() as session:
            await subscribe(session, _subscription(request))
            await intents.complete_intent(session, request.key, {"done": True})


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
