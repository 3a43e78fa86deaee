"""What a device answers to a command: the log that will come, and what has changed in it by then."""

import zlib
from typing import Any

from simulators.device_network.device import SimulatedDevice
from simulators.refusal import Refusal

TESTING = frozenset({"arm", "disarm", "panic_on", "panic_off", "remote_start", "remote_stop"})
AUXILIARY = frozenset({"trunk", "remote_aux1", "remote_aux2"})
CONFIGURATION = frozenset(
    {
        "direction_change",
        "ignition_on",
        "ignition_off",
        "accelerometer",
        "towing",
        "security",
        "engine_monitoring",
        "power_settings",
    }
)
QUERIES = frozenset({"location", "device_report", "dash_camera_query_settings"})
KEYLOCKER = frozenset(
    {"keylocker_mode_add_on", "keylocker_mode_standalone", "reset_keylocker_pairing"}
)
FIRMWARE = frozenset({"download_firmware", "update_firmware"})
PROGRESS = (25, 50, 75)
"""How far a firmware command is when a device that tells its progress says so, in percent."""


def supported(device: SimulatedDevice) -> frozenset[str]:
    dash_group = device.product_name.startswith("dr") and device.product_name != "dr6400"
    commands = QUERIES | FIRMWARE
    if dash_group or device.product_name == "ft-xc":
        commands |= CONFIGURATION
    if not dash_group:
        commands |= TESTING | AUXILIARY
    if device.product_name.startswith("ft-x1"):
        commands |= {"erase_device"}
    if device.keylocker is not None:
        commands |= KEYLOCKER
    return commands


def apply_at_once(device: SimulatedDevice, command: str) -> None:
    """What a keylocker command changes before its log comes."""
    if device.keylocker is None or command not in KEYLOCKER:
        return
    if command == "reset_keylocker_pairing":
        device.pairing_resets += 1
        return
    mode = command.removeprefix("keylocker_mode_").replace("_", "-")
    device.keylocker = {**device.keylocker, "mode": mode}


def command_log(device: SimulatedDevice, command: str, bit: int | None) -> dict[str, Any]:
    kinds = {"location": "location", "device_report": "report"}
    readings = {"location": _location, "device_report": report}
    reading = readings[command](device) if command in readings else {}
    if command == "dash_camera_query_settings":
        reading = {"resolution": "1080p", "loop_minutes": 3, "parking_mode": False}
    if command in KEYLOCKER:
        reading = {"keylocker": device.described()["keylocker"]}
    if bit is not None:
        reading = {**reading, "bit": bit}
    kind = kinds.get(command, "command")
    return {"type": kind, "command": command, "ok": True, "reading": reading}


def unasked_report(device: SimulatedDevice) -> dict[str, Any]:
    """What a device says of itself, for example when it comes back."""
    return {
        "type": "report",
        "command": None,
        "command_id": None,
        "ok": True,
        "reading": report(device),
    }


def firmware_log(
    device: SimulatedDevice, command: str, target: str | None, version: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The log that will confirm a firmware command, and what then has changed in the device."""
    if target is None or version is None or device.offered.get(target) != version:
        raise Refusal(409, "firmware_not_offered", "This firmware is not offered to the device.")
    if target not in device.firmware:
        raise Refusal(409, "firmware_not_offered", "The device has no such part.")
    reading = {"target": target, "version": version}
    if command == "download_firmware":
        ok = device.c42_failures <= 0
        device.c42_failures = max(0, device.c42_failures - 1)
        is_lost = ok and device.lost_downloads > 0
        device.lost_downloads -= is_lost
        effect = {"downloaded": {target: version}} if ok and not is_lost else {}
        return _firmware_result("C42", ok, reading, "checksum mismatch"), effect
    if device.downloaded.get(target) != version:
        raise Refusal(409, "firmware_not_downloaded", "This firmware is not downloaded yet.")
    ok = device.r42_failures <= 0 or device.failing_part not in (None, target)
    if not ok:
        device.r42_failures -= 1
    changes = ok and device.stuck_updates <= 0
    if ok:
        device.stuck_updates = max(0, device.stuck_updates - 1)
    return (
        _firmware_result("R42", ok, reading, "flash verification failed"),
        {"flashed": {target: version}} if changes else {},
    )


def firmware_progress(log: dict[str, Any], percent: int) -> dict[str, Any]:
    """What a device that tells its progress says on the way to `log`."""
    reading = {"target": log["reading"]["target"], "percent": percent}
    return {**log, "command": None, "ok": True, "reading": reading}


def _firmware_result(command: str, ok: bool, reading: dict[str, Any], error: str) -> dict[str, Any]:
    if not ok:
        reading = {**reading, "error": error}
    return {"type": "firmware", "command": command, "ok": ok, "reading": reading}


def _location(device: SimulatedDevice) -> dict[str, Any]:
    spread = _number_of(device) / 1_000_000
    return {
        "latitude": round(49.2 + spread, 6),
        "longitude": round(-122.9 - spread, 6),
        "speed": 0,
        "gps_status": "fixed",
        "gps_direction": "N",
        "gps_degree": 12,
    }


def _number_of(device: SimulatedDevice) -> int:
    """Five digits that tell devices apart, and nothing of their SIMs."""
    return zlib.crc32(device.device_key.encode()) % 100_000


def report(device: SimulatedDevice) -> dict[str, Any]:
    number = f"{_number_of(device):05d}"
    return {
        "cellular_signal_strength": device.signal_dbm,
        "carrier": "Rogers",
        "backup_battery_voltage": device.battery_volts,
        "controller": device.controller,
        "controller_model": device.controller_model,
        "imei": f"35693803{int(number) * 7 + 1_000_000}",
        "iccid": f"89302610104000{device.iccid_last_digits}",
        "ble_mac_address": f"C4:64:E3:{number[:2]}:{number[2:4]}:0{number[4]}",
        "firmware_version": device.firmware["main"],
        "ble_firmware_version": "3.2.1",
        "controller_version": None if device.controller is None else "4.08",
        "obd": {"connected": device.controller is not None, "trouble_codes": []},
        "keylocker": device.described()["keylocker"],
    }
