"""The third party: wiring by category, keyed `Trim` (devices spec 3: autoMobWiring)."""

from pydantic import Field

from domain.vehicles.wiring import Source
from providers.wiring.reading import AnswerPart, Cell
from providers.wiring.source import (
    ProductAnswer,
    TrimAnswer,
    VehicleAnswer,
    WiringAnswer,
    WiringSource,
)


class _Row(AnswerPart, frozen=True):
    category: Cell = Field("", alias="Category")
    function: Cell = Field(alias="Function")
    color: Cell = Field("", alias="Color")
    location: Cell = Field("", alias="Location")
    polarity: Cell = Field("", alias="Polarity")
    odr: Cell = Field("", alias="ODR")
    limited: Cell = Field("", alias="Limited")
    notes: Cell = Field("", alias="Notes")


class _Product(ProductAnswer, frozen=True):
    id: Cell = Field(alias="Id")
    name: Cell = Field(alias="Name")


class _Trim(TrimAnswer, frozen=True):
    trim: Cell = Field(alias="Trim")
    rows: tuple[_Row, ...] = Field((), alias="Rows")
    products: tuple[_Product, ...] = Field((), alias="Products")


class _Vehicle(VehicleAnswer, frozen=True):
    year: Cell = Field(alias="Year")
    make: Cell = Field(alias="Make")
    model: Cell = Field(alias="Model")


class _Answer(WiringAnswer, frozen=True):
    vehicle: _Vehicle = Field(alias="Vehicle")
    max_age_seconds: int | None = Field(None, alias="MaxAge")
    trims: tuple[_Trim, ...] = Field(alias="Wiring")


class AutoMobWiring(WiringSource):
    source = Source.AUTOMOB
    path = "/api"
    answer = _Answer

    async def _ask(self, year: int, make: str, model: str) -> bytes:
        asked = {"Year": year, "Make": make, "Model": model}
        return await self._http.call("wiring", "POST", "/Wiring", json=asked)
