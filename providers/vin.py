"""The decoder of VINs: year, make and model of a car (devices spec 7 and 8).

It speaks the public U.S. decoder's `DecodeVINValuesBatch` (NHTSA vPIC). The VIN travels in the body, because addresses are
what proxies and access logs keep. An answer of 200 may be an error: `ErrorCode` lists what was found, by commas.
"""

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from domain.vehicles.vehicles import (
    DecodedVehicle,
    NoVehicleData,
    Vin,
    VinSearchUnavailable,
    decoded_vehicle,
)
from providers.breaker import Breaker
from providers.errors import Busy, Refused, Unavailable
from providers.http import HttpClient

AWAY = 503
MOST_BYTES = 1_000_000
"""What is told of one car has a few thousand."""
UNREGISTERED = "7"
"""Nobody builds cars under the first three characters."""


class _Result(BaseModel):
    """What the decoder does not know comes as an empty text or not at all."""

    model_config = ConfigDict(coerce_numbers_to_str=True, str_max_length=100)

    ErrorCode: str | None = None
    ModelYear: str | None = None
    Make: str | None = None
    Model: str | None = None

    @property
    def errors(self) -> frozenset[str]:
        return frozenset(code.strip() for code in (self.ErrorCode or "").split(","))


class _Decoded(BaseModel):
    Results: tuple[_Result, ...] = Field(min_length=1)


class VinDecoder:
    """Asks about one VIN at a time. Nothing is written there, and nothing is tried again by itself."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        seconds: float = 2.5,
        at_once: int = 16,
        breaker: Breaker | None = None,
    ) -> None:
        """`base_url` without `/vehicles`; `seconds` limits each call; `at_once` the calls under way; `breaker` leaves it alone
        where it is silent."""
        self._wire = HttpClient(
            client,
            system="vin",
            base_url=f"{base_url.rstrip('/')}/vehicles",
            seconds=seconds,
            at_once=at_once,
            most_bytes=MOST_BYTES,
            breaker=breaker,
        )

    async def decode(self, vin: Vin) -> DecodedVehicle:
        """The car in the decoder's words. Raises VinIncomplete, VinSearchUnavailable, NoVehicleData."""
        try:
            answer = await self._wire.call(
                "decode",
                "POST",
                "/DecodeVINValuesBatch/",
                form={"format": "json", "DATA": vin},
            )
            decoded = _Decoded.model_validate_json(answer).Results[0]
        except Busy as error:
            raise VinSearchUnavailable(retry_after=error.retry_after) from None
        except Unavailable as error:
            if error.answered == AWAY:
                raise VinSearchUnavailable(retry_after=error.retry_after) from None
            raise NoVehicleData from None
        except Refused:
            raise NoVehicleData from None
        except ValidationError as error:
            self._wire.unreadable("decode", error)
            raise NoVehicleData from None
        if UNREGISTERED in decoded.errors:
            raise NoVehicleData
        return decoded_vehicle(
            year=decoded.ModelYear or "", make=decoded.Make or "", model=decoded.Model or ""
        )
