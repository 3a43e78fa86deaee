"""A third party: `POST /automob-wiring/api/Wiring` {Year, Make, Model}.

Answers {Vehicle: {Year, Make, Model}, MaxAge, Wiring: [{Trim, Rows: [{Category, Function, Color, Location, Polarity, ODR,
Limited, Notes}], Products: [{Id, Name}]}]}; Wiring is empty for a vehicle that it does not know. `MaxAge` is how many
seconds an answer may be kept. `GET /automob-wiring/_ledger?vehicle=&after=` lists every request.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict

from simulators.ledger import Ledger
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

router = APIRouter(prefix="/automob-wiring")

KIND = "automob-wiring"
MAX_AGE = 7200


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    Year: int
    Make: str
    Model: str


@router.post("/api/Wiring")
async def wiring(request: Request, asked: Asked) -> Any:
    year, make, model = asked.Year, asked.Make, asked.Model
    ledger: Ledger = request.app.state.ledger
    ledger.record(KIND, f"{year} {make} {model}", None, status=200)
    await fail_if_sentinel("automob", make, model, 500)
    if sentinel(make, model) == "Garbled":
        return ["not what was agreed"]
    if sentinel(make, model) == "Huge":
        return {"Filler": "x" * HUGE_BYTES}
    shown_year, shown_make, shown_model = named(year, make, model)
    known = is_known("automob", year, make, model)
    trims = sorted(chance_of("automob-trims", 0, make, model).sample(TRIMS, 2)) if known else []
    return {
        "Vehicle": {"Year": shown_year, "Make": shown_make, "Model": shown_model},
        "MaxAge": MAX_AGE,
        "Wiring": [_trim(trim, year, make, model) for trim in trims],
    }


@router.get("/_ledger")
async def read_ledger(
    request: Request, vehicle: str | None = None, after: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    ledger: Ledger = request.app.state.ledger
    return ledger.read(vehicle, KIND, after)


def _trim(trim: str, year: int, make: str, model: str) -> dict[str, Any]:
    chance = chance_of(f"automob-{trim}", year, make, model)
    rows: list[dict[str, str]] = []
    for function, category, polarity in FUNCTIONS:
        row = {
            "Category": category,
            "Function": function,
            "Color": "/".join(chance.sample(COLORS, chance.choice((1, 2)))),
            "Location": chance.choice(("Driver kick", "Column", "Glove box", "Fuse box")),
            "Polarity": polarity,
            "ODR": str(chance.randint(1, 40)),
            "Limited": chance.choice(("Yes", "No")),
            "Notes": MARK,
        }
        rows.append({name: text(cell, make, model) for name, cell in row.items()})
    number = chance.randint(100, 999)
    return {
        "Trim": text(trim, make, model),
        "Rows": rows,
        "Products": [{"Id": f"AM-{number}", "Name": text(f"Interface {number}", make, model)}],
    }
