"""What we know of a vehicle ourselves, and what outside sources said of it (devices spec 3 and 7)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, func, literal, select, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Executes
from db.vehicles.tables import (
    StoredWiringRow,
    VehicleCategoryRow,
    VehicleInstructionRow,
    VehicleProductRow,
    VehicleRow,
    VehicleWireRow,
)
from db.vehicles.vehicles import MakeRow, ModelRow
from domain.vehicles.vehicles import Vehicle
from domain.vehicles.wiring import (
    MOST_ROWS,
    Category,
    Ignition,
    Instruction,
    Source,
    SourcedWiring,
    Wire,
    category_title,
    category_uuid,
)

_COLUMNS = (
    VehicleRow.id,
    VehicleRow.year,
    MakeRow.id.label("make_id"),
    MakeRow.name.label("make"),
    ModelRow.id.label("model_id"),
    ModelRow.name.label("model"),
    VehicleRow.trims,
    VehicleRow.description,
    VehicleRow.vehicle_description,
    VehicleRow.image,
    VehicleRow.mirrors_vehicle,
    VehicleRow.created_at,
    VehicleRow.updated_at,
)
_VEHICLES = (
    select(*_COLUMNS)
    .join(ModelRow, ModelRow.id == VehicleRow.model_id)
    .join(MakeRow, MakeRow.id == ModelRow.make_id)
)
_NAMED = _VEHICLES.where(
    VehicleRow.year == bindparam("year"),
    VehicleRow.model_id == bindparam("model_id"),
    ModelRow.make_id == bindparam("make_id"),
)
_BY_ID = _VEHICLES.where(VehicleRow.id == bindparam("id"))
"""What a page of a vehicle asks is put together once: that takes longer than to run it."""


async def find_vehicle(
    session: Executes, *, year: int, make_id: int, model_id: int
) -> Vehicle | None:
    """The vehicle, if the model is of the make and was made in the year."""
    known = {"year": year, "model_id": model_id, "make_id": make_id}
    row = (await session.execute(_NAMED, known)).first()
    return Vehicle.model_validate(row, from_attributes=True) if row else None


async def vehicle_by_id(session: Executes, vehicle_id: int) -> Vehicle | None:
    row = (await session.execute(_BY_ID, {"id": vehicle_id})).first()
    return Vehicle.model_validate(row, from_attributes=True) if row else None


async def categories_of(
    session: Executes, vehicle_id: int
) -> tuple[tuple[Category, ...], tuple[Category, ...]]:
    """Categories of wires and of instructions that the vehicle has rows in; a split one is two."""
    rows = (await session.execute(_CATEGORIES, {"vehicle_id": vehicle_id})).all()
    wiring, instructions = (
        tuple(
            Category(
                uuid=category_uuid(row.uuid, _ignition(row.ignition)),
                title=category_title(row.title, _ignition(row.ignition)),
                count=row.rows,
            )
            for row in rows
            if row.kind == kind
        )
        for kind in ("wiring", "instructions")
    )
    return wiring, instructions


def _of_kind(
    kind: str, table: type[VehicleWireRow | VehicleInstructionRow]
) -> Select[*tuple[Any, ...]]:
    return (
        select(
            literal(kind).label("kind"),
            VehicleCategoryRow.uuid,
            VehicleCategoryRow.title,
            VehicleCategoryRow.position,
            table.ignition,
            func.count().label("rows"),
        )
        .join(table, table.category_uuid == VehicleCategoryRow.uuid)
        .where(table.vehicle_id == bindparam("vehicle_id"))
        .group_by(
            VehicleCategoryRow.uuid,
            VehicleCategoryRow.title,
            VehicleCategoryRow.position,
            table.ignition,
        )
    )


_CATEGORIES = (
    union_all(_of_kind("wiring", VehicleWireRow), _of_kind("instructions", VehicleInstructionRow))
    .order_by("position", "ignition")
    .limit(200)
)


async def wires_of(
    session: AsyncSession,
    vehicle_id: int,
    category: str | None = None,
    ignition: Ignition | None = None,
) -> tuple[Wire, ...]:
    """Wires of one category, or all; each names the category that it stands in."""
    wanted = (
        select(VehicleWireRow, VehicleCategoryRow.title, VehicleRow.updated_at)
        .join(VehicleCategoryRow, VehicleCategoryRow.uuid == VehicleWireRow.category_uuid)
        .join(VehicleRow, VehicleRow.id == VehicleWireRow.vehicle_id)
        .where(VehicleWireRow.vehicle_id == vehicle_id)
        .order_by(VehicleWireRow.position)
        .limit(MOST_ROWS)
    )
    if category is not None:
        wanted = wanted.where(
            VehicleWireRow.category_uuid == category, VehicleWireRow.ignition == (ignition or "")
        )
    rows = await session.execute(wanted)
    return tuple(
        Wire(
            function=wire.function,
            color=wire.color,
            location=wire.location,
            pin_out=wire.pin_out,
            polarity=wire.polarity,
            images=tuple(wire.images),
            category=category_title(title, _ignition(wire.ignition)),
            trim=wire.trim,
            source=Source.INTERNAL,
            fetched_at=updated_at,
        )
        for wire, title, updated_at in rows
    )


async def instructions_of(
    session: AsyncSession, vehicle_id: int, category: str, ignition: Ignition | None
) -> tuple[Instruction, ...]:
    rows = await session.execute(
        select(
            VehicleInstructionRow.position, VehicleInstructionRow.text, VehicleInstructionRow.image
        )
        .where(
            VehicleInstructionRow.vehicle_id == vehicle_id,
            VehicleInstructionRow.category_uuid == category,
            VehicleInstructionRow.ignition == (ignition or ""),
        )
        .order_by(VehicleInstructionRow.position)
        .limit(200)
    )
    return tuple(Instruction.model_validate(row, from_attributes=True) for row in rows)


async def skus_of(session: Executes, vehicle_id: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """SKUs of T-harnesses and of modules that go with the vehicle, as the source of the wiring calls them."""
    rows = (await session.execute(_SKUS, {"vehicle_id": vehicle_id})).all()
    harnesses, modules = (
        tuple(row.sku for row in rows if row.role == role) for role in ("t_harness", "module")
    )
    return harnesses, modules


_SKUS = (
    select(VehicleProductRow.role, VehicleProductRow.sku)
    .where(VehicleProductRow.vehicle_id == bindparam("vehicle_id"))
    .order_by(VehicleProductRow.position)
    .limit(200)
)


async def stored_wiring(
    session: Executes, vehicle_id: int, since: datetime
) -> dict[Source, SourcedWiring]:
    """What outside sources said of the vehicle after `since`."""
    rows = await session.scalars(_STORED, {"vehicle_id": vehicle_id, "since": since})
    known = [SourcedWiring.model_validate(row) for row in rows]
    return {one.source: one for one in known}


_STORED = (
    select(StoredWiringRow.wiring)
    .where(
        StoredWiringRow.vehicle_id == bindparam("vehicle_id"),
        StoredWiringRow.fetched_at >= bindparam("since"),
    )
    .limit(len(Source))
)


async def save_wiring(
    session: AsyncSession, vehicle_id: int, wirings: Sequence[SourcedWiring]
) -> None:
    """In the place of what was kept before."""
    for one in sorted(wirings, key=lambda wiring: wiring.source):
        values = {
            "wiring": one.model_dump(mode="json"),
            "fetched_at": one.fetched_at,
            "fresh_until": one.fresh_until,
        }
        await session.execute(
            insert(StoredWiringRow)
            .values(source=one.source.value, vehicle_id=vehicle_id, **values)
            .on_conflict_do_update(index_elements=["source", "vehicle_id"], set_=values)
        )


def _ignition(held: str) -> Ignition | None:
    return Ignition(held) if held else None
