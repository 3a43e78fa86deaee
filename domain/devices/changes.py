"""Changes of devices beside their activations, of which nobody has recorded the outcome yet (decision 19)."""

from datetime import timedelta
from typing import Any

from domain.base import Frozen
from domain.devices.devices import Device, DeviceState

SWAPPED = "swapped a device"
GAVE_UP = "gave a device up"
NEW_DEVICE = "new_device_key"
"""Where the record of a swap names the device that took the place."""
LEFT_AFTER = timedelta(minutes=1)
"""No call takes so long: whoever began the change has died, or got no answer of the network."""


class BegunChange(Frozen):
    """`action` and `more` as the record says them, by whom and for whom."""

    key: str
    device_key: str
    action: str
    actor: str
    acting_for: str | None
    partner_code: str | None
    request_id: str | None
    more: dict[str, Any]

    @property
    def takes_its_place(self) -> str | None:
        """The device that a swap was to put in the place of this one."""
        return self.more.get(NEW_DEVICE) if self.action == SWAPPED else None


def has_taken_place(old: Device, new: Device) -> bool:
    """Whether the one has taken the other's place, by what the network says of both: the old one is paused for good, and the
    new one is not new any more (devices spec 4)."""
    is_replaced = old.device_state is DeviceState.PAUSED and not old.service_mode
    return is_replaced and new.device_state is not DeviceState.NEW
