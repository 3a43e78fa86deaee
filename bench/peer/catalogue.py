"""The catalogue and the customers that every measured system is filled with. Same sizes: same bytes."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BRANDS = (
    "Arcturon", "Boreal Start", "Coldfront", "Driftline", "Evernode", "Frostbyte Auto", "Glacier Remote", "Hexalarm",
    "Ignira", "Jumpwire", "Kodiak Key", "Longreach", "Meridian Mobile", "Northkey", "Overland Link", "Polaris Fob",
    "Quickharness", "Ridgeback", "Solenoid Works", "Tundra Tech", "Umbra Security", "Vantagelock", "Winterline",
    "Xenolink", "Yukon Electronics",
)  # fmt: skip
CATEGORIES = {
    "Remote start modules": ("Remote Start Module", "All-in-One Starter", "Digital Starter Brain", "Push-to-Start Controller"),
    "Remotes and fobs": ("2-Way LCD Remote", "1-Way Remote Kit", "LED Confirming Fob", "Replacement Transmitter"),
    "T-harnesses": ("Plug-and-Play T-Harness", "Ignition Harness", "Steering Column Harness", "Push-Button Harness"),
    "Bypass and data modules": ("Transponder Bypass", "CAN Data Module", "Immobilizer Interface", "Firmware-Ready Bypass"),
    "Antennas": ("Long-Range Antenna", "FM Antenna Kit", "Windshield Antenna", "Antenna Extension Cable"),
    "Security and sirens": ("Alarm Siren", "Shock Sensor", "Tilt Sensor", "Glass Break Sensor", "Security Upgrade Kit"),
    "Telematics": ("LTE Tracker", "Smartphone Control Module", "GPS Fleet Module", "Bluetooth Start Interface"),
    "Door locks and actuators": ("Door Lock Actuator", "Trunk Release Solenoid", "Keyless Entry System", "Window Roll-Up Module"),
    "Relays and wiring": ("SPDT Relay Pack", "Fused Relay Socket", "Primary Wire Spool", "Splice Connector Kit", "Diode Pack"),
    "Installer tools": ("Programming Cable", "Module Flasher", "Multimeter Probe Set", "Panel Removal Kit"),
}  # fmt: skip
MAKES = {
    "Ford": ("F-150", "Escape", "Explorer", "Bronco"), "Chevrolet": ("Silverado", "Equinox", "Tahoe"),
    "Toyota": ("Camry", "RAV4", "Tacoma", "Highlander"), "Honda": ("Civic", "CR-V", "Pilot"),
    "Ram": ("1500", "2500"), "Jeep": ("Wrangler", "Cherokee"), "Nissan": ("Rogue", "Altima", "Frontier"),
    "Subaru": ("Outback", "Forester"), "Hyundai": ("Tucson", "Elantra"), "Kia": ("Sorento", "Sportage"),
    "Mazda": ("CX-5", "CX-9"), "Volkswagen": ("Jetta", "Tiguan"),
}  # fmt: skip
FEATURES = (
    "up to {r} feet of range", "two-way confirmation", "turbo timer mode", "temperature-controlled start",
    "diesel glow plug wait", "manual transmission reservation mode", "valet mode", "starter kill output",
    "weather-resistant housing", "over-the-air firmware updates", "low quiescent current", "RAP shutdown",
    "idle mode", "horn confirmation", "data port for smart control", "dealer-only warranty of {y} years",
)  # fmt: skip
STREETS = ("Harbour", "Mill", "King", "Station", "Foundry", "Prairie", "Lakeview")
STOCK = 1_000_000

Record = dict[str, Any]


def products(count: int) -> Iterator[Record]:
    """n, sku, name, slug, description, brand, category, price_cents, stock."""
    chance = random.Random(7)
    for number in range(1, count + 1):
        brand = chance.choice(BRANDS)
        category = chance.choice(list(CATEGORIES))
        kind = chance.choice(CATEGORIES[category])
        make = chance.choice(list(MAKES))
        model = chance.choice(MAKES[make])
        year = chance.randint(2005, 2025)
        letters = (word[0] for word in kind.replace("-", " ").split())
        prefix = (
            "".join(word[0] for word in brand.split())[:2].upper() + "".join(letters)[:3].upper()
        )
        series = f"{chance.choice('ABCDEFGHKLMPRSTX')}{chance.randint(10, 999)}"
        name = f"{brand} {series} {kind}"
        if chance.random() < 0.6:
            name += f" for {make} {model} {year}-{min(year + chance.randint(1, 6), 2026)}"
        features = [
            one.format(r=chance.choice((800, 1500, 3000, 5280)), y=chance.randint(1, 5))
            for one in chance.sample(FEATURES, 4)
        ]
        yield {
            "n": number,
            "sku": f"{prefix}-{number:06d}",
            "name": name,
            "slug": f"{_slug(name)}-{number}",
            "description": f"{kind} by {brand}, series {series}, with {', '.join(features[:-1])} and {features[-1]}. "
            f"Tested on {make} {model} from {year}. Part of {category.lower()}; sold to authorised dealers and installers.",
            "brand": brand,
            "category": category,
            "price_cents": chance.randint(499, 64999),
            "stock": STOCK,
        }


def customers(count: int) -> Iterator[Record]:
    """n, email, password, first_name, last_name, company, street, city, postal_code, country, phone."""
    chance = random.Random(11)
    for number in range(1, count + 1):
        yield {
            "n": number,
            "email": f"dealer{number:04d}@bench.example",
            "password": f"bench-dealer-{number:04d}",
            "first_name": f"Dana{number}",
            "last_name": "Dealer",
            "company": f"{chance.choice(BRANDS)} Installs {number}",
            "street": f"{chance.randint(1, 999)} {chance.choice(STREETS)} St",
            "city": "Winnipeg",
            "postal_code": "R3C 0A1",
            "country": "CA",
            "phone": f"204555{number:04d}",
        }


def terms(items: list[Record], count: int = 400) -> list[str]:
    """40 % one word, 30 % two words, 20 % a whole SKU, 10 % the first letters of a word, as a search box sends them."""
    chance = random.Random(13)
    found: list[str] = []
    for _ in range(count):
        item = chance.choice(items)
        words = re.findall(r"[A-Za-z]{4,}", item["name"])
        kind = chance.random()
        if kind < 0.4:
            found.append(chance.choice(words))
        elif kind < 0.7:
            found.append(f"{chance.choice(item['brand'].split())} {chance.choice(words)}")
        elif kind < 0.9:
            found.append(item["sku"])
        else:
            found.append(chance.choice(words)[:4])
    return found


def write(folder: Path, product_count: int, customer_count: int) -> None:
    """products.jsonl and customers.jsonl, which Vendure is filled from."""
    for name, rows in (
        ("products", products(product_count)),
        ("customers", customers(customer_count)),
    ):
        with (folder / f"{name}.jsonl").open("w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
