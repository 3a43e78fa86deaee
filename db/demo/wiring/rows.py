"""Invented wiring of the popular vehicles, from a fixed seed: every value is made up and says so.

Vehicle ids follow from model and year, so that they stay when the list of models grows.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

SEED = 20_260_303
POPULAR_YEARS = (2022, 2019, 2016)
"""Of each common model these years, where it was sold, are wired in full."""
MARK = "Demo data: invented values, not for use on a vehicle."

TRIMS = ("LE", "SE", "XLE", "Base", "Sport", "Limited", "Touring", "EX", "LT", "SXT")
COLORS = ("Black", "Blue", "Brown", "Green", "Grey", "Orange", "Pink", "Purple", "Red", "Tan", "White", "Yellow")  # fmt: skip
PLACES = ("driver kick panel", "steering column", "behind the glove box", "under-dash fuse box", "passenger kick panel", "body control module", "driver door boot", "engine bay fuse box", "below the radio")  # fmt: skip
CONNECTORS = ("connector-8", "connector-16", "connector-24", "module")


def category_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"turnkey:vehicle-category:{name}"))


@dataclass(frozen=True)
class DemoCategory:
    """`functions` are (function, polarity); a split category has its rows for each kind of ignition."""

    name: str
    kind: str
    title: str
    functions: tuple[tuple[str, str], ...] = ()
    steps: tuple[str, ...] = ()
    is_split: bool = False

    @property
    def uuid(self) -> str:
        return category_id(self.name)


CATEGORIES = (
    DemoCategory("remote-start", "wiring", "Remote Start", is_split=True, functions=(
        ("12V Constant", "+"), ("Starter", "+"), ("Ignition 1", "+"), ("Ignition 2", "+"), ("Accessory", "+"),
        ("Brake", "+"), ("Tachometer", "AC"), ("Park Neutral Safety", "-"))),
    DemoCategory("immobilizer", "wiring", "Immobilizer and Bypass", is_split=True, functions=(
        ("Immobilizer Data", "DATA"), ("Immobilizer Power", "+"), ("Key In Sense", "-"))),
    DemoCategory("keyless", "wiring", "Keyless Entry", functions=(
        ("Door Lock", "-"), ("Door Unlock", "-"), ("Driver Priority Unlock", "-"), ("Trunk Release", "-"))),
    DemoCategory("security", "wiring", "Security", functions=(
        ("Door Trigger", "-"), ("Hood Trigger", "-"), ("Trunk Trigger", "-"), ("Horn", "-"), ("Factory Alarm Disarm", "-"))),
    DemoCategory("lights", "wiring", "Lights", functions=(
        ("Parking Lights", "+"), ("Headlights", "-"), ("Left Turn Signal", "+"), ("Right Turn Signal", "+"), ("Dome Light", "-"))),
    DemoCategory("data", "wiring", "CAN and Data", functions=(
        ("CAN High", "DATA"), ("CAN Low", "DATA"), ("LIN", "DATA"))),
    DemoCategory("comfort", "wiring", "Comfort", functions=(
        ("Rear Defroster", "-"), ("Heated Seat Driver", "-"), ("Window Up Driver", "A"))),
    DemoCategory("preparation", "instructions", "Preparation", steps=(
        "Disconnect the negative battery cable and wait two minutes.",
        "Remove the driver knee panel: two screws and four clips.",
        "Find the plugs shown in the wiring and test each wire with a meter before it is cut.")),
    DemoCategory("bypass-setup", "instructions", "Bypass Programming", is_split=True, steps=(
        "Flash the bypass module for this vehicle before it is connected.",
        "Connect the data wires first, then power.",
        "Turn the ignition on until the module's LED turns solid, then off.",
        "Lock and unlock once; the module is programmed.")),
    DemoCategory("start-setup", "instructions", "Remote Start Setup", is_split=True, steps=(
        "Enter programming with the valet button.",
        "Set engine detection to tachometer or data.",
        "Start by remote three times and listen for a grinding starter.")),
    DemoCategory("finish", "instructions", "Finish", steps=(
        "Test hood pin and brake shutdown with the engine running.",
        "Tie all wires away from pedals and steering shaft.",
        "Close the panels and show the customer the valet mode.")),
)  # fmt: skip


@dataclass(frozen=True)
class DemoVehicle:
    id: int
    model_id: int
    year: int
    make: str
    model: str
    is_popular: bool
    mirrors: int | None

    @property
    def chance(self) -> Random:
        return Random(SEED * 1_000_003 + self.id)

    @property
    def trims(self) -> list[str]:
        return sorted(self.chance.sample(TRIMS, 3)) if self.is_popular else []

    @property
    def description(self) -> str:
        if not self.is_popular:
            return ""
        place = self.chance.choice(PLACES)
        return f"Take ignition and data at the {place}; the plug at the column has no starter wire. {MARK}"

    @property
    def ignitions(self) -> tuple[str, ...]:
        """Many a vehicle is sold with a key and without one."""
        return ("pts", "sk") if self.id % 4 else ("pts",)


def vehicle_id(model_id: int, year: int) -> int:
    return model_id * 100 + year - 1940


def wires(vehicle: DemoVehicle) -> Iterator[tuple[object, ...]]:
    """Rows of `vehicle_wire` without the id, in the order of their positions."""
    chance = vehicle.chance
    for category in CATEGORIES:
        if category.kind != "wiring":
            continue
        for ignition in vehicle.ignitions if category.is_split else ("",):
            for function, polarity in category.functions:
                place = chance.choice(PLACES)
                plug = chance.choice(CONNECTORS)
                pin = chance.randint(1, 24)
                color = "/".join(chance.sample(COLORS, chance.choice((1, 1, 2))))
                trim = chance.choice(vehicle.trims) if chance.random() < 0.12 else ""
                yield (
                    category.uuid,
                    ignition,
                    function,
                    color,
                    f"{place[:1].upper()}{place[1:]}, {chance.choice(COLORS).lower()} {pin + 2}-pin plug",
                    f"Pin {pin}",
                    polarity,
                    [f"/pictures/wiring/{plug}.svg"],
                    trim,
                )


def instructions(vehicle: DemoVehicle) -> Iterator[tuple[object, ...]]:
    """Rows of `vehicle_instruction` without the id."""
    chance = vehicle.chance
    for category in CATEGORIES:
        if category.kind != "instructions":
            continue
        for ignition in vehicle.ignitions if category.is_split else ("",):
            for number, step in enumerate((*category.steps, MARK)):
                image = f"/pictures/wiring/{chance.choice(CONNECTORS)}.svg" if number == 1 else None
                yield category.uuid, ignition, step, image
