"""A device's log as people read it (devices spec 3): every entry with the same named readings, absent ones empty.

A reading is a third party's word: what has not the shape of its field is left out, never guessed.
"""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from domain.base import Frozen, Utc
from domain.devices.devices import DeviceLog, Keylocker


class LogEntry(Frozen):
    """One entry. `cellular_signal_strength` in dBm, `backup_battery_voltage` in volts, `gps_degree` and position in
    degrees; `command` is what the entry confirms, and `ok` its result."""

    id: str
    device_key: str
    type: str
    timestamp: Utc
    command: str | None = None
    command_id: str | None = None
    ok: bool = True
    latitude: float | None = None
    longitude: float | None = None
    cellular_signal_strength: float | None = None
    carrier: str | None = None
    speed: float | None = None
    gps_status: str | None = None
    gps_direction: str | None = None
    gps_degree: float | None = None
    backup_battery_voltage: float | None = None
    controller: str | None = None
    imei: str | None = None
    iccid: str | None = None
    ble_mac_address: str | None = None
    firmware_version: str | None = None
    ble_firmware_version: str | None = None
    controller_model: str | None = None
    controller_version: str | None = None
    obd: dict[str, Any] | None = None
    keylocker: Keylocker | None = None
    percent: int | None = None
    """How far a device says it is with a firmware download or update; not in the spec, our choice."""


_OWN = frozenset(DeviceLog.model_fields)
_READINGS: dict[str, TypeAdapter[Any]] = {
    name: TypeAdapter(field.annotation)
    for name, field in LogEntry.model_fields.items()
    if name not in _OWN and field.annotation is not None
}
_PROVING_DIGITS = 5
"""The ICCID's last digits prove possession of the device: a log does not tell them."""


def entry_of(log: DeviceLog) -> LogEntry:
    """The entry with its readings by name. The ICCID comes without its last five digits."""
    known = {name: _read(name, log.reading.get(name)) for name in _READINGS}
    if known["iccid"]:
        known["iccid"] = known["iccid"][:-_PROVING_DIGITS] + "•" * _PROVING_DIGITS
    return LogEntry(**log.model_dump(exclude={"reading"}), **known)


def _read(name: str, value: object) -> Any:
    try:
        return _READINGS[name].validate_python(value, strict=name != "keylocker")
    except ValidationError:
        return None
