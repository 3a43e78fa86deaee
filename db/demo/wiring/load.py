"""Loads vehicles of single years with their invented wiring by COPY, in the transaction of its session.

Vehicles that are there already stay as they are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from psycopg.types.json import Jsonb
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.tables import CategoryRow, ProductRow, SkuAliasRow
from db.demo.vehicles.models import MODELS, add_vehicles
from db.demo.wiring.fit import HARNESSES, MODULES, add_fit
from db.demo.wiring.guides import FOLDERS, documents
from db.demo.wiring.rows import (
    CATEGORIES,
    POPULAR_YEARS,
    DemoVehicle,
    instructions,
    vehicle_id,
    wires,
)
from db.platform.copying import copy_rows
from db.vehicles.tables import (
    GuideDocumentRow,
    GuideFolderRow,
    ProductFeatureRow,
    VehicleCategoryRow,
    VehicleDocumentRow,
    VehicleInstructionRow,
    VehicleProductRow,
    VehicleRow,
    VehicleWireRow,
)
from db.vehicles.vehicles import MakeRow, ModelRow

_MIRRORED = (1, -1)
"""A common model is wired like that of the year before or after, where only that one is known."""


Article = tuple[str, str, str]
"""Id, SKU and name of a product."""


async def add_wiring(session: AsyncSession) -> bool:
    """Everything at once, for vehicles that `add_vehicles` made. Answers whether anything was added."""
    if await session.scalar(select(func.count()).select_from(VehicleRow)):
        return False
    await add_vehicles(session)
    vehicles = list(_vehicles(await _models(session)))
    popular = [one for one in vehicles if one.is_popular]
    first = [one for one in vehicles if one.mirrors is None]
    rest = [one for one in vehicles if one.mirrors is not None]
    await copy_rows(
        session,
        VehicleRow,
        "id model_id year trims description vehicle_description image mirrors_vehicle",
        map(_vehicle_row, (*first, *rest)),
    )
    await session.execute(
        insert(VehicleCategoryRow).on_conflict_do_nothing(),
        [
            {"uuid": one.uuid, "kind": one.kind, "title": one.title, "position": place}
            for place, one in enumerate(CATEGORIES)
        ],
    )
    await copy_rows(
        session,
        VehicleWireRow,
        "vehicle_id position category_uuid ignition function color location pin_out polarity images trim",
        _numbered(popular, wires),
    )
    await copy_rows(
        session,
        VehicleInstructionRow,
        "vehicle_id position category_uuid ignition text image",
        _numbered(popular, instructions),
    )
    await _add_guides(session, popular)
    await _add_products(session, popular)
    return True


async def _models(session: AsyncSession) -> Sequence[tuple[int, str, str, int, int]]:
    rows = await session.execute(
        select(ModelRow.id, MakeRow.name, ModelRow.name, ModelRow.first_year, ModelRow.last_year)
        .join(MakeRow, MakeRow.id == ModelRow.make_id)
        .order_by(ModelRow.id)
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def _vehicles(models: Iterable[tuple[int, str, str, int, int]]) -> Iterator[DemoVehicle]:
    common = {(make, entry[0]) for make, entries in MODELS.items() for entry in entries}
    for id_, make, model, first, last in models:
        years = range(first, last + 1)
        wired = [year for year in POPULAR_YEARS if year in years and (make, model) in common]
        for year in years:
            near = [year + step for step in _MIRRORED if year + step in wired]
            is_popular = year in wired
            mirrors = vehicle_id(id_, near[0]) if near and not is_popular else None
            yield DemoVehicle(vehicle_id(id_, year), id_, year, make, model, is_popular, mirrors)


def _vehicle_row(one: DemoVehicle) -> tuple[object, ...]:
    about = f"{one.year} {one.make} {one.model}"
    return (
        one.id,
        one.model_id,
        one.year,
        one.trims,
        one.description,
        about,
        "/pictures/wiring/vehicle.svg" if one.is_popular else None,
        one.mirrors,
    )


def _numbered(
    vehicles: Iterable[DemoVehicle],
    rows_of: Callable[[DemoVehicle], Iterator[tuple[object, ...]]],
) -> Iterator[tuple[object, ...]]:
    for vehicle in vehicles:
        for position, row in enumerate(rows_of(vehicle)):
            yield vehicle.id, position, *row


async def _add_guides(session: AsyncSession, popular: Sequence[DemoVehicle]) -> None:
    await session.execute(
        insert(GuideFolderRow).on_conflict_do_nothing(),
        [
            {"slug": slug, "parent": parent, "title": title, "description": about, "position": at}
            for at, (slug, parent, title, about) in enumerate(FOLDERS)
        ],
    )
    written = list(documents())
    await copy_rows(
        session,
        GuideDocumentRow,
        "slug folder title kind blocks position updated_at",
        ((*row[:4], Jsonb(row[4]), *row[5:]) for row in written),
    )
    slugs = [row[0] for row in written]
    await copy_rows(
        session,
        VehicleDocumentRow,
        "vehicle_id slug position",
        (
            (vehicle.id, slug, place)
            for vehicle in popular
            for place, slug in enumerate(vehicle.chance.sample(slugs, 3))
        ),
    )


async def _add_products(session: AsyncSession, popular: Sequence[DemoVehicle]) -> None:
    """Harnesses and modules of the catalogue; some under an SKU that they had once."""
    harnesses = await _skus(session, HARNESSES)
    modules = await _skus(session, MODULES)
    if not harnesses or not modules:
        return
    chosen = [
        (vehicle, _listed(vehicle, harnesses, 3), _listed(vehicle, modules, 4))
        for vehicle in popular
    ]
    await copy_rows(
        session,
        VehicleProductRow,
        "vehicle_id role sku position",
        (
            (vehicle.id, role, sku, place)
            for vehicle, *lists in chosen
            for role, named in zip(("t_harness", "module"), lists, strict=True)
            for place, (_, sku, _) in enumerate(named)
        ),
    )
    await add_fit(
        session,
        [
            (vehicle, {HARNESSES: [id_ for id_, *_ in plugs], MODULES: [id_ for id_, *_ in data]})
            for vehicle, plugs, data in chosen
        ],
    )
    accessories = [sku for _, sku, _ in (await _skus(session, "Accessories"))[:2]]
    await copy_rows(
        session,
        ProductFeatureRow,
        "product_id name klon keys_for_install keys_for_programming features accessories",
        (
            (
                id_,
                "Data bypass" if place % 2 else "Key bypass",
                place % 3 != 0,
                place % 3,
                1 + place % 2,
                Jsonb(
                    [
                        {"name": "Door locks", "supported": True},
                        {"name": "Tachometer output", "supported": place % 4 != 1},
                        {"name": "Takeover", "supported": place % 5 != 2},
                    ]
                ),
                accessories,
            )
            for place, (id_, *_) in enumerate(modules)
        ),
    )


def _listed(vehicle: DemoVehicle, among: Sequence[Article], count: int) -> list[Article]:
    """Those made for the same make come first."""
    mixed = vehicle.chance.sample(among, len(among))
    return sorted(mixed, key=lambda one: f" for {vehicle.make} " not in one[2])[:count]


async def _skus(session: AsyncSession, category: str) -> list[Article]:
    """The demo's products of a category; under an old SKU where there is one."""
    rows = await session.execute(
        select(
            ProductRow.id,
            func.coalesce(func.min(SkuAliasRow.alias), ProductRow.sku),
            ProductRow.name,
        )
        .join(CategoryRow, CategoryRow.slug == ProductRow.category_slug)
        .outerjoin(SkuAliasRow, SkuAliasRow.variant_id == ProductRow.default_variant_id)
        .where(CategoryRow.name == category, ProductRow.id.regexp_match("^p[0-9]{1,3}$"))
        .group_by(ProductRow.id, ProductRow.sku, ProductRow.name)
        .order_by(ProductRow.id)
    )
    return [(row[0], row[1], row[2]) for row in rows]
