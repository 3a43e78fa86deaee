"""Wiring of a vehicle: one shape for the rows of every source, and the categories they stand in (devices spec 3, 7, 9)."""

from datetime import timedelta
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.errors import NotFound
from domain.vehicles.vehicles import NoVehicleData

MOST_ROWS = 2000
"""Rows of one source that are read for one vehicle; more are no wiring of a car. Our choice."""
MIN_FRESHNESS, MAX_FRESHNESS = timedelta(seconds=60), timedelta(days=7)
"""A source says how long its wiring may be kept; it is held to these bounds. Our choice."""
STALE_AFTER = timedelta(days=30)
"""What is older is not shown any more, even while its source is away. Our choice."""


class Source(StrEnum):
    """Who says so (rulings "Later rulings")."""

    INTERNAL = "internal"
    ADS = "adsWiring"
    AUTOMOB = "autoMobWiring"


SOURCE_NAMES = {
    Source.INTERNAL: "Firstech",
    Source.ADS: "iDatawire",
    Source.AUTOMOB: "3rd Party",
}


class SourceState(StrEnum):
    """`stale` is what was kept from earlier while the source is away; `away` is nothing at all."""

    FRESH = "fresh"
    STALE = "stale"
    AWAY = "away"


class Ignition(StrEnum):
    """How the vehicle is started, where that makes two wirings of one (devices spec 3)."""

    PUSH_TO_START = "pts"
    STANDARD_KEY = "sk"


UUID_SUFFIXES = {Ignition.PUSH_TO_START: "-pts", Ignition.STANDARD_KEY: "-sk"}
TITLE_PREFIXES = {
    Ignition.PUSH_TO_START: "Push-to-Start. ",
    Ignition.STANDARD_KEY: "Std. Key. ",
}


class Wire(Frozen):
    """A row of the normalised table. What a source does not tell is empty; each source fills columns of its own."""

    function: str
    color: str = ""
    location: str = ""
    pin_out: str = ""
    polarity: str = ""
    images: tuple[str, ...] = ()
    category: str = ""
    odr: str = ""
    limited: str = ""
    notes: str = ""
    pin: str = ""
    connector: str = ""
    connector_color: str = ""
    connector_pins: str = ""
    component: str = ""
    component_location: str = ""
    note: str = ""
    source: Source
    trim: str = ""
    fetched_at: Utc


class Category(Frozen):
    """A category as a vehicle has it; `uuid` carries the suffix of a split one."""

    uuid: str
    title: str
    count: int


class Instruction(Frozen):
    position: int
    text: str
    image: str | None = None


class TrimProduct(Frozen):
    """What a source recommends, in its own ids."""

    id: str
    name: str


class TrimWiring(Frozen):
    """The wiring of one trim, as one source tells it."""

    trim: str
    wires: tuple[Wire, ...]
    products: tuple[TrimProduct, ...] = ()


class SourcedWiring(Frozen):
    """What a source says of a vehicle; `trims` is empty when it does not know it."""

    source: Source
    trims: tuple[TrimWiring, ...]
    fetched_at: Utc
    fresh_until: Utc

    @property
    def count(self) -> int:
        return sum(len(one.wires) for one in self.trims)


class SourceReport(Frozen):
    """How a source answered for a vehicle; `fetched_at` is null when it never did."""

    source: Source
    name: str
    state: SourceState
    fetched_at: Utc | None
    count: int


class ExternalWiring(Frozen):
    """Of each source its trims, or nothing while it is away and nothing was kept, or where it is not used. `reports` has the
    sources that are."""

    ads: SourcedWiring | None
    automob: SourcedWiring | None
    reports: tuple[SourceReport, ...]

    @property
    def product_ids(self) -> tuple[str, ...]:
        """Of all that the sources recommend, in their own ids."""
        trims = (trim for one in (self.ads, self.automob) if one for trim in one.trims)
        return tuple(product.id for trim in trims for product in trim.products)

    @property
    def is_empty(self) -> bool:
        """Whether every source that is used answered, and none tells anything of the vehicle."""
        are_empty = all(one.state is not SourceState.AWAY and not one.count for one in self.reports)
        return are_empty and not self.product_ids


class CategoryMissing(NotFound):
    code = "category_missing"
    detail = NoVehicleData.detail


class OtherVehicle(ValueError):
    """A source told of another vehicle than the one it was asked about."""


def category_uuid(base: str, ignition: Ignition | None) -> str:
    return base if ignition is None else base + UUID_SUFFIXES[ignition]


def category_title(title: str, ignition: Ignition | None) -> str:
    return title if ignition is None else f"{TITLE_PREFIXES[ignition]}{title}"


def category_parts(uuid: str) -> tuple[str, Ignition | None]:
    """The category that a uuid with or without a suffix names."""
    for ignition, suffix in UUID_SUFFIXES.items():
        if uuid.endswith(suffix):
            return uuid.removesuffix(suffix), ignition
    return uuid, None


def freshness_of(seconds: int | None) -> timedelta:
    """How long wiring is kept, from what its source allows."""
    if seconds is None:
        return MIN_FRESHNESS
    return min(max(timedelta(seconds=seconds), MIN_FRESHNESS), MAX_FRESHNESS)


def report_of(source: Source, wiring: SourcedWiring | None, state: SourceState) -> SourceReport:
    return SourceReport(
        source=source,
        name=SOURCE_NAMES[source],
        state=state,
        fetched_at=wiring.fetched_at if wiring else None,
        count=wiring.count if wiring else 0,
    )


def same_name(one: str, other: str) -> bool:
    """Sources write names in capitals, with or without hyphens and spaces."""
    return _plain(one) == _plain(other)


def _plain(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())
