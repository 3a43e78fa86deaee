"""Invented products: number n is the same on every machine and in every size of the catalogue.

The first 480 are the demo set, in the proportions of the trade; what comes after them is drawn in the same ones. Brand and
category names are the spec's (shop spec 3), everything else is made up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from db.demo.partners import BRANDS
from db.demo.vehicles.models import MODELS
from domain.catalogue.products import slug_of, words_of

DEMO_PRODUCTS = 480
SEED = 20_260_102

NOT_FOR_PURCHASE = 0.06
BACKORDERED = 0.08
SECOND_VARIANT = 1 / 6
"""Shares of all products."""


@dataclass(frozen=True)
class Kind:
    """What a category sells: `share` of the demo's 480, the middle of its list prices in dollars, how far they spread,
    and the names; `fits` says that each product is for one vehicle."""

    name: str
    code: str
    share: int
    middle: float
    spread: float
    brands: tuple[str, ...]
    things: tuple[str, ...]
    variants: tuple[tuple[str, str], ...]
    fits: bool = False

    @property
    def slug(self) -> str:
        return slug_of(self.name)


STANDARD = (("STD", ""), ("CASE", "bulk packed"))

KINDS = (
    Kind("T-Harnesses", "TH", 120, 62, 0.35, ("Firstech", "Compustar", "iDataStart", "Arctic Start"),
         ("T-Harness", "Push-to-Start T-Harness", "Ignition T-Harness"), (("STD", ""), ("LNG", "long leads")), fits=True),
    Kind("Bypass Module", "BM", 55, 72, 0.3, ("iDatalink", "iDataStart", "Firstech"),
         ("Bypass Module", "Transponder Bypass", "CAN Interface Module"), STANDARD, fits=True),
    Kind("Remote Start", "RS", 50, 240, 0.4, ("Compustar", "Arctic Start", "FTX", "Compustar Pro"),
         ("Remote Start Kit", "All-in-One Remote Start", "Digital Remote Start"), (("1W", "1-way"), ("2W", "2-way"))),
    Kind("RF Kit", "RF", 45, 120, 0.4, ("Compustar", "Compustar Pro", "FTX", "Arctic Start"),
         ("2-Way LCD RF Kit", "1-Way RF Kit", "LED RF Kit", "Long Range RF Kit"), (("STD", ""), ("X2", "two remotes"))),
    Kind("Accessories", "AC", 45, 28, 0.6, ("DroneMobile", "Compustar", "Firstech", "Lucas Lighting", "Tesa Tape"),
         ("Hood Pin Kit", "Antenna Cable", "Temperature Sensor", "Relay Pack", "Wiring Loom Tape", "LED Strip"), STANDARD),
    Kind("Remote Start + Security", "SS", 30, 380, 0.35, ("Compustar", "Compustar Pro", "FTX"),
         ("Remote Start and Alarm", "Security and Start System"), (("1W", "1-way"), ("2W", "2-way"))),
    Kind("Radio Interface", "RI", 30, 130, 0.3, ("Maestro", "iDatalink"),
         ("Radio Replacement Interface", "Steering Wheel Interface", "Amplifier Interface"), STANDARD, fits=True),
    Kind("Replacement Parts", "RP", 30, 22, 0.6, ("Compustar", "FTX", "Firstech", "Compustar Pro"),
         ("Replacement Remote", "Remote Case", "Battery Door", "Belt Clip"), (("BLK", "black"), ("GRY", "grey"))),
    Kind("Security", "SE", 20, 110, 0.5, ("Compustar", "Firstech", "DroneMobile"),
         ("Alarm Upgrade", "Shock Sensor", "Siren", "Backup Battery"), STANDARD),
    Kind("Dash Cameras", "DC", 15, 260, 0.35, ("Momento",),
         ("Dash Camera", "Front and Rear Camera Kit", "Parking Guard Camera"), (("32", "32 GB"), ("64", "64 GB"))),
    Kind("Controllers", "CO", 12, 230, 0.25, ("Firstech", "DroneMobile"),
         ("Controller", "LTE Controller", "Control Center"), STANDARD),
    Kind("Sound Deadening", "SD", 12, 90, 0.4, ("Soundskins",),
         ("Door Kit", "Trunk Kit", "Floor Roll"), (("S", "small"), ("L", "large"))),
    Kind("Back-up Camera", "BC", 8, 150, 0.3, ("Momento", "Lucas Lighting"),
         ("License Plate Camera", "Mirror Camera Kit"), STANDARD),
    Kind("Installer Tools", "IT", 8, 60, 0.6, ("Tesa Tape", "iDatalink", "Firstech"),
         ("Update Cable", "Panel Tool Set", "Harness Tape", "Test Bench Lead"), STANDARD),
)  # fmt: skip

_DECK = tuple(kind for kind in KINDS for _ in range(kind.share))
_BRAND_CODES: dict[str, str] = dict(zip(BRANDS, ("AS", "CS", "CP", "DM", "FT", "FX", "ID", "IS", "LL", "MA", "MO", "SK", "TT"), strict=True))  # fmt: skip
_VEHICLES = tuple((make, *model) for make, models in MODELS.items() for model in models)
_CASES = (1, 1, 1, 5, 10, 20)
_FEATURES = (
    "Keeps the factory wiring uncut", "Water resistant housing", "Reads the factory temperature sensor",
    "Updates by cable or by phone", "Low current at rest", "Confirms by light and sound",
    "Made for Canadian winters: works from -40 °C", "Fits behind the glove box", "Two years of warranty",
    "Fused and labelled leads", "Works with manual and automatic transmissions", "Quiet valet mode",
)  # fmt: skip


@dataclass(frozen=True)
class DemoVariant:
    id: str
    sku: str
    name: str
    msrp: str
    on_hand: int
    is_awaited: bool


@dataclass(frozen=True)
class DemoProduct:
    """`msrp` in dollars; `related` are numbers of earlier products."""

    number: int
    kind: Kind
    brand: str
    name: str
    case_quantity: int
    is_for_purchase: bool
    popularity: int
    variants: tuple[DemoVariant, ...]
    related: tuple[int, ...]
    features: tuple[str, ...]
    vehicle: str

    @property
    def id(self) -> str:
        return product_id(self.number)

    @property
    def sku(self) -> str:
        return self.variants[0].sku

    @property
    def search_text(self) -> str:
        skus = [variant.sku for variant in self.variants]
        return words_of(self.name, self.brand, self.kind.name, *skus)

    @property
    def description(self) -> list[dict[str, object]]:
        """Rich text, in the blocks of `domain.content.pages`."""
        thing = self.kind.name.lower()
        rows = [["Part number", self.sku], ["Packed by", str(self.case_quantity)]]
        if self.vehicle:
            rows.append(["Made for", self.vehicle])
        return [
            {"type": "paragraph", "text": f"The <b>{self.name}</b> by {self.brand}: {thing} for daily work."},
            {"type": "header", "level": 2, "text": "What it does"},
            {"type": "list", "style": "unordered", "items": list(self.features)},
            {"type": "header", "level": 2, "text": "Details"},
            {"type": "table", "head": ["Property", "Value"], "rows": rows},
            {"type": "paragraph", "text": "Demo data: this product is invented."},
        ]  # fmt: skip

    @property
    def attributes(self) -> list[dict[str, object]]:
        named: list[tuple[str, str, list[str]]] = [
            ("Brand Name", "brand-name", [self.brand]),
            ("Category", "category", [self.kind.name]),
        ]
        if self.vehicle:
            named.append(("Vehicle", "vehicle", [self.vehicle]))
        return [{"name": name, "slug": slug, "values": values} for name, slug, values in named]


def products(first: int, last: int) -> Iterator[DemoProduct]:
    """The products with these numbers, both included."""
    order = list(_DECK)
    Random(SEED).shuffle(order)
    for number in range(first, last + 1):
        yield _product(number, order[(number - 1) % len(order)])


def product_id(number: int) -> str:
    return f"p{number}"


def _product(number: int, kind: Kind) -> DemoProduct:
    """Of a source of chance of its own, so that no product depends on another."""
    chance = Random(SEED * 1_000_003 + number)
    brand = chance.choice(kind.brands)
    thing = chance.choice(kind.things)
    vehicle = _vehicle(chance) if kind.fits else ""
    series = f"{chance.choice('ABDEGKLMPRSTX')}{chance.randint(10, 99)}{chance.choice('05')}"
    msrp = _dollars(chance, kind)
    stem = f"{_BRAND_CODES[brand]}-{kind.code}-{number:04d}"
    count = 2 if chance.random() < SECOND_VARIANT else 1
    on_hand = 0 if chance.random() < BACKORDERED else chance.randint(1, 400)
    return DemoProduct(
        number=number,
        kind=kind,
        brand=brand,
        name=f"{brand} {series} {thing}" + (f" for {vehicle}" if vehicle else ""),
        case_quantity=chance.choice(_CASES),
        is_for_purchase=chance.random() >= NOT_FOR_PURCHASE,
        popularity=int(2000 / chance.randint(1, 300)),
        variants=tuple(
            DemoVariant(
                id=f"v{number}-{place}",
                sku=f"{stem}-{suffix}",
                name=name if count > 1 else "",
                msrp=f"{msrp * (1 + 0.25 * place) - 0.01:.2f}",
                on_hand=on_hand if place == 0 else chance.randint(0, 60),
                is_awaited=on_hand == 0,
            )
            for place, (suffix, name) in enumerate(kind.variants[:count])
        ),
        related=_related(number, chance),
        features=tuple(chance.sample(_FEATURES, 4)),
        vehicle=vehicle,
    )


def _dollars(chance: Random, kind: Kind) -> int:
    return max(5, min(899, round(kind.middle * chance.lognormvariate(0, kind.spread))))


def _vehicle(chance: Random) -> str:
    make, model, first, last = chance.choice(_VEHICLES)
    begin = chance.randint(max(first, 2008), max(last - 1, 2008, first))
    return f"{make} {model} {begin}-{min(begin + chance.randint(2, 6), max(last, begin + 1))}"


def _related(number: int, chance: Random) -> tuple[int, ...]:
    """One to three earlier ones; the first product has none."""
    earlier = range(max(1, number - 60), number)
    return tuple(chance.sample(earlier, k=min(len(earlier), chance.randint(1, 3))))
