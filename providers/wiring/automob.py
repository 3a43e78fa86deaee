"""The third party: wiring by category, keyed `Trim` (devices spec 3: autoMobWiring)."""

import httpx
from pydantic import Field, ValidationError

from domain.vehicles.wiring import Source, SourcedWiring, TrimProduct, TrimWiring
from providers.errors import Refused
from providers.http import Wire as HttpWire
from providers.wiring.reading import (
    Cell,
    Told,
    check_size,
    check_vehicle,
    now_utc,
    sourced,
    wire_of,
)


class _Row(Told):
    category: Cell = Field("", alias="Category")
    function: Cell = Field(alias="Function")
    color: Cell = Field("", alias="Color")
    location: Cell = Field("", alias="Location")
    polarity: Cell = Field("", alias="Polarity")
    odr: Cell = Field("", alias="ODR")
    limited: Cell = Field("", alias="Limited")
    notes: Cell = Field("", alias="Notes")


class _Product(Told):
    id: Cell = Field(alias="Id")
    name: Cell = Field(alias="Name")


class _Trim(Told):
    trim: Cell = Field(alias="Trim")
    rows: tuple[_Row, ...] = Field((), alias="Rows")
    products: tuple[_Product, ...] = Field((), alias="Products")


class _Vehicle(Told):
    year: Cell = Field(alias="Year")
    make: Cell = Field(alias="Make")
    model: Cell = Field(alias="Model")


class _Answer(Told):
    vehicle: _Vehicle = Field(alias="Vehicle")
    max_age: int | None = Field(None, alias="MaxAge")
    wiring: tuple[_Trim, ...] = Field(alias="Wiring")


class AutoMobWiring:
    """Reads wiring. Nothing is written there, and nothing is tried again by itself."""

    source = Source.AUTOMOB

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 2.5, at_once: int = 16
    ) -> None:
        """`base_url` without `/api`; `seconds` limits each call; `at_once` the calls under way."""
        self._http = HttpWire(
            client,
            system=self.source,
            base_url=f"{base_url.rstrip('/')}/api",
            seconds=seconds,
            at_once=at_once,
        )

    async def wiring(self, year: int, make: str, model: str) -> SourcedWiring:
        """By trim; no trims for a vehicle that it does not know. Raises Unavailable."""
        now = now_utc()
        asked = {"Year": year, "Make": make, "Model": model}
        try:
            answer = await self._http.call("wiring", "POST", "/Wiring", json=asked)
        except Refused:
            return sourced(self.source, (), now=now, kept_seconds=None)
        check_size(self.source, answer)
        try:
            told = _Answer.model_validate_json(answer)
        except ValidationError as error:
            raise self._http.unreadable("wiring", error) from None
        check_vehicle((year, make, model), **told.vehicle.model_dump(), source=self.source)
        trims = (
            TrimWiring(
                trim=one.trim,
                wires=tuple(wire_of(self.source, row, one.trim, now) for row in one.rows),
                products=tuple(TrimProduct(id=p.id, name=p.name) for p in one.products),
            )
            for one in told.wiring
        )
        return sourced(self.source, trims, now=now, kept_seconds=told.max_age)
