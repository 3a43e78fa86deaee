"""Whose a device is, where plans are concerned: a plan is not bought for what belongs to another business."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_FOREIGN = text(
    """
    select device_key from subscription
    where device_key = any(:keys) and superseded_at is null and ends_at > now()
      and partner_code is distinct from :partner_code
    union
    select device_key from flow
    where device_key = any(:keys) and kind = 'activation' and ended_at is null
      and (dealer_id is not null or owner_id is not null)
      and dealer_id is distinct from :dealer_id and owner_id is distinct from :owner_id
    union
    select device_key from (
        select distinct on (device_key) device_key, dealer_id, owner_id from flow
        where device_key = any(:keys) and kind = 'activation' and outcome = 'completed'
        order by device_key, updated_at desc
    ) latest
    where (dealer_id is not null or owner_id is not null)
      and dealer_id is distinct from :dealer_id and owner_id is distinct from :owner_id
    """
)


async def foreign_among(
    session: AsyncSession,
    device_keys: list[str],
    *,
    partner_code: str | None,
    dealer_id: str | None,
    owner_id: str | None,
) -> frozenset[str]:
    """Those of the devices that another business pays a plan for, activates, or has activated last.

    A guest's activation is nobody's."""
    rows = await session.scalars(
        _FOREIGN,
        {
            "keys": device_keys,
            "partner_code": partner_code,
            "dealer_id": dealer_id,
            "owner_id": owner_id,
        },
    )
    return frozenset(rows)
