"""One line to the device network: requests, refusals in the domain's words, answers in its shapes."""

from collections.abc import Mapping
from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from domain.devices.devices import NotInServiceMode, UnknownDevice
from providers.errors import Refused, SpecialRowNeedsQuery
from providers.http import HttpClient

SYSTEM = "device_cloud"
_SERVICE_MODE_TEXT = "device is not currently in service mode"
_SPECIAL_ROW_TEXT = "special row custom values cannot be updated while skipping queries"
_SHAPE = TypeVar("_SHAPE", bound=BaseModel)


class DeviceCloudBase:
    """What every call to the device network goes through."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        api_key: str,
        seconds: float = 7.0,
        at_once: int = 32,
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = HttpClient(
            client,
            system=SYSTEM,
            base_url=f"{base_url.rstrip('/')}/v1",
            headers={"X-Api-Key": api_key},
            seconds=seconds,
            at_once=at_once,
        )

    async def _get(
        self, operation: str, path: str, params: Mapping[str, str | int] | None = None
    ) -> bytes:
        """The body of the answer. Read only."""
        try:
            return await self._wire.call(operation, "GET", path, params=params)
        except Refused as refused:
            raise named(refused) from None

    async def _change(
        self,
        operation: str,
        method: str,
        path: str,
        body: Mapping[str, object],
        *,
        key: str,
        params: Mapping[str, str | int] | None = None,
        done: str | None = None,
    ) -> bool:
        """One change under one idempotency key; a refusal with the code `done` counts as done. Answers whether it was done
        under this key."""
        sent = {name: value for name, value in body.items() if value is not None}
        try:
            await self._wire.call(operation, method, path, json=sent, params=params, key=key)
        except Refused as refused:
            if refused.code != done:
                raise named(refused) from None
            return False
        return True

    def _read(self, shape: type[_SHAPE], operation: str, body: bytes) -> _SHAPE:
        """Raises Unavailable for an answer of another shape."""
        try:
            return shape.model_validate_json(body)
        except ValidationError as error:
            raise self._wire.unreadable(operation, error) from None


def named(refused: Refused) -> Refused | UnknownDevice | NotInServiceMode:
    """The domain's error for a refusal; the network tells the service-mode one by its text only (devices spec 8)."""
    if _SERVICE_MODE_TEXT in refused.detail.lower():
        return NotInServiceMode()
    if _SPECIAL_ROW_TEXT in refused.detail.lower():
        return SpecialRowNeedsQuery(system=SYSTEM)
    if refused.code == "device_not_found":
        return UnknownDevice()
    return refused
