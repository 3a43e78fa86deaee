"""The ERP's master data: `Items`, `BusinessPartners` and the small tables that they refer to (`ItemGroups`,
`Manufacturers`, `PriceLists`, `SalesPersons`), `SpecialPrices`, each record as the Service Layer shows it, under its
code. What a business owes is `simulators/erp/accounts.py`'s.

`POST /erp/_records` {entity, records: [{…}]} adds records, or changes the fields that are given of those that are there,
and stamps them with the time of now unless they say `UpdateDate`: a new product, a restock, another price, a business
that is blocked (`Frozen`). `POST /erp/_ledger_of_records` takes records over as they stand, each code once; it answers
how many were new. `DELETE /erp/_records/{entity}/{code}` forgets one. `POST /erp/_service_layer` turns knobs: `outage`,
`latency` (seconds), `failures` (the next n calls answer 503), `session_minutes`, `page_limit` (a page holds no more
records, whatever is preferred; 0: as many), `is_expired` (every session is over).
"""

from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import accounts
from simulators.state import State

router = APIRouter(prefix="/erp")

KEYS = {
    "Items": "ItemCode",
    "BusinessPartners": "CardCode",
    "ItemGroups": "Number",
    "Manufacturers": "Code",
    "PriceLists": "PriceListNo",
    "SalesPersons": "SalesEmployeeCode",
    "SpecialPrices": "ItemCode,CardCode",
}
"""The field that names a record of each entity, or the fields that do together."""
PARTNERS = "BusinessPartners"
ITEMS = "Items"

Entity = Annotated[str, Field(pattern=f"^({'|'.join(KEYS)})$")]


class Records(BaseModel):
    model_config = ConfigDict(extra="forbid")

    entity: Entity
    records: Annotated[list[dict[str, Any]], Field(max_length=5_000)]


class Knobs(BaseModel):
    """Only what is given is changed."""

    model_config = ConfigDict(extra="forbid")

    outage: bool = False
    latency: Annotated[float, Field(ge=0, le=60)] = 0
    failures: Annotated[int, Field(ge=0, le=1_000)] = 0
    session_minutes: Annotated[int, Field(ge=1, le=1_440)] = 30
    page_limit: Annotated[int, Field(ge=0, le=10_000)] = 0
    is_expired: bool = False


@router.post("/_records")
async def change_records(request: Request, asked: Records) -> dict[str, int]:
    state: State = request.app.state.file
    with state.transaction():
        for record in asked.records:
            put(state, asked.entity, record)
    return {"changed": len(asked.records)}


@router.post("/_ledger_of_records")
async def take_over(request: Request, asked: Records) -> dict[str, int]:
    state: State = request.app.state.file
    with state.transaction() as db:
        before = db.total_changes
        db.executemany(
            "insert or ignore into erp_record (entity, code, body) values (?, ?, ?)",
            [
                (
                    asked.entity,
                    code_of(asked.entity, one),
                    orjson.dumps(_stamped(asked.entity, one)).decode(),
                )
                for one in asked.records
            ],
        )
        return {"taken": db.total_changes - before}


@router.delete("/_records/{entity}/{code}")
async def forget(request: Request, entity: str, code: str) -> dict[str, str]:
    state: State = request.app.state.file
    with state.transaction() as db:
        db.execute("delete from erp_record where entity = ? and code = ?", (entity, code))
    return {"status": "forgotten"}


@router.post("/_service_layer")
async def turn(request: Request, change: Knobs) -> dict[str, Any]:
    state: State = request.app.state.file
    given = change.model_dump(exclude_unset=True)
    with state.transaction() as db:
        if given.pop("is_expired", False):
            db.execute("delete from erp_session")
        for name, value in given.items():
            db.execute(
                "insert or replace into erp_knob (name, value) values (?, ?)",
                (name if name == "outage" else f"b1s_{name}", orjson.dumps(value).decode()),
            )
    return given


def put(state: State, entity: str, record: dict[str, Any]) -> None:
    """Adds it, or changes what is given of it, now."""
    code = code_of(entity, record)
    change = dict(record)
    if entity == PARTNERS and "CreditLimit" in change:
        accounts.change(
            state, accounts.AccountChange(code=code, credit_limit=change.pop("CreditLimit"))
        )
    if "UpdateDate" not in change:
        change |= {"UpdateDate": "", "UpdateTime": ""}
    body = _stamped(entity, {**(find(state, entity, code) or {}), **change})
    with state.transaction() as db:
        db.execute(
            "insert or replace into erp_record (entity, code, body) values (?, ?, ?)",
            (entity, code, orjson.dumps(body).decode()),
        )


def code_of(entity: str, record: dict[str, Any]) -> str:
    return "|".join(str(record[field]) for field in KEYS[entity].split(","))


def find(state: State, entity: str, code: str) -> dict[str, Any] | None:
    with state.transaction() as db:
        row = db.execute(
            "select body from erp_record where entity = ? and code = ?", (entity, code)
        ).fetchone()
    return orjson.loads(row["body"]) if row else None


def touch(state: State, code: str) -> None:
    """A business has changed, if it is held here."""
    if find(state, PARTNERS, code) is not None:
        put(state, PARTNERS, {"CardCode": code})


def move_stock(state: State, sku: str, *, in_stock: int = 0, committed: int = 0) -> None:
    """Pieces that came to the first warehouse, or were promised from it; an article that is not held here has none."""
    item = find(state, ITEMS, sku)
    if item is None or not (in_stock or committed):
        return
    first, *others = item["ItemWarehouseInfoCollection"]
    first["InStock"] += in_stock
    first["Committed"] += committed
    put(state, ITEMS, {"ItemCode": sku, "ItemWarehouseInfoCollection": [first, *others]})


def knob(state: State, name: str, default: Any) -> Any:
    with state.transaction() as db:
        row = db.execute("select value from erp_knob where name = ?", (name,)).fetchone()
    return orjson.loads(row["value"]) if row else default


def take_failure(state: State) -> bool:
    """Whether the next call is one of those that fail."""
    left = int(knob(state, "b1s_failures", 0))
    if left > 0:
        with state.transaction() as db:
            db.execute(
                "update erp_knob set value = ? where name = 'b1s_failures'", (str(left - 1),)
            )
    return left > 0


def _stamped(entity: str, record: dict[str, Any]) -> dict[str, Any]:
    """With the time of its last change, where the entity has one."""
    if entity not in (ITEMS, PARTNERS) or record.get("UpdateDate"):
        return record
    now = datetime.now(UTC)
    return {**record, "UpdateDate": f"{now:%Y-%m-%d}", "UpdateTime": f"{now:%H:%M:%S}"}
