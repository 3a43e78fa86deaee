"""iDatawire: `GET /ads-wiring/v2/vehicle-wiring?year=&make=&model=`.

Answers {vehicle: {year, make, model}, ttl, trims: [{trim, wiring: [{function, color, pin, connector, connectorColor,
connectorPins, component, componentLocation, note}], products: [{id, name}]}]}; 404 {code: unknown_vehicle, detail}
for a vehicle that it does not know.
`ttl` is how many seconds an answer may be kept. `GET /ads-wiring/_ledger?vehicle=&after=` lists every request.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from simulators.ledger import Ledger
from simulators.refusal import Refusal
from simulators.wiring.vehicles import (
    COLORS,
    FUNCTIONS,
    HUGE_BYTES,
    MARK,
    TRIMS,
    chance_of,
    fail_if_sentinel,
    is_known,
    named,
    sentinel,
    text,
)

router = APIRouter(prefix="/ads-wiring")

KIND = "ads-wiring"
TTL = 3600


@router.get("/v2/vehicle-wiring")
async def vehicle_wiring(request: Request, year: int, make: str, model: str) -> Any:
    ledger: Ledger = request.app.state.ledger
    ledger.record(KIND, f"{year} {make} {model}", None, status=200)
    await fail_if_sentinel("ads", make, model, 503)
    if not is_known("ads", year, make, model):
        raise Refusal(404, "unknown_vehicle", "There is no such vehicle.")
    if sentinel(make, model) == "Garbled":
        return {"wiring": "not what was agreed"}
    if sentinel(make, model) == "Huge":
        return {"filler": "x" * HUGE_BYTES}
    shown_year, shown_make, shown_model = named(year, make, model)
    return {
        "vehicle": {"year": shown_year, "make": shown_make, "model": shown_model},
        "ttl": TTL,
        "trims": [_trim(trim, year, make, model) for trim in _trims(make, model)],
    }


@router.get("/_ledger")
async def read_ledger(
    request: Request, vehicle: str | None = None, after: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    ledger: Ledger = request.app.state.ledger
    return ledger.read(vehicle, KIND, after)


def _trims(make: str, model: str) -> list[str]:
    return sorted(chance_of("ads-trims", 0, make, model).sample(TRIMS, 2))


def _trim(trim: str, year: int, make: str, model: str) -> dict[str, Any]:
    chance = chance_of(f"ads-{trim}", year, make, model)
    rows: list[dict[str, Any]] = []
    for function, _, _ in FUNCTIONS:
        pins = chance.choice((6, 12, 20, 32))
        row = {
            "function": function,
            "color": "/".join(chance.sample(COLORS, chance.choice((1, 2)))),
            "connector": f"C{chance.randint(100, 999)}",
            "connectorColor": chance.choice(COLORS),
            "component": chance.choice(("BCM", "Ignition switch", "Fuse box", "Gateway")),
            "componentLocation": chance.choice(
                ("Left of the column", "Behind the radio", "Kick panel")
            ),
            "note": MARK,
        }
        written: dict[str, Any] = {name: text(cell, make, model) for name, cell in row.items()}
        rows.append({**written, "pin": chance.randint(1, pins), "connectorPins": pins})
    number = chance.randint(100, 999)
    return {
        "trim": text(trim, make, model),
        "wiring": rows,
        "products": [{"id": f"ADS-{number}", "name": text(f"Solution {number}", make, model)}],
    }
