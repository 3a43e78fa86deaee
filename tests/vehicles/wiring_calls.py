"""Vehicles of the demo's lists, and how their wiring is asked for."""

from typing import Any

import httpx
from sqlalchemy import select

from db.base import Sessions
from db.vehicles.tables import VehicleRow
from db.vehicles.vehicles import MakeRow, ModelRow

CAMRY = {"year": 2022, "makeId": 448, "modelId": 2469}
MIRRORING_CAMRY = {"year": 2021, "makeId": 448, "modelId": 2469}


async def vehicle(sessions: Sessions, year: int, make: str, model: str) -> dict[str, int]:
    """The body that names a vehicle."""
    async with sessions() as session:
        row = (
            await session.execute(
                select(MakeRow.id, ModelRow.id)
                .join(ModelRow, ModelRow.make_id == MakeRow.id)
                .where(MakeRow.name == make, ModelRow.name == model)
            )
        ).one()
    return {"year": year, "makeId": row[0], "modelId": row[1]}


async def vehicle_id(sessions: Sessions, named: dict[str, int]) -> int:
    async with sessions() as session:
        found = await session.scalar(
            select(VehicleRow.id).where(
                VehicleRow.year == named["year"], VehicleRow.model_id == named["modelId"]
            )
        )
    assert found is not None
    return found


async def ask(browser: httpx.AsyncClient, call: str, body: Any) -> Any:
    answer = await browser.post(f"/api/{call}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()
