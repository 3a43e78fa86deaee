"""iDatawire: wiring by pin and connector, keyed `trim` (devices spec 3: adsWiring)."""

from pydantic import Field

from domain.vehicles.wiring import Source
from providers.wiring.reading import AnswerPart, Cell
from providers.wiring.source import ProductAnswer, TrimAnswer, WiringAnswer, WiringSource


class _Row(AnswerPart, frozen=True):
    function: Cell
    color: Cell = ""
    pin: Cell = ""
    connector: Cell = ""
    connector_color: Cell = Field("", alias="connectorColor")
    connector_pins: Cell = Field("", alias="connectorPins")
    component: Cell = ""
    component_location: Cell = Field("", alias="componentLocation")
    note: Cell = ""


class _Trim(TrimAnswer, frozen=True):
    rows: tuple[_Row, ...] = Field((), alias="wiring")
    products: tuple[ProductAnswer, ...] = ()


class _Answer(WiringAnswer, frozen=True):
    max_age_seconds: int | None = Field(None, alias="ttl")
    trims: tuple[_Trim, ...]


class AdsWiring(WiringSource):
    source = Source.ADS
    path = "/v2"
    answer = _Answer

    async def _ask(self, year: int, make: str, model: str) -> bytes:
        params: dict[str, str | int] = {"year": year, "make": make, "model": model}
        return await self._http.call("wiring", "GET", "/vehicle-wiring", params=params)
