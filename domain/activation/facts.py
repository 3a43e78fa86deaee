"""What an activation learns from its effects: before they run, when they worked and when they did not."""

from datetime import datetime
from typing import Any

from domain.activation.activation import (
    INSTALL_REFUSED,
    BoughtPlan,
    CheckFirmware,
    Effect,
    Facts,
    Fault,
    Finish,
    JoinPurchase,
    SendWelcome,
)
from domain.activation.configuring import (
    DeletePin,
    Hardwired,
    LinkInstaller,
    PatchTables,
    Replaced,
    Rewards,
    SavedTable,
    SetFeature,
    SetMode,
    SetPin,
    SetWires,
    SwapDevice,
)
from domain.devices.devices import Device
from domain.devices.keylocker import KeylockerMode, PinRow, PinSlot
from domain.devices.option_tables import GOES_ALONG
from domain.devices.toggles import Features


def begun(facts: Facts, effect: Effect | None) -> Facts:
    """An effect is about to run."""
    match effect:
        case CheckFirmware():
            return _with(facts, firmware=None, firmware_beside=False)
        case PatchTables():
            return _with(facts, requeries=0)
        case SetPin():
            row = PinRow(enabled=True, loading=True, duration=effect.duration)
            return _with_pin(facts, effect.slot, row)
        case DeletePin():
            return _with_pin(facts, PinSlot.SECONDARY, PinRow(loading=True))
        case SetFeature():
            return _with(facts, saving_feature=effect.feature)
        case JoinPurchase():
            known = facts.purchase
            if known is not None and known.purchase_id == effect.purchase_id:
                return facts
            return _with(facts, purchase=BoughtPlan(purchase_id=effect.purchase_id))
        case _:
            return facts


def succeeded(facts: Facts, effect: Effect | None, now: datetime) -> Facts:
    match effect:
        case CheckFirmware():
            return _with(facts, firmware_checked=True)
        case SendWelcome():
            return _with(facts, welcomed=effect.email)
        case Finish():
            return _with(facts, activated=effect.installs or facts.activated)
        case PatchTables():
            if not effect.changes:
                return facts
            saved = SavedTable(saved_at=now, changed=len(effect.changes))
            return _with(facts, tables={**facts.tables, effect.table: saved}, requeries=0)
        case SetMode():
            keylocker = facts.keylocker
            if keylocker is not None:
                keylocker = keylocker.model_copy(update={"mode": effect.mode.value})
            return _with(facts, keylocker_mode=effect.mode, keylocker=keylocker)
        case SetPin():
            row = PinRow(enabled=True, success=True, duration=effect.duration)
            return _with_pin(facts, effect.slot, row)
        case DeletePin():
            return _with_pin(facts, PinSlot.SECONDARY, PinRow(success=True))
        case SetFeature():
            features = {**(facts.features or {}), effect.feature: effect.enabled}
            return _with(facts, features=features, saving_feature=None)
        case JoinPurchase():
            bought = BoughtPlan(purchase_id=effect.purchase_id, state="confirmed", provisioned=True)
            return _with(facts, purchase=bought)
        case SetWires():
            return _with(facts, hardwired=Hardwired(output=effect.output, input=effect.input))
        case LinkInstaller():
            rewards = Rewards(
                installer_id=effect.installer_id,
                involved_installer_id=effect.involved_installer_id,
            )
            return _with(facts, rewards=rewards)
        case _:
            return facts


def failed(facts: Facts, effect: Effect | None, fault: Fault) -> Facts:
    """The enabled flag of a pin flips back (devices spec 4)."""
    match effect:
        case Finish() if fault.code == INSTALL_REFUSED:
            return _with(facts, activated=True)
        case SetPin():
            return _with_pin(facts, effect.slot, PinRow(enabled=effect.was_enabled, failed=True))
        case DeletePin():
            row = PinRow(enabled=effect.was_enabled, failed=True)
            return _with_pin(facts, PinSlot.SECONDARY, row)
        case SetFeature():
            return _with(facts, saving_feature=None)
        case _:
            return facts


def checked(
    facts: Facts, effect: Effect | None, device: Device, features: Features | None
) -> Facts:
    """The device's own report, after a check or a swap. What was typed stays; what it reports is taken."""
    keylocker = device.keylocker
    mode = KeylockerMode(keylocker.mode) if keylocker and keylocker.mode else None
    facts = _with(
        facts,
        vehicle=facts.vehicle or device.vehicle,
        keylocker=keylocker,
        keylocker_mode=mode,
        features=features,
    )
    if isinstance(effect, SwapDevice):
        replaced = Replaced(old_device_key=effect.device_key, new_device_key=effect.new_device_key)
        return _with(facts, replaced=replaced)
    return facts


def connected(facts: Facts) -> Facts:
    """The device has reported by itself; a replacement counts as verified then."""
    replaced = facts.replaced and facts.replaced.model_copy(update={"verified": True})
    return _with(facts, connection_verified=True, replaced=replaced)


def without_firmware(facts: Facts) -> Facts:
    """The firmware is of the device that was taken out."""
    return _with(facts, firmware=None, firmware_beside=False, firmware_checked=False)


def of_another_device(facts: Facts) -> Facts:
    """What the device that was taken out reported, was tested for and was told is its own. Vehicle, plan, reward and welcome
    are of the work, and the KeyLocker goes along with what was set in it."""
    goes_along = {name: saved for name, saved in facts.tables.items() if name in GOES_ALONG}
    return Facts(
        vehicle=facts.vehicle,
        welcomed=facts.welcomed,
        replaced=facts.replaced,
        pins=facts.pins,
        tables=goes_along,
        rewards=facts.rewards,
        purchase=facts.purchase,
    )


def after_reset(facts: Facts) -> Facts:
    """Steps, firmware, option tables and commands are cleared (devices spec 4); what need not be typed again stays, and
    what the device itself reported, what cannot be undone, and what goes on beside."""
    return Facts(
        firmware=facts.firmware if facts.firmware_beside else None,
        firmware_beside=facts.firmware_beside,
        vehicle=facts.vehicle,
        activated=facts.activated,
        replaced=facts.replaced,
        keylocker=facts.keylocker,
        keylocker_mode=facts.keylocker_mode,
        features=facts.features,
        rewards=facts.rewards,
        purchase=facts.purchase,
    )


def cannot_be_undone(facts: Facts) -> bool:
    """The device was activated, or took another's place, or somebody was rewarded for it."""
    return facts.activated or facts.replaced is not None or facts.rewards is not None


def _with(facts: Facts, **changes: Any) -> Facts:
    return facts.model_copy(update=changes)


def _with_pin(facts: Facts, slot: PinSlot, row: PinRow) -> Facts:
    return _with(facts, pins=facts.pins.model_copy(update={slot.value: row}))
