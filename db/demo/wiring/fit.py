"""Invented verdicts on which products fit the popular vehicles: harnesses and modules as the demo's wiring names them,
starters with the module and the plug that they need there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.tables import CategoryRow, ProductRow
from db.demo.wiring.rows import MARK, DemoVehicle
from db.platform.copying import copy_rows
from db.vehicles.fit import VehicleFitRow

HARNESSES, MODULES = "T-Harnesses", "Bypass Module"
STARTERS = ("Remote Start", "Remote Start + Security", "Controllers")
SOURCE = "Firstech"
_OTHER_PLUG = f"Its plugs are those of other vehicles. {MARK}"
_OTHER_DATA = f"Its firmware does not know this vehicle. {MARK}"
_NO_START = f"Not made for the starting system of this vehicle. {MARK}"
_LISTED = f"Listed with the wiring of this vehicle. {MARK}"
_BUILT_IN = f"Bypass built in: no module is needed. {MARK}"
_WITH_KEY = f"The immobilizer needs a bypass module. {MARK}"
_WITH_BUTTON = f"Push-to-start needs a bypass module and a T-harness. {MARK}"


@dataclass(frozen=True)
class DemoArticle:
    id: str
    number: int
    name: str
    category: str
    is_for_purchase: bool


Listed = Mapping[str, Sequence[str]]
"""By category the products that the wiring of a vehicle names."""


async def demo_articles(session: AsyncSession) -> dict[str, list[DemoArticle]]:
    """By category the demo's products that go with single vehicles."""
    rows = await session.execute(
        select(ProductRow.id, ProductRow.name, CategoryRow.name, ProductRow.is_for_purchase)
        .join(CategoryRow, CategoryRow.slug == ProductRow.category_slug)
        .where(
            CategoryRow.name.in_([HARNESSES, MODULES, *STARTERS]),
            ProductRow.id.regexp_match("^p[0-9]{1,3}$"),
        )
        .order_by(ProductRow.id)
    )
    found: dict[str, list[DemoArticle]] = {}
    for id_, name, category, is_for_purchase in rows:
        one = DemoArticle(id_, int(id_[1:]), name, category, is_for_purchase)
        found.setdefault(category, []).append(one)
    return found


async def add_fit(session: AsyncSession, listed: Sequence[tuple[DemoVehicle, Listed]]) -> None:
    """Rows for every popular vehicle."""
    articles = await demo_articles(session)
    await copy_rows(
        session,
        VehicleFitRow,
        "vehicle_id product_id verdict needs reason source",
        (
            (vehicle.id, *row, SOURCE)
            for vehicle, of_vehicle in listed
            for row in fit_rows(vehicle, of_vehicle, articles)
        ),
    )


def fit_rows(
    vehicle: DemoVehicle, listed: Listed, articles: dict[str, list[DemoArticle]]
) -> Iterator[tuple[str, str, list[str], str]]:
    """Product, verdict, needs and reason."""
    needed: dict[str, str] = {}
    for category, other in ((HARNESSES, _OTHER_PLUG), (MODULES, _OTHER_DATA)):
        for one in articles.get(category, ()):
            is_listed = one.id in listed[category]
            yield (
                one.id,
                "fits" if is_listed else "does_not_fit",
                [],
                _LISTED if is_listed else other,
            )
        sold = {one.id for one in articles.get(category, ()) if one.is_for_purchase}
        first = next((id_ for id_ in listed[category] if id_ in sold), None)
        if first:
            needed[category] = first
    has_button = vehicle.ignitions == ("pts",)
    needs = [
        needed[one] for one in (MODULES, *([HARNESSES] if has_button else [])) if one in needed
    ]
    for category in STARTERS:
        for one in articles.get(category, ()):
            if one.number % 7 == 0:
                continue
            if (vehicle.id + one.number) % 11 == 0:
                yield one.id, "does_not_fit", [], _NO_START
            elif "All-in-One" in one.name or not needs:
                yield one.id, "fits", [], _BUILT_IN
            else:
                yield one.id, "needs", needs, _WITH_BUTTON if has_button else _WITH_KEY
