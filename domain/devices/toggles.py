"""Feature toggles of a device (devices spec 3 and 9)."""

from enum import StrEnum


class Toggle(StrEnum):
    SIREN = "siren_enabled"
    VALET_MODE = "valet_mode_enabled"
    SHOCK_SENSOR = "shock_sensor_enabled"
    DRIVE_LOCK = "drive_lock_enabled"
    PASSIVE_ARMING = "passive_arming_enabled"
    TIMER_START = "timer_start_enabled"
    TURBO_TIMER_START = "turbo_timer_start_enabled"
    AUTO_DOOR_LOCK = "auto_door_lock_enabled"


BIT: dict[Toggle, int] = {
    Toggle.SIREN: 2,
    Toggle.SHOCK_SENSOR: 4,
    Toggle.TURBO_TIMER_START: 8,
    Toggle.PASSIVE_ARMING: 16,
    Toggle.DRIVE_LOCK: 128,
}
"""Toggles that travel as bits of one number; the others by name (devices spec 9)."""

Features = dict[Toggle, bool]
"""What a device reports of its toggles; one that it does not have is absent."""
