"""Rewards as they stand in the books."""

import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import insert, select

from db.base import Sessions
from db.dealers.rewards import RewardRow
from domain.identity.people import User
from tests.drivers.stage import a_device_key


async def a_reward(sessions: Sessions, user: User, at: datetime, **changed: Any) -> str:
    """Earned alone, with a device of its own and no plan; the id of the run."""
    flow_id = uuid.uuid4().hex
    values = {
        "flow_id": flow_id,
        "installer_id": user.id,
        "dealer_id": user.dealer_id,
        "device_key": a_device_key(),
        "product_name": "ft-x1",
        "amount": Decimal(5),
        "shared_among": 1,
        "earned_at": at,
        **changed,
    }
    async with sessions.begin() as session:
        await session.execute(insert(RewardRow).values(**values))
    return flow_id


async def rewards_with(sessions: Sessions, device_key: str) -> list[tuple[str, str, Decimal]]:
    """Run, kind and amount of whatever was earned with this device, in the order of time."""
    async with sessions() as session:
        rows = await session.execute(
            select(RewardRow.flow_id, RewardRow.kind, RewardRow.amount)
            .where(RewardRow.device_key == device_key)
            .order_by(RewardRow.earned_at, RewardRow.kind)
        )
        return [(row.flow_id, row.kind, row.amount) for row in rows]
