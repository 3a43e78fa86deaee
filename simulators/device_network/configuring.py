"""How a device is configured: option tables, toggles, pins, hardwiring, the keylocker's mode, linked installers.

Like `network.py` every function runs inside one transaction of the state file and never awaits. A pin is kept as a
salted hash alone.
"""

import hashlib
import hmac
import os
from collections.abc import Mapping
from typing import Any

from simulators.device_network.device import CONTROLLERS, SimulatedDevice
from simulators.device_network.network import DeviceNetwork
from simulators.device_network.option_tables import (
    Section,
    controller_table,
    keylocker_table,
    poc_pic_table,
)
from simulators.refusal import Refusal

WITH_TABLES = frozenset(CONTROLLERS) - {"CM6000"}

BITS = {
    "siren_enabled": 2,
    "shock_sensor_enabled": 4,
    "turbo_timer_start_enabled": 8,
    "passive_arming_enabled": 16,
    "drive_lock_enabled": 128,
}
"""Toggles that travel as bits of `toggles`."""

NAMED = ("valet_mode_enabled", "timer_start_enabled", "auto_door_lock_enabled")
"""Toggles that travel by name."""

_TOGGLE_DEFAULTS = {"siren_enabled", "passive_arming_enabled", "auto_door_lock_enabled"}
_OUTPUTS = frozenset({"None", "Starter Kill", "Unlock", "Trunk", "Panic"})
_INPUTS = frozenset({"None", "Low", "High", "High/Low"})
_SPECIAL = (
    "Special row custom values cannot be updated while skipping queries. "
    "Please query the device and try again."
)


class Tables:
    """Which table is meant, as the query of a call says it."""

    def __init__(self, *, keylocker: bool, show_1_2: bool, show_3_4: bool) -> None:
        self.keylocker = keylocker
        self.show_1_2 = show_1_2
        self.show_3_4 = show_3_4

    def of(self, device: SimulatedDevice) -> tuple[str, list[Section]]:
        """The name under which values are kept, and the schema. Refused when the device has no such table."""
        if self.keylocker:
            mode = _keylocker(device)["mode"]
            if self.show_1_2 or self.show_3_4:
                return "poc-pic", poc_pic_table(self.show_1_2, self.show_3_4)
            return f"keylocker-{mode}", keylocker_table(mode)
        if device.controller not in WITH_TABLES:
            raise Refusal(409, "no_option_tables", "This controller has no option tables.")
        return "controller", controller_table(device.controller)


def read_tables(
    network: DeviceNetwork, device_key: str, tables: Tables, *, schema: bool, special: bool = False
) -> dict[str, Any]:
    """The present values, with the schema when asked for; `special` leaves the special rows alone."""
    device = network.known_device(device_key)
    name, sections = tables.of(device)
    if special:
        sections = _special_alone(sections)
    return {
        "controller": device.controller,
        "sections": sections if schema else [],
        "values": _values(device, name, sections),
    }


def write_tables(
    network: DeviceNetwork,
    device_key: str,
    tables: Tables,
    changes: Mapping[str, int],
    *,
    skip_query: bool,
) -> dict[str, Any]:
    """Change values. Without `skip_query` the device itself is asked, so it has to be there."""
    device = network.known_device(device_key)
    name, sections = tables.of(device)
    options = {option["key"]: option for section in sections for option in section["options"]}
    for key, value in changes.items():
        _check(options.get(key), value)
    touches_special = any(options[key]["special"] for key in changes)
    if device.special_refusals > 0:
        raise Refusal(409, "bad_request", _SPECIAL, counts_down="special_refusals")
    if skip_query and touches_special:
        raise Refusal(409, "bad_request", _SPECIAL)
    device.reach(asked=not skip_query)
    device.options = device.options | {name: device.options.get(name, {}) | dict(changes)}
    network.save(device)
    return {"values": _values(device, name, sections)}


def write_special(
    network: DeviceNetwork, device_key: str, changes: Mapping[str, int]
) -> dict[str, Any]:
    """Change special rows alone; the device is always asked."""
    device = network.known_device(device_key)
    sections = _special_alone(_CONTROLLER.of(device)[1])
    special = {option["key"] for section in sections for option in section["options"]}
    for key in changes:
        if key not in special:
            raise Refusal(422, "option_invalid", f"The option {key} is no special one.")
    return write_tables(network, device_key, _CONTROLLER, changes, skip_query=False)


def read_features(
    network: DeviceNetwork, device_key: str, iccid: str | None, *, query_device: bool
) -> dict[str, Any]:
    """Toggles as they are kept, or as the device itself answers when it is asked."""
    device = network.known_device(device_key, iccid)
    if query_device:
        device.reach()
    on = toggles_of(device)
    return {
        "supported": sum(bit for name, bit in BITS.items() if name in on),
        "toggles": sum(bit for name, bit in BITS.items() if on.get(name)),
        **{name: on[name] for name in NAMED if name in on},
    }


def write_features(
    network: DeviceNetwork,
    device_key: str,
    iccid: str | None,
    *,
    mask: int,
    toggles: int,
    named: Mapping[str, bool],
) -> dict[str, Any]:
    """Set the toggles whose bits stand in `mask` to those in `toggles`, and those that are named."""
    device = network.known_device(device_key, iccid)
    changes = {name: bool(toggles & bit) for name, bit in BITS.items() if mask & bit}
    changes |= named
    present = toggles_of(device)
    if not changes or mask & ~sum(BITS.values()) or not changes.keys() <= present.keys():
        raise Refusal(422, "feature_not_supported", "The device does not have this feature.")
    if device.refuse_features:
        raise Refusal(409, "feature_refused", "The device refused the change.")
    device.reach()
    device.features = device.features | changes
    network.save(device)
    return read_features(network, device_key, iccid, query_device=False)


def toggles_of(device: SimulatedDevice) -> dict[str, bool]:
    """Every toggle that the product has: all eight on the X1 family, all but two on the X2; none elsewhere."""
    names = [*BITS, *NAMED]
    if device.product_name.startswith("ft-x2"):
        names = [n for n in names if n not in ("drive_lock_enabled", "turbo_timer_start_enabled")]
    elif not device.product_name.startswith("ft-x1"):
        names = []
    return {name: device.features.get(name, name in _TOGGLE_DEFAULTS) for name in names}


def set_pin(
    network: DeviceNetwork,
    device_key: str,
    pin: str,
    *,
    is_secondary_pin: bool,
    duration: int | None,
) -> dict[str, Any]:
    """Keep a pin, as a salted hash."""
    device = network.known_device(device_key)
    _keylocker(device)
    if device.refuse_pins or (is_secondary_pin and device.refuse_secondary_pin):
        raise Refusal(409, "pin_refused", "The KeyLocker did not take the pin.")
    device.reach()
    slot = "secondary" if is_secondary_pin else "master"
    other = device.pins.get("master" if is_secondary_pin else "secondary")
    if other is not None and _is_pin(pin, other["hash"]):
        raise Refusal(409, "pin_in_use", "The two pins must differ.")
    device.pins = device.pins | {slot: {"hash": _hash(pin), "duration": duration}}
    network.save(device)
    return {"is_secondary_pin": is_secondary_pin, "duration": duration}


def delete_pin(network: DeviceNetwork, device_key: str, master_pin: str) -> dict[str, Any]:
    """Forget the secondary pin; the master pin opens it."""
    device = network.known_device(device_key)
    _keylocker(device)
    if "secondary" not in device.pins:
        raise Refusal(409, "no_such_pin", "There is no secondary pin.")
    master = device.pins.get("master")
    if master is None or not _is_pin(master_pin, master["hash"]):
        raise Refusal(409, "wrong_master_pin", "The master pin is not right.")
    device.reach()
    device.pins = {slot: kept for slot, kept in device.pins.items() if slot != "secondary"}
    network.save(device)
    return {"is_secondary_pin": True}


def hardwire(
    network: DeviceNetwork, device_key: str, iccid: str | None, output: str, input_: str
) -> dict[str, Any]:
    device = network.known_device(device_key, iccid)
    if device.product_name != "ft-x1max":
        raise Refusal(422, "hardwire_not_supported", "The device has no hardwired mode.")
    if output not in _OUTPUTS or input_ not in _INPUTS:
        raise Refusal(422, "hardwire_invalid", "There is no such input or output.")
    if device.refuse_hardwire:
        raise Refusal(409, "hardwire_refused", "The device refused the hardwired mode.")
    device.reach()
    device.hardwired = {"hardwired_output": output, "hardwired_input": input_}
    network.save(device)
    return device.hardwired


def link_installer(
    network: DeviceNetwork, device_key: str, installer_id: str, involved: str | None
) -> dict[str, Any]:
    device = network.known_device(device_key)
    if device.refuse_link:
        raise Refusal(409, "installer_not_linked", "The installer cannot be linked.")
    device.installers = {"installer_id": installer_id, "involved_installer_id": involved}
    network.save(device)
    return device.installers


_CONTROLLER = Tables(keylocker=False, show_1_2=False, show_3_4=False)


def _special_alone(sections: list[Section]) -> list[Section]:
    kept = [{**s, "options": [o for o in s["options"] if o["special"]]} for s in sections]
    return [section for section in kept if section["options"]]


def _values(device: SimulatedDevice, name: str, sections: list[Section]) -> dict[str, int]:
    defaults: dict[str, int] = {o["key"]: o["default"] for s in sections for o in s["options"]}
    changed = device.options.get(name, {})
    return {key: changed.get(key, value) for key, value in defaults.items()}


def _check(option: dict[str, Any] | None, value: int) -> None:
    if option is None:
        raise Refusal(422, "option_invalid", "There is no such option.")
    if option["type"] == "choice":
        fits = value in [choice["value"] for choice in option["choices"]]
    else:
        fits = option["minimum"] <= value <= option["maximum"]
    if not fits:
        raise Refusal(422, "option_invalid", f"The option {option['key']} does not take this.")


def _keylocker(device: SimulatedDevice) -> dict[str, Any]:
    if device.keylocker is None:
        raise Refusal(409, "no_keylocker", "The device has no KeyLocker.")
    return device.keylocker


def _hash(pin: str, salt: bytes | None = None) -> str:
    salt = salt or os.urandom(16)
    digest = hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, 20_000)
    return f"{salt.hex()}:{digest.hex()}"


def _is_pin(pin: str, stored: str) -> bool:
    salt, _, _ = stored.partition(":")
    return hmac.compare_digest(_hash(pin, bytes.fromhex(salt)), stored)
