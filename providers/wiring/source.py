"""What both sources are: how one is asked, and how what it tells becomes the normalised table. Each has words of its own."""

from abc import ABC, abstractmethod
from typing import ClassVar

import httpx
from pydantic import ValidationError

from domain.vehicles.wiring import Source, SourcedWiring, TrimProduct, TrimWiring
from providers.breaker import Breaker
from providers.errors import Refused, Unavailable
from providers.http import HttpClient
from providers.wiring.reading import (
    MOST_BYTES,
    AnswerPart,
    Cell,
    check_vehicle,
    now_utc,
    sourced,
    wire_of,
)

UNKNOWN_VEHICLE = "unknown_vehicle"
"""The code of a refusal for a vehicle that it does not know. Any other one says nothing of the vehicle."""


class ProductAnswer(AnswerPart, frozen=True):
    id: Cell
    name: Cell


class TrimAnswer(AnswerPart, frozen=True):
    trim: Cell
    rows: tuple[AnswerPart, ...]
    products: tuple[ProductAnswer, ...]


class VehicleAnswer(AnswerPart, frozen=True):
    year: Cell
    make: Cell
    model: Cell


class WiringAnswer(AnswerPart, frozen=True):
    vehicle: VehicleAnswer
    max_age_seconds: int | None
    trims: tuple[TrimAnswer, ...]


class WiringSource(ABC):
    """Reads wiring. Nothing is written there, and nothing is tried again by itself."""

    source: ClassVar[Source]
    path: ClassVar[str]
    """Of all its calls, behind the address."""
    answer: ClassVar[type[WiringAnswer]]

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str | None,
        seconds: float = 2.5,
        at_once: int = 16,
        breaker: Breaker | None = None,
    ) -> None:
        """`base_url` without `path`, None where it is not used; `seconds` limits each call; `at_once` the calls under way; `breaker`
        leaves it alone where it is silent."""
        self._http = HttpClient(
            client,
            system=self.source,
            base_url=base_url and f"{base_url.rstrip('/')}{self.path}",
            seconds=seconds,
            at_once=at_once,
            most_bytes=MOST_BYTES,
            breaker=breaker,
        )

    @property
    def is_used(self) -> bool:
        return self._http.is_used

    async def wiring(self, year: int, make: str, model: str) -> SourcedWiring:
        """By trim; no trims for a vehicle that it does not know. Raises Unavailable."""
        now = now_utc()
        try:
            answer = await self._ask(year, make, model)
        except Refused as refusal:
            if refusal.code != UNKNOWN_VEHICLE:
                raise Unavailable(system=self.source, may_have_worked=False) from None
            return sourced(self.source, (), now=now, max_age_seconds=None)
        try:
            read = self.answer.model_validate_json(answer)
        except ValidationError as error:
            raise self._http.unreadable("wiring", error) from None
        check_vehicle((year, make, model), **read.vehicle.model_dump(), source=self.source)
        trims = (
            TrimWiring(
                trim=one.trim,
                wires=tuple(wire_of(self.source, row, one.trim, now) for row in one.rows),
                products=tuple(TrimProduct(id=p.id, name=p.name) for p in one.products),
            )
            for one in read.trims
        )
        return sourced(self.source, trims, now=now, max_age_seconds=read.max_age_seconds)

    @abstractmethod
    async def _ask(self, year: int, make: str, model: str) -> bytes:
        """Raises Refused, with `UNKNOWN_VEHICLE` for one that it does not know."""
