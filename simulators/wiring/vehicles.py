"""What both vendors know of a vehicle follows from its name, so that it is the same after a restart.

Sentinels are the models of the make `Testmark`:
    Ads Down      the one vendor answers 503, always
    Automob Down  the other answers 500, always
    Both Down     both do
    Misled        a proxy before both answers 404, with a page of its own
    Empty         neither knows it
    Elsewhere     both answer with another vehicle
    Hostile       scripts in every text
    Huge          an answer of ten megabytes
    Garbled       an answer that is not what was agreed
    Slow          both answer after four seconds
    Unhurried     the one answers after 0.3 seconds, the other after 0.6
"""

import asyncio
from random import Random

from fastapi import HTTPException

from simulators.refusal import NotReached

SENTINEL = "TESTMARK"
SLOW_SECONDS = 4.0
UNHURRIED_SECONDS = {"ads": 0.3, "automob": 0.6}
HUGE_BYTES = 10_000_000
SCRIPT = "<script>document.title='taken'</script>"
MARK = "Demo data: invented."

_DOWN = {"ads": ("Ads Down", "Both Down"), "automob": ("Automob Down", "Both Down")}

COLORS = ("Black", "Blue", "Brown", "Green", "Grey", "Orange", "Pink", "Purple", "Red", "Tan", "White", "Yellow")  # fmt: skip
TRIMS = ("Base", "LE", "Limited", "Sport", "Touring", "XLE")

FUNCTIONS = (
    ("12V Constant", "Power", "+"), ("Starter", "Ignition", "+"), ("Ignition 1", "Ignition", "+"),
    ("Accessory", "Ignition", "+"), ("Brake", "Safety", "+"), ("Tachometer", "Engine", "AC"),
    ("Door Lock", "Doors", "-"), ("Door Unlock", "Doors", "-"), ("Door Trigger", "Doors", "-"),
    ("Hood Trigger", "Security", "-"), ("Horn", "Security", "-"), ("Parking Lights", "Lights", "+"),
    ("CAN High", "Data", "DATA"), ("CAN Low", "Data", "DATA"), ("Immobilizer Data", "Data", "DATA"),
)  # fmt: skip
"""Function, category and polarity."""


def sentinel(make: str, model: str) -> str | None:
    return model if make.upper() == SENTINEL else None


async def fail_if_sentinel(vendor: str, make: str, model: str, status: int) -> None:
    """Raises for a vehicle that this vendor always fails for, and waits for the slow one."""
    vehicle = sentinel(make, model)
    if vehicle in _DOWN[vendor]:
        raise HTTPException(status, "Service Unavailable")
    if vehicle == "Misled":
        raise NotReached
    if vehicle == "Slow":
        await asyncio.sleep(SLOW_SECONDS)
    if vehicle == "Unhurried":
        await asyncio.sleep(UNHURRIED_SECONDS[vendor])


def is_known(vendor: str, year: int, make: str, model: str) -> bool:
    """Older vehicles are in no list, and each vendor has gaps of its own."""
    vehicle = sentinel(make, model)
    if vehicle is not None:
        return vehicle != "Empty"
    return year >= 1996 and chance_of(f"{vendor}-book", 0, make, model).random() < 0.85


def chance_of(vendor: str, year: int, make: str, model: str) -> Random:
    return Random(f"{vendor}/{year}/{make.upper()}/{model.upper()}")


def text(written: str, make: str, model: str) -> str:
    return f"{SCRIPT}{written}" if sentinel(make, model) == "Hostile" else written


def named(year: int, make: str, model: str) -> tuple[str, str, str]:
    """The vehicle as a vendor writes it: the make in capitals, and for one sentinel another vehicle."""
    if sentinel(make, model) == "Elsewhere":
        return str(year), "OTHERMARK", "Another"
    return str(year), make.upper(), model
