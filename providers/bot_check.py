"""The verifier of bot checks, Turnstile (https://developers.cloudflare.com/turnstile): its widget hands a token to the
browser, and it judges the token once. The stand-in hands out puzzles where Turnstile has a widget."""

import httpx
import structlog
from pydantic import BaseModel, Field, ValidationError

from domain.identity.bot_check import BotChallenge
from providers.errors import Refused, Unavailable
from providers.http import HttpClient

log = structlog.get_logger()

SCRIPT = "/api.js?render=explicit"
_OURS = frozenset({"missing-input-secret", "invalid-input-secret"})
_THEIRS = frozenset({"internal-error"})


class _Verdict(BaseModel):
    success: bool
    faults: tuple[str, ...] = Field(default=(), alias="error-codes")


class BotCheck:
    """`site_key` is public and names the portal; without one nothing is checked."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        site_key: str,
        secret: str,
        has_widget: bool,
        seconds: float = 1.5,
        at_once: int = 16,
    ) -> None:
        """`base_url` is where `/siteverify` is, and the script of the widget where there is one; `seconds` limits each call;
        `at_once` the calls under way."""
        self._site_key = site_key
        self._secret = secret
        self._script = f"{base_url.rstrip('/')}{SCRIPT}" if has_widget else None
        self._wire = HttpClient(
            client,
            system="bot-check",
            base_url=base_url,
            seconds=seconds,
            at_once=at_once,
            complain=_complaint,
        )

    @property
    def is_on(self) -> bool:
        return bool(self._site_key)

    async def challenge(self) -> BotChallenge:
        """What a page has to do before a form; nothing while the check is off. Raises Unavailable."""
        if not self.is_on:
            return BotChallenge()
        if self._script:
            return BotChallenge(site_key=self._site_key, script=self._script)
        answer = await self._wire.call(
            "challenge", "POST", "/challenges", json={"key": self._site_key}
        )
        try:
            return BotChallenge.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("challenge", error) from None

    async def verify(self, answer: str, address: str) -> bool:
        """Whether this answer is right, fresh and used for the first time. Raises Unavailable, also when the verifier does
        not take our secret."""
        if not answer:
            return False
        said = {"secret": self._secret, "response": answer, "remoteip": address}
        try:
            verified = await self._wire.call("verify", "POST", "/siteverify", form=said)
        except Refused:
            return False
        try:
            verdict = _Verdict.model_validate_json(verified)
        except ValidationError as error:
            raise self._wire.unreadable("verify", error) from None
        if _OURS & set(verdict.faults):
            log.error("bot_check_secret_not_taken")
            raise Unavailable(system="bot-check", may_have_worked=False, answered=401)
        if _THEIRS & set(verdict.faults):
            raise Unavailable(system="bot-check", may_have_worked=True, answered=500)
        return verdict.success


def _complaint(body: bytes) -> tuple[str, str] | None:
    """A refusal is a verdict on the answer: a no of anybody else must turn nobody away, and a yes is none."""
    try:
        verdict = _Verdict.model_validate_json(body)
    except ValidationError:
        return None
    if verdict.success or (_OURS | _THEIRS) & set(verdict.faults):
        return None
    return "refused", "The answer was not taken."
