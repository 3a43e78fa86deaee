"""One HTTP line to an outside system: time limit, limit of calls under way, one error vocabulary, a breaker where it only reads."""

import asyncio
import logging
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from providers.breaker import Breaker
from providers.errors import Busy, Refused, Unavailable

# httpx logs whole addresses with their query strings, and httpcore all headers.
logging.getLogger("httpx").setLevel(logging.WARNING)
logging.getLogger("httpcore").setLevel(logging.WARNING)

log = structlog.get_logger()

_DETAIL_LIMIT = 300
MOST_BYTES = 8_000_000
"""Of one answer, unless a system's are known to be longer or shorter."""
LONGEST_WAIT = 60
"""Seconds for which a system is left alone at its own word."""


class _Complaint(BaseModel):
    code: str
    detail: str


Complain = Callable[[bytes], tuple[str, str] | None]
"""Reads code and text of a refusal from its body; None where it is no refusal of the system's own: ours to mend, or said by
a proxy on the way."""


def _plain(body: bytes) -> tuple[str, str] | None:
    try:
        complaint = _Complaint.model_validate_json(body)
    except ValidationError:
        return None
    return complaint.code, complaint.detail


class HttpClient:
    """Calls to one system. Logs name the operation and the status, never an address, body or header."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        system: str,
        base_url: str | None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 7.0,
        at_once: int = 32,
        most_bytes: int = MOST_BYTES,
        complain: Complain = _plain,
        breaker: Breaker | None = None,
    ) -> None:
        """Without a `base_url` there is no such system, and nothing is asked. `seconds` bounds one call from connect to last byte;
        `at_once` the calls under way; `most_bytes` an answer; `complain` reads refusals; `breaker` leaves the system alone where it
        is silent, for a line that only reads."""
        self._complain = complain
        self._breaker = breaker
        self._client = client
        self._system = system
        self._base_url = base_url and base_url.rstrip("/")
        self._headers = dict(headers or {})
        self._seconds = seconds
        self._timeout = httpx.Timeout(seconds, connect=min(2.0, seconds / 2))
        self._free = at_once
        self._most_bytes = most_bytes

    @property
    def is_used(self) -> bool:
        return self._base_url is not None

    async def call(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        json: Mapping[str, Any] | None = None,
        params: Mapping[str, str | int] | None = None,
        form: Mapping[str, str] | None = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
        cookies: dict[str, str] | None = None,
    ) -> bytes:
        """The body of a good answer; `form` is sent as a form, `key` goes out as Idempotency-Key, `headers` as they are.
        `cookies` takes those that it sets.

        Raises Refused for any 4xx that `complain` can read, but 401, 408 and 429; Unavailable for everything else that is not
        2xx, and for what is longer than it can be, and without asking while the system is left alone or where there is none; Busy
        without asking when too many calls are under way.
        """
        if not self.is_used:
            log.error("outside_system_not_used", system=self._system, operation=operation)
            raise Unavailable(system=self._system, may_have_worked=False)
        if self._breaker is not None and not self._breaker.lets_through():
            log.warning("outside_system_left_alone", system=self._system, operation=operation)
            raise Unavailable(system=self._system, may_have_worked=False)
        if self._free <= 0:
            log.warning("outside_call_held_back", system=self._system, operation=operation)
            raise Busy(system=self._system)
        self._free -= 1
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream(
                    method,
                    f"{self._base_url}{path}",
                    json=json,
                    params=params,
                    data=form,
                    headers={
                        **self._headers,
                        **({"Idempotency-Key": key} if key else {}),
                        **(headers or {}),
                    },
                    timeout=self._timeout,
                ) as response,
            ):
                answer = await read_of(response, self._most_bytes)
        except (httpx.RequestError, TimeoutError) as error:
            reason = type(error).__name__
            log.warning(
                "outside_call_failed", system=self._system, operation=operation, reason=reason
            )
            unsent = isinstance(
                error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout
            )
            if self._breaker is not None:
                asking = (operation, path, *sorted((params or form or {}).items()))
                self._breaker.was_silent(asking)
            raise Unavailable(system=self._system, may_have_worked=not unsent) from error
        finally:
            self._free += 1
        if self._breaker is not None:
            self._breaker.answered()
        if response.is_success:
            if cookies is not None:
                cookies |= {one.name: one.value or "" for one in response.cookies.jar}
            return self._checked(operation, answer)
        raise self._failure(operation, response, answer)

    def _checked(self, operation: str, answer: bytes) -> bytes:
        if len(answer) > self._most_bytes:
            log.error(
                "outside_answer_too_long",
                system=self._system,
                operation=operation,
                most=self._most_bytes,
            )
            raise Unavailable(system=self._system, may_have_worked=True)
        return answer

    def unreadable(self, operation: str, error: ValidationError) -> Unavailable:
        """The error for a good answer whose body has not the agreed shape."""
        fields = [".".join(map(str, e["loc"])) for e in error.errors(include_input=False)]
        log.error(
            "outside_answer_unreadable", system=self._system, operation=operation, fields=fields
        )
        return Unavailable(system=self._system, may_have_worked=True)

    def _failure(
        self, operation: str, response: httpx.Response, answer: bytes
    ) -> Unavailable | Refused:
        status = response.status_code
        may_be_refusal = 400 <= status < 500 and status not in (401, 408, 429)
        if may_be_refusal and (complaint := self._complain(answer)) is not None:
            code, detail = complaint
            log.info(
                "outside_call_refused", system=self._system, operation=operation, status=status
            )
            return Refused(code, detail[:_DETAIL_LIMIT], system=self._system)
        record = log.error if status == 401 or may_be_refusal else log.warning
        record("outside_call_failed", system=self._system, operation=operation, status=status)
        return Unavailable(
            system=self._system,
            may_have_worked=status not in (401, 429) and not may_be_refusal,
            retry_after=seconds_of(response.headers.get("Retry-After")),
            answered=status,
        )


async def read_of(response: httpx.Response, most_bytes: int) -> bytes:
    """The body as it comes; what is longer than that is read no further."""
    answer = bytearray()
    async for part in response.aiter_bytes():
        answer += part
        if len(answer) > most_bytes:
            break
    return bytes(answer)


def seconds_of(header: str | None) -> int | None:
    """How long a `Retry-After` asks to be left alone, in seconds or as a date; no longer than `LONGEST_WAIT`."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return min(int(header[:9]), LONGEST_WAIT)
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    left = until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)
    return min(max(math.ceil(left.total_seconds()), 0), LONGEST_WAIT)
