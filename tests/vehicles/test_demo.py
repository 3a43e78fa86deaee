"""The demo's vehicles: large enough to be real to use, and loaded once."""

import re
from pathlib import Path

from sqlalchemy import func, select

from db.base import Sessions
from db.demo.wiring.load import add_wiring
from db.demo.wiring.rows import CONNECTORS, MARK
from db.vehicles.tables import VehicleRow, VehicleWireRow
from db.vehicles.vehicles import MakeRow, ModelRow

PICTURES = Path(__file__).resolve().parents[2] / "web" / "public" / "pictures" / "wiring"


async def test_the_demo_has_vehicles_at_full_size(sessions: Sessions, wired: object) -> None:
    async with sessions() as session:
        counts = [
            await session.scalar(select(func.count()).select_from(table))
            for table in (MakeRow, ModelRow, VehicleRow)
        ]
        popular = await session.scalar(select(func.count(VehicleWireRow.vehicle_id.distinct())))
        marked = await session.scalar(
            select(func.count()).where(VehicleRow.description.contains(MARK))
        )
    least = (60, 900, 12_000)
    assert all((count or 0) >= size for count, size in zip(counts, least, strict=True))
    assert (popular or 0) >= 300
    assert marked == popular


async def test_it_is_added_once(sessions: Sessions, wired: object) -> None:
    async with sessions.begin() as session:
        assert not await add_wiring(session)


def test_every_picture_is_there_and_draws_without_scripts() -> None:
    for name in (*CONNECTORS, "vehicle"):
        drawn = (PICTURES / f"{name}.svg").read_text()
        assert not re.search(r"<script|href=", drawn)
