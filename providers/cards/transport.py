"""The `stripe` SDK over our own HTTP client: watched, bounded in time, silent."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Mapping
from typing import Any, NoReturn, TypeVar

import httpx
import stripe
import structlog
from stripe import _util as sdk_logging

from providers.errors import Busy, Refused, Unavailable
from providers.http import MOST_BYTES, read_of, seconds_of

SYSTEM = "card-provider"
KEY_REUSED = "idempotency_key_reused"
"""The refusal of a key that came with another request before."""

# What the SDK would log holds request bodies, and those may hold card numbers.
logging.getLogger("stripe").setLevel(logging.CRITICAL)
stripe.log = None
setattr(sdk_logging, "STRIPE_LOG", None)  # noqa: B010 (its own setting, read from the environment)
stripe.enable_telemetry = False

log = structlog.get_logger()

_Answer = TypeVar("_Answer")
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_DETAIL_LIMIT = 300
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")


class _Line(stripe.HTTPClient):
    """Carries the SDK's requests. `seconds` bounds one call from connect to last byte."""

    name = "turnkey"

    def __init__(self, client: httpx.AsyncClient, seconds: float) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]: the SDK leaves one argument untyped
        self._client = client
        self._seconds = seconds
        self._limits = httpx.Timeout(seconds, connect=min(2.0, seconds / 2))

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str], post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        try:
            async with asyncio.timeout(self._seconds):
                async with self._client.stream(
                    method, url, headers=dict(headers), content=post_data, timeout=self._limits
                ) as response:
                    answer = await read_of(response, MOST_BYTES)
        except (httpx.RequestError, TimeoutError) as error:
            raise stripe.APIConnectionError(
                type(error).__name__, should_retry=not isinstance(error, _UNSENT)
            ) from None
        if len(answer) > MOST_BYTES:
            raise stripe.APIConnectionError("TooLong", should_retry=True)
        return answer, response.status_code, response.headers

    async def close_async(self) -> None:
        """The client belongs to whoever made it."""

    def request(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError("all calls are asynchronous")


class StripeTransport:
    """Calls to the card provider, with our errors. Logs name the operation and nothing of what was sent."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        secret_key: str,
        seconds: float,
        at_once: int,
    ) -> None:
        self.stripe = stripe.StripeClient(
            secret_key,
            base_addresses={"api": base_url.rstrip("/")},
            http_client=_Line(client, seconds),
            max_network_retries=0,
        )
        self._free = at_once

    async def ask(self, operation: str, call: Awaitable[_Answer]) -> _Answer:
        """Raises CardError and InvalidRequestError of the SDK as they are: whoever asked knows what they mean. Everything else
        is Unavailable; Busy when too many calls are under way."""
        if self._free <= 0:
            _close(call)
            log.warning("outside_call_held_back", system=SYSTEM, operation=operation)
            raise Busy(system=SYSTEM)
        self._free -= 1
        try:
            return await call
        except (stripe.CardError, stripe.InvalidRequestError) as error:
            log.info(
                "outside_call_refused",
                system=SYSTEM,
                operation=operation,
                status=error.http_status,
                code=error.code,
                theirs=named_by(error),
            )
            raise
        except stripe.IdempotencyError as error:
            if error.http_status == 409:
                raise Unavailable(
                    system=SYSTEM, may_have_worked=True, request_id=named_by(error)
                ) from None
            raise Refused(
                KEY_REUSED, "The request was refused.", system=SYSTEM, request_id=named_by(error)
            ) from None
        except stripe.StripeError as error:
            raise _failure(operation, error) from None
        finally:
            self._free += 1


def refused(error: stripe.StripeError) -> Refused:
    """A clear no, in the provider's words."""
    return Refused(
        error.code or "refused", text_of(error), system=SYSTEM, request_id=named_by(error)
    )


def named_by(error: stripe.StripeError) -> str | None:
    """What the provider calls the request, by which its own people and its dashboard find it."""
    named = httpx.Headers(dict(error.headers or {})).get("Request-Id", "")
    return named if _NAME.fullmatch(named) else None


def is_said_again(error: stripe.StripeError) -> bool:
    """Whether it is what an earlier request under the same key was answered."""
    headers = httpx.Headers(dict(error.headers or {}))
    return headers.get("Idempotent-Replayed") == "true"


def text_of(error: stripe.StripeError) -> str:
    """What may be shown: the provider's message, cut short."""
    return (error.user_message or "The request was refused.")[:_DETAIL_LIMIT]


def plain(value: stripe.StripeObject | None) -> dict[str, Any]:
    """An object of the SDK, which is no dict, as one."""
    return {} if value is None else value.to_dict()


def _failure(operation: str, error: stripe.StripeError) -> Unavailable:
    is_unsent = isinstance(error, stripe.APIConnectionError) and not error.should_retry
    wrong_key = isinstance(error, stripe.AuthenticationError | stripe.PermissionError)
    record = log.error if wrong_key else log.warning
    record(
        "outside_call_failed",
        system=SYSTEM,
        operation=operation,
        reason=type(error).__name__,
        status=error.http_status,
        theirs=named_by(error),
    )
    return Unavailable(
        system=SYSTEM,
        may_have_worked=not (is_unsent or wrong_key or isinstance(error, stripe.RateLimitError)),
        retry_after=seconds_of(httpx.Headers(dict(error.headers or {})).get("Retry-After")),
        answered=error.http_status,
        request_id=named_by(error),
    )


def _close(call: Awaitable[Any]) -> None:
    """A coroutine that is never awaited would warn."""
    close = getattr(call, "close", None)
    if close is not None:
        close()
