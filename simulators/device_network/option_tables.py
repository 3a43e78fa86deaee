"""What the simulated controllers and keylockers can be set to.

Invented, all of it: the tables have the sections, kinds of row and bounds of such hardware, and none is a real device's.
Bounds: runtimes 3, 15, 25 or 45 minutes (CMX: any from 3 to 45), seconds 1-99, minutes 1-15, keypad numbers 1-5 and 1-7.
A `special` row holds a custom value: it cannot be written without asking the device.
"""

from typing import Any

Option = dict[str, Any]
Section = dict[str, Any]

_OFF_ON = ((0, "Off"), (1, "On"))
_RUNTIME_LABEL = "Remote start runtime (minutes)"
_WITH_SECURITY = frozenset({"FT-7000AS", "FT-7200S", "CM900AS", "CM7300", "CMX"})
_AUXILIARIES = {"CM900S": 1, "CM900AS": 2, "CM2400": 2, "CM2500": 3, "CM7300": 4, "CMX": 4}
_FUNCTIONS = (
    (0, "None"),
    (1, "Lock"),
    (2, "Unlock"),
    (3, "Trunk"),
    (4, "Remote start"),
    (5, "Panic"),
    (6, "Aux 1"),
    (7, "Aux 2"),
)
_POLARITY = ((0, "Negative"), (1, "Positive"))


def controller_table(controller: str) -> list[Section]:
    """The table of one of the eight controllers that have one."""
    sections = [_locks(), _remote_start(controller), _keypad()]
    if controller in _WITH_SECURITY:
        sections.append(_security())
    sections.append(_auxiliaries(_AUXILIARIES.get(controller, 2)))
    return sections


def keylocker_table(mode: str) -> list[Section]:
    """The keylocker's own table; a standalone one also takes the place of a controller."""
    box = _section(
        "Key box",
        _seconds("kl_key_power_delay", "Key power delay", 2),
        _seconds("kl_key_power_time", "Key power time", 20, special=True),
        _choice("kl_key_check", "Check the key before a start", 1, _OFF_ON),
        _choice("kl_chirp", "Confirmation chirp", 1, _OFF_ON, advanced=True),
    )
    roof = _section(
        "Roof",
        _choice("kl_roof_lock", "Roof locks with the doors", 1, _OFF_ON),
        _choice("kl_roof_close", "Roof closes when locked", 0, _OFF_ON),
        _seconds("kl_roof_time", "Roof movement time", 15, special=True),
    )
    if mode == "add-on":
        return [box, roof]
    standalone = _section(
        "Standalone",
        _choice("kl_runtime", _RUNTIME_LABEL, 15, _runtimes()),
        _minutes("kl_relock", "Lock again after", 2),
        _number("kl_keypad_row", "Keypad row", 1, 1, 5),
        _number("kl_keypad_key", "Keypad key", 1, 1, 7),
        _choice("kl_entry", "Entry", 1, ((1, "Keypad"), (2, "Phone"), (3, "Keypad and phone"))),
    )
    return [standalone, box, roof]


def poc_pic_table(show_1_2: bool, show_3_4: bool) -> list[Section]:
    """Aux outputs always; programmable outputs (POC) and inputs (PIC) 1-2 and 3-4 as asked for."""
    numbers = [n for n in (1, 2, 3, 4) if (show_1_2 if n <= 2 else show_3_4)]
    outputs = [_aux_output(n) for n in (1, 2)]
    pocs = [_programmable("poc", "Output", n) for n in numbers]
    pics = [_programmable("pic", "Input", n) for n in numbers]
    return [*outputs, *pocs, *pics]


def _locks() -> Section:
    pulses = ((1, "0.8 s"), (2, "2.5 s"), (3, "0.125 s"), (4, "Double unlock"))
    return _section(
        "Doors",
        _choice("door_pulse", "Door lock pulse", 1, pulses),
        _choice("ignition_lock", "Lock with ignition", 0, _OFF_ON),
        _choice("ignition_unlock", "Unlock with ignition off", 1, _OFF_ON),
        _minutes("passive_lock", "Passive lock after", 2),
        _seconds("dome_delay", "Dome light delay", 30),
        _seconds("comfort_close", "Comfort close time", 8, special=True),
    )


def _remote_start(controller: str) -> Section:
    if controller == "CMX":
        runtime = _number("runtime", _RUNTIME_LABEL, 15, 3, 45)
    else:
        runtime = _choice("runtime", _RUNTIME_LABEL, 15, _runtimes())
    sensing = ((1, "Tachometer"), (2, "Voltage"), (3, "Timed"), (4, "Data"))
    return _section(
        "Remote start",
        runtime,
        _choice("engine_sensing", "Engine sensing", 4, sensing),
        _choice("transmission", "Transmission", 1, ((1, "Automatic"), (2, "Manual"))),
        _seconds("glow_plug", "Diesel glow plug wait", 10),
        _minutes("turbo_time", "Turbo timer", 2, special=True),
        _seconds("crank_time", "Crank time", 1, special=True, advanced=True),
        _number("crank_tries", "Crank attempts", 3, 1, 5, advanced=True),
    )


def _keypad() -> Section:
    return _section(
        "Keypad",
        _number("keypad_five", "Number on a five-key pad", 1, 1, 5),
        _number("keypad_seven", "Number on a seven-key pad", 1, 1, 7),
    )


def _security() -> Section:
    chirps = ((0, "Off"), (1, "Siren"), (2, "Horn"), (3, "Siren and horn"))
    return _section(
        "Security",
        _choice("arm_chirp", "Chirp on arm and disarm", 1, chirps),
        _seconds("siren_time", "Siren time", 30),
        _seconds("panic_time", "Panic time", 30),
        _number("shock_level", "Shock sensor level", 5, 1, 10, advanced=True),
        _choice("starter_kill", "Starter kill", 1, _OFF_ON, advanced=True),
    )


def _auxiliaries(count: int) -> Section:
    modes = ((1, "Momentary"), (2, "Latched"), (3, "Timed"))
    rows: list[Option] = []
    for number in range(1, count + 1):
        rows.append(_choice(f"aux{number}_mode", f"Aux {number} output", 1, modes))
        rows.append(_seconds(f"aux{number}_time", f"Aux {number} time", 1, special=True))
    return _section("Auxiliary outputs", *rows)


def _aux_output(number: int) -> Section:
    key = f"aux_output{number}"
    return _section(
        f"Aux output {number}",
        _choice(f"{key}_function", "Function", 5 + number, _FUNCTIONS),
        _seconds(f"{key}_time", "Time", 1),
    )


def _programmable(kind: str, word: str, number: int) -> Section:
    key = f"{kind}{number}"
    return _section(
        f"{kind.upper()} {number}",
        _choice(f"{key}_function", f"{word} function", 0, _FUNCTIONS),
        _choice(f"{key}_polarity", "Polarity", 0, _POLARITY, advanced=True),
        _seconds(f"{key}_time", "Time", 1, special=True),
    )


def _section(title: str, *options: Option) -> Section:
    return {"title": title, "options": list(options)}


def _option(key: str, label: str, kind: str, default: int, **more: Any) -> Option:
    plain: Option = {
        "special": False,
        "advanced": False,
        "choices": [],
        "minimum": None,
        "maximum": None,
    }
    return {**plain, "key": key, "label": label, "type": kind, "default": default, **more}


def _choice(
    key: str, label: str, default: int, choices: tuple[tuple[int, str], ...], **more: bool
) -> Option:
    listed = [{"value": value, "label": text} for value, text in choices]
    return _option(key, label, "choice", default, choices=listed, **more)


def _number(key: str, label: str, default: int, minimum: int, maximum: int, **more: bool) -> Option:
    return _option(key, label, "number", default, minimum=minimum, maximum=maximum, **more)


def _seconds(key: str, label: str, default: int, **more: bool) -> Option:
    return _option(key, label, "seconds", default, minimum=1, maximum=99, **more)


def _minutes(key: str, label: str, default: int, **more: bool) -> Option:
    return _option(key, label, "minutes", default, minimum=1, maximum=15, **more)


def _runtimes() -> tuple[tuple[int, str], ...]:
    return tuple((minutes, f"{minutes} min") for minutes in (3, 15, 25, 45))
