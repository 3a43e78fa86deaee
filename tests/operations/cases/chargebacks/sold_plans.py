"""Plans that were bought together, as our rows and the device network have them, and what is owed for them."""

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from db.plans.plans import subscribe
from domain.billing.payments import PayingFlow
from domain.operations.cases import BelongsTo, CaseCause, CasePolicy
from domain.plans.plans import Subscription, Term
from tests.drivers.factories import an_owner
from tests.drivers.stage import Stage, a_device_key
from tests.operations.cases.stories import Owing, opened


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
