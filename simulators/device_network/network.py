"""The device network's rules: what each operation does to a device, and which logs follow it.

Every method runs inside one transaction of the state file and never awaits, so an effect, its
ledger line, its remembered answer and its coming logs are kept together or not at all.
"""

import random
import secrets
import sqlite3
import time
from typing import Any, cast

import orjson
from pydantic import BaseModel

from simulators.device_network.commands import (
    FIRMWARE,
    PROGRESS,
    apply_at_once,
    command_log,
    firmware_log,
    firmware_progress,
    supported,
    unasked_report,
)
from simulators.device_network.device import SimulatedDevice, device_from_digits
from simulators.refusal import Refusal
from simulators.state import State


class Knobs(BaseModel):
    """What holds for the whole network; changed by a control call, kept over a restart. Seconds."""

    latency: float = 0.0
    answer_min: float = 0.3
    answer_max: float = 1.5
    slow_seconds: float = 4.0
    offline_seconds: float = 15.0
    lost_reply_seconds: float = 1.0
    outage: bool = False
    webhook: bool = True


class DeviceNetwork:
    """All devices and their logs."""

    def __init__(self, state: State, knobs: Knobs) -> None:
        self.state = state
        self._defaults = knobs

    def knobs(self) -> Knobs:
        with self.state.transaction() as db:
            rows = db.execute("select name, value from knob").fetchall()
        return self._defaults.model_copy(update={r["name"]: orjson.loads(r["value"]) for r in rows})

    def turn(self, changes: dict[str, Any]) -> Knobs:
        """Change knobs by name; the others stay."""
        with self.state.transaction() as db:
            for name, value in changes.items():
                db.execute("insert or replace into knob values (?, ?)", (name, orjson.dumps(value)))
        return self.knobs()

    def device(self, device_key: str) -> SimulatedDevice | None:
        """The device as it is now, with everything applied that is due; None if there is none."""
        self.advance()
        with self.state.transaction() as db:
            return _load(db, device_key)

    def known_device(
        self, device_key: str, iccid_last_digits: str | None = None
    ) -> SimulatedDevice:
        """The device, or the refusal that an unknown, blocked or mistaken one gets."""
        device = self.device(device_key)
        if device is None or device.unknown:
            raise _unknown()
        if iccid_last_digits is not None and iccid_last_digits != device.iccid_last_digits:
            raise _unknown()
        if device.blocked:
            raise Refusal(403, "device_blocked", "This device is blocked.")
        return device

    def save(self, device: SimulatedDevice) -> None:
        with self.state.transaction() as db:
            _save(db, device)

    def check(
        self, device_key: str, iccid_last_digits: str | None, canadian: bool
    ) -> dict[str, Any]:
        """The device's description; refused when locked, or not sold to Canadian users."""
        device = self.known_device(device_key, iccid_last_digits)
        if device.service_locked:
            raise Refusal(
                409,
                "bad_request",
                f"Cannot continue: device is not currently in Service Mode ({device_key})",
            )
        if canadian and device.refused_to_canadians:
            raise Refusal(403, "region_refused", "This device cannot be used in Canada.")
        return device.described()

    def firmware(self, device_key: str) -> dict[str, Any]:
        """What is waiting, with battery and signal as last reported."""
        device = self.known_device(device_key)
        offers = device.offers()
        details = {
            target: {"device": target, "from_version": device.firmware[target], "to_version": to}
            for target, to in offers.items()
        }
        return {
            "is_firmware_available": "main" in details,
            "firmware_details": details.get("main"),
            "is_ext_device_firmware_available": "kl1" in details,
            "ext_device_firmware_details": details.get("kl1"),
            "timestamp": _iso(time.time()),
            "backup_battery_voltage": device.battery_volts,
            "cellular_signal_strength": device.signal_dbm,
        }

    def activate(self, device_key: str) -> dict[str, Any]:
        device = self.known_device(device_key)
        if device.device_state != "new":
            raise Refusal(409, "already_activated", "The device is already activated.")
        device.device_state = "activated"
        self.save(device)
        return device.described()

    def install(self, device_key: str, exit_service_mode: bool) -> dict[str, Any]:
        device = self.known_device(device_key)
        if device.device_state == "new":
            raise Refusal(409, "not_activated", "The device is not activated yet.")
        if device.refuse_install:
            raise Refusal(409, "install_refused", "The device cannot be installed.")
        leaves = exit_service_mode and device.service_mode
        if device.device_state == "installed" and not leaves:
            raise Refusal(409, "already_installed", "The device is already installed.")
        device.device_state = "installed"
        device.service_mode = device.service_mode and not exit_service_mode
        self.save(device)
        return device.described()

    def release(self, device_key: str) -> dict[str, Any]:
        """The device is nobody's from then on, and goes on as it is."""
        device = self.known_device(device_key)
        if device.owner_dealer_id is None:
            raise Refusal(409, "already_released", "The device has no owner.")
        device.owner_dealer_id = None
        self.save(device)
        return device.described()

    def welcome(self, device_key: str) -> dict[str, Any]:
        self.known_device(device_key)
        return {"status": "sent"}

    def swap(self, old_device_key: str, new_device_key: str) -> dict[str, Any]:
        """The new device takes over state, plan, vehicle, owner and keylocker; the old one is paused for good."""
        old, new = self.known_device(old_device_key), self.known_device(new_device_key)
        if old.replaced_by == new_device_key:
            raise Refusal(409, "already_swapped", "The device is already swapped.")
        if old.replaced_by is not None or old.device_state == "new" or new.device_state != "new":
            raise Refusal(409, "not_swappable", "These devices cannot be swapped.")
        if old.refuse_swap or new.refuse_swap:
            raise Refusal(409, "not_swappable", "These devices cannot be swapped.")
        new.device_state, new.plan, new.vehicle = "activated", old.plan, old.vehicle
        new.plan_ends_at, new.plan_reference = old.plan_ends_at, old.plan_reference
        new.plan_suspended, old.plan_suspended = old.plan_suspended, False
        old.plan_ends_at = old.plan_reference = None
        new.owner_dealer_id = old.owner_dealer_id or new.owner_dealer_id
        old.device_state, old.plan, old.replaced_by = "paused", None, new_device_key
        old.service_mode = False
        if old.keylocker is not None:
            _move_keylocker(old, new)
        self.save(old)
        self.save(new)
        return new.described()

    def command(
        self,
        device_key: str,
        command: str,
        command_id: str,
        *,
        iccid_last_digits: str | None = None,
        bit: int | None = None,
        target: str | None = None,
        version: str | None = None,
    ) -> dict[str, Any]:
        """Accept a command; its log follows after a while."""
        device = self.known_device(device_key, iccid_last_digits)
        if command not in supported(device):
            raise Refusal(422, "command_not_supported", "The device does not know this command.")
        if device.refuse_commands:
            raise Refusal(409, "command_refused", "The device refused the command.")
        if command not in FIRMWARE:
            device.reach()
        elif device.offline_until > time.time():
            raise Refusal(409, "device_offline", "The device is offline.")
        if command in FIRMWARE:
            log, effect = firmware_log(device, command, target, version)
        else:
            apply_at_once(device, command)
            log, effect = command_log(device, command, bit), {}
        if device.silent_commands > 0:
            device.silent_commands -= 1
        else:
            self._schedule(device, {**log, "command_id": command_id}, effect)
        self.save(device)
        return {"command_id": command_id, "status": "sent"}

    def goes_offline_on_contact(self, device_key: str) -> bool:
        """Start the offline time of a device that is lost at its first command."""
        device = self.device(device_key)
        if device is None or not device.offline_on_contact:
            return False
        device.offline_on_contact = False
        self.go_offline(device, self.knobs().offline_seconds)
        return True

    def go_offline(self, device: SimulatedDevice, seconds: float) -> None:
        """Unreachable from now on for so many seconds; a report tells that it is back."""
        device.offline_until = time.time() + seconds
        self.save(device)
        self._add(device, unasked_report(device), {}, due=device.offline_until)

    def logs(self, device_key: str, since: float, limit: int) -> list[dict[str, Any]]:
        """Logs with a timestamp at or after `since`, in the order in which they arrived."""
        device = self.known_device(device_key)
        with self.state.transaction() as db:
            rows = db.execute(
                "select * from log where device_key = ? and applied = 1 and at >= ?"
                " order by due, seq limit ?",
                (device.device_key, since, limit),
            ).fetchall()
        return [log_of(row) for row in rows for _ in range(row["copies"])][:limit]

    def advance(self) -> None:
        """Let everything happen that is due by now; what falls into an offline time waits for its end."""
        with self.state.transaction() as db:
            rows = db.execute(
                "select * from log where applied = 0 and due <= ? order by due, seq", (time.time(),)
            ).fetchall()
            for row in rows:
                device = _load(db, row["device_key"])
                if device is None:
                    continue
                if device.offline_until > row["due"]:
                    back = device.offline_until + 0.01
                    db.execute(
                        "update log set due = ?, at = ? where seq = ?", (back, back, row["seq"])
                    )
                    continue
                _apply(device, orjson.loads(row["effect"]))
                _save(db, device)
                db.execute(
                    "update log set applied = 1, next_try = due where seq = ?", (row["seq"],)
                )

    def _schedule(
        self, device: SimulatedDevice, log: dict[str, Any], effect: dict[str, Any]
    ) -> None:
        knobs = self.knobs()
        wait = device.answer_seconds
        if wait is None:
            wait = random.uniform(knobs.answer_min, knobs.answer_max) * (5 if device.slow else 1)
        due = time.time() + wait
        if log["command"] == "R42":
            device.updating_until = due
        if device.tells_progress and log["type"] == "firmware":
            for percent in PROGRESS:
                progress = firmware_progress(log, percent)
                self._add(device, progress, {}, due=due - wait * (1 - percent / 100))
        self._add(device, log, effect, due=due)
        if device.out_of_order_logs:
            self._add(device, unasked_report(device), {}, due=due + 0.2, at=due - 0.1)

    def _add(
        self,
        device: SimulatedDevice,
        log: dict[str, Any],
        effect: dict[str, Any],
        *,
        due: float,
        at: float | None = None,
    ) -> None:
        with self.state.transaction() as db:
            db.execute(
                "insert into log (id, device_key, due, at, body, effect, copies)"
                " values (?, ?, ?, ?, ?, ?, ?)",
                (
                    f"log_{secrets.token_hex(12)}",
                    device.device_key,
                    due,
                    due if at is None else at,
                    orjson.dumps(log),
                    orjson.dumps(effect),
                    2 if device.duplicate_logs else 1,
                ),
            )


def _move_keylocker(old: SimulatedDevice, new: SimulatedDevice) -> None:
    """The add-on goes to the new device with its firmware, tables and pins."""
    tables = {name: kept for name, kept in old.options.items() if name != "controller"}
    new.keylocker, new.pins, new.options = old.keylocker, old.pins, new.options | tables
    new.firmware = new.firmware | {"kl1": old.firmware["kl1"]}
    old.keylocker, old.pins = None, {}
    old.firmware = {name: version for name, version in old.firmware.items() if name != "kl1"}


def log_of(row: sqlite3.Row) -> dict[str, Any]:
    """A log as it is polled and as the webhook carries it."""
    body = cast("dict[str, Any]", orjson.loads(row["body"]))
    return {
        "id": row["id"],
        "device_key": row["device_key"],
        "timestamp": _iso(row["at"]),
        **body,
    }


def _load(db: sqlite3.Connection, device_key: str) -> SimulatedDevice | None:
    row = db.execute("select memory from device where device_key = ?", (device_key,)).fetchone()
    if row is not None:
        return SimulatedDevice.model_validate_json(row["memory"])
    return device_from_digits(device_key)


def _save(db: sqlite3.Connection, device: SimulatedDevice) -> None:
    db.execute(
        "insert or replace into device values (?, ?)",
        (device.device_key, device.model_dump_json()),
    )


def _apply(device: SimulatedDevice, effect: dict[str, Any]) -> None:
    if "downloaded" in effect:
        device.downloaded |= effect["downloaded"]
    if "flashed" in effect:
        device.firmware |= effect["flashed"]
        for target in effect["flashed"]:
            device.downloaded.pop(target, None)


def _unknown() -> Refusal:
    return Refusal(404, "device_not_found", "No device with this serial number and SIM.")


def _iso(at: float) -> str:
    """Seconds since the epoch as UTC, e.g. 2026-08-01T12:00:00.123456Z."""
    whole, part = divmod(round(at * 1_000_000), 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{part:06d}Z"
