"""iDatawire: wiring by pin and connector, keyed `trim` (devices spec 3: adsWiring)."""

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
    function: Cell
    color: Cell = ""
    pin: Cell = ""
    connector: Cell = ""
    connector_color: Cell = Field("", alias="connectorColor")
    connector_pins: Cell = Field("", alias="connectorPins")
    component: Cell = ""
    component_location: Cell = Field("", alias="componentLocation")
    note: Cell = ""


class _Product(Told):
    id: Cell
    name: Cell


class _Trim(Told):
    trim: Cell
    wiring: tuple[_Row, ...] = ()
    products: tuple[_Product, ...] = ()


class _Vehicle(Told):
    year: Cell
    make: Cell
    model: Cell


class _Answer(Told):
    vehicle: _Vehicle
    ttl: int | None = None
    trims: tuple[_Trim, ...]


class AdsWiring:
    """Reads wiring. Nothing is written there, and nothing is tried again by itself."""

    source = Source.ADS

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 2.5, at_once: int = 16
    ) -> None:
        """`base_url` without `/v2`; `seconds` limits each call; `at_once` the calls under way."""
        self._http = HttpWire(
            client,
            system=self.source,
            base_url=f"{base_url.rstrip('/')}/v2",
            seconds=seconds,
            at_once=at_once,
        )

    async def wiring(self, year: int, make: str, model: str) -> SourcedWiring:
        """By trim; no trims for a vehicle that it does not know. Raises Unavailable."""
        now = now_utc()
        try:
            answer = await self._http.call(
                "wiring",
                "GET",
                "/vehicle-wiring",
                params={"year": year, "make": make, "model": model},
            )
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
                wires=tuple(wire_of(self.source, row, one.trim, now) for row in one.wiring),
                products=tuple(TrimProduct(id=p.id, name=p.name) for p in one.products),
            )
            for one in told.trims
        )
        return sourced(self.source, trims, now=now, kept_seconds=told.ttl)
