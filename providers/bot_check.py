"""The verifier of bot checks: hands out puzzles and judges their answers."""

import httpx
from pydantic import BaseModel, ValidationError

from domain.identity.bot_check import BotChallenge
from providers.errors import Refused
from providers.http import Wire


class _Verdict(BaseModel):
    success: bool


class BotCheck:
    """`site_key` is public and names the portal; without one nothing is checked."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        site_key: str,
        secret: str,
        seconds: float = 1.5,
        at_once: int = 16,
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._site_key = site_key
        self._secret = secret
        self._wire = Wire(
            client,
            system="bot-check",
            base_url=f"{base_url.rstrip('/')}/v1",
            seconds=seconds,
            at_once=at_once,
        )

    @property
    def is_on(self) -> bool:
        return bool(self._site_key)

    async def challenge(self) -> BotChallenge:
        """A fresh puzzle; none while the check is off. Raises Unavailable."""
        if not self.is_on:
            return BotChallenge()
        answer = await self._wire.call(
            "challenge", "POST", "/challenges", json={"key": self._site_key}
        )
        try:
            return BotChallenge.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("challenge", error) from None

    async def verify(self, answer: str, address: str) -> bool:
        """Whether this answer is right, fresh and used for the first time. Raises Unavailable."""
        said = {"secret": self._secret, "response": answer, "address": address}
        try:
            told = await self._wire.call("verify", "POST", "/verify", json=said)
        except Refused:
            return False
        try:
            return _Verdict.model_validate_json(told).success
        except ValidationError as error:
            raise self._wire.unreadable("verify", error) from None
