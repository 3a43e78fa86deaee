"""What is done at a device: the types of an activation (devices spec 3)."""

from enum import StrEnum


class ActivationType(StrEnum):
    NEW_DEVICE = "new-device"
    REPLACE_DEVICE = "replace-device"
    SERVICE_DEVICE = "service-device"
    VERIZON_SIM = "verizon-sim"
    PURCHASE_SUBSCRIPTION = "purchase-subscription"
