"""Changes of devices that were begun and that nobody has recorded: what came of them is found out, or said not to be known."""

from datetime import timedelta
from typing import Any

from db.base import Sessions, reading
from db.dealers.swaps import save_swap
from db.devices.changes import changes_left, end_change
from db.operations.audit import Outcome, record
from db.operations.repairs import RECONCILER
from domain.devices.changes import LEFT_AFTER, BegunChange, has_taken_place
from domain.devices.devices import Device, UnknownDevice
from domain.errors import Unavailable
from domain.operations.operations import Repair
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused

AT_MOST = 50
"""Of one round."""


class LostChanges:
    """Nothing is asked for again here: a car may move."""

    def __init__(
        self, device_cloud: DeviceCloud, sessions: Sessions, after: timedelta = LEFT_AFTER
    ) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions
        self._after = after

    async def complete(self) -> int:
        """Answers how many. A swap waits until the network says how both devices stand. Idempotent."""
        async with reading(self._sessions) as session:
            left = await changes_left(session, after=self._after, limit=AT_MOST)
        return sum([await self._complete(change) for change in left])

    async def _complete(self, change: BegunChange) -> bool:
        new = change.takes_its_place
        if new is None:
            return await self._record(change, Outcome.ACCEPTED, {"came_of_it": "unknown"})
        try:
            now = await self._device_cloud.device(new)
            swapped = has_taken_place(await self._device_cloud.device(change.device_key), now)
        except Unavailable:
            return False
        except (Refused, UnknownDevice) as error:
            facts = {"came_of_it": "unknown", "code": error.code}
            return await self._record(change, Outcome.ACCEPTED, facts)
        if not swapped:
            return await self._record(change, Outcome.REFUSED, {"code": Unavailable.code})
        return await self._record(change, Outcome.DONE, {}, in_its_place=now)

    async def _record(
        self,
        change: BegunChange,
        outcome: Outcome,
        facts: dict[str, Any],
        *,
        in_its_place: Device | None = None,
    ) -> bool:
        """In the name of whoever asked for it. False where they know of it meanwhile."""
        on = ("device", change.device_key)
        async with self._sessions.begin() as session:
            if not await end_change(session, change.key):
                return False
            if in_its_place is not None:
                product = in_its_place.product_name
                await save_swap(session, change.device_key, in_its_place.device_key, product)
            await record(
                session,
                change.action,
                actor=change.actor,
                outcome=outcome,
                acting_for=change.acting_for,
                partner_code=change.partner_code,
                on=on,
                request_id=change.request_id,
                more={**change.more, **facts},
            )
            found = {"effect": change.action, "found": outcome}
            await record(session, Repair.INTENT, actor=RECONCILER, on=on, more=found)
        return True
