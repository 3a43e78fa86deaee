"""How the card provider takes a request and answers it: keys, form bodies, idempotency as Stripe has it, errors in its words."""

import asyncio
import contextlib
import hashlib
import re
import secrets
import time
from collections.abc import Callable, Set
from typing import Any, cast
from urllib.parse import parse_qsl

import orjson
from fastapi import Request, Response

from simulators.paying import Faults, Paying

SECRET_KEY = "sk_test_turnkey_development"
PUBLIC_KEY = "pk_test_turnkey_development"

Form = dict[str, Any]
Work = Callable[[Form], dict[str, Any]]
_PART = re.compile(r"\[([^\]]*)\]")


class Problem(Exception):
    """A refusal in Stripe's shape. `stored` ones are remembered under the request's idempotency key."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        type: str = "invalid_request_error",
        stored: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(message)
        self.status, self.stored = status, stored
        self.body = {"error": {"type": type, "message": message, **more}}


def missing(kind: str, id: str, param: str = "id") -> Problem:
    return Problem(404, f"No such {kind}: '{id}'", code="resource_missing", param=param)


class Desk:
    """One card provider: its memory, its faults, its two keys."""

    def __init__(self, paying: Paying, secret_key: str, public_key: str, own_url: str = "") -> None:
        """`own_url` is how a browser reaches the stand-ins."""
        self.paying = paying
        self.own_url = own_url
        self.faults = Faults(paying)
        self._secret_key = secret_key
        self._public_key = public_key

    async def read(self, request: Request, work: Work, *, reference: str = "") -> Response:
        """A request that changes nothing. `reference` is what faults go by."""
        try:
            self._check_key(request, public=False)
            await self._enter(reference)
            with self.paying.state.transaction():
                return _answer(200, work(parse_form(request.url.query)))
        except Problem as problem:
            return _answer(problem.status, problem.body)

    async def change(
        self,
        request: Request,
        operation: str,
        fields: Set[str],
        work: Work,
        *,
        reference: Callable[[Form], str] = lambda _: "",
        public: bool = False,
    ) -> Response:
        """A changing request: done once for each idempotency key, then answered alike. `reference` is what faults go by."""
        body = await request.body()
        key = request.headers.get("idempotency-key")
        running = contextlib.nullcontext() if key is None else self._alone(key)
        try:
            self._check_key(request, public=public)
            form = parse_form(body.decode("utf-8", "replace"))
            unknown = sorted(form.keys() - fields - {"expand"})
            if unknown:
                raise Problem(
                    400,
                    f"Received unknown parameter: {unknown[0]}",
                    code="parameter_unknown",
                    param=unknown[0],
                )
            with running:
                return await self._do(request, operation, form, body, key, work, reference(form))
        except Problem as problem:
            return _answer(problem.status, problem.body)

    async def _do(
        self,
        request: Request,
        operation: str,
        form: Form,
        body: bytes,
        key: str | None,
        work: Work,
        reference: str,
    ) -> Response:
        fingerprint = hashlib.sha256(request.url.path.encode() + b"\n" + body).hexdigest()
        if key is not None and (earlier := self.paying.earlier(key)) is not None:
            return _replay(earlier, fingerprint, key)
        await self._enter(reference, operation)
        status, answer, lost = 200, {}, None
        with self.paying.state.transaction():
            try:
                answer = work(form)
            except Problem as problem:
                if not problem.stored:
                    raise
                status, answer = problem.status, problem.body
            sent = orjson.dumps(answer)
            if key is not None:
                self.paying.store(key, fingerprint, status, sent)
            lost = self.faults.after(reference, operation)
        if lost is not None:
            await asyncio.sleep(lost)
            return _answer(504, {"error": {"type": "api_error", "message": "Gateway Timeout"}})
        return _answer(status, answer)

    async def _enter(self, reference: str, operation: str = "read") -> None:
        seconds, refused = self.faults.before(reference, operation)
        if seconds:
            await asyncio.sleep(seconds)
        if refused:
            raise Problem(503, "Service Unavailable", type="api_error")

    def _check_key(self, request: Request, *, public: bool) -> None:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if sent == self._secret_key or (public and sent == self._public_key):
            return
        raise Problem(401, f"Invalid API Key provided: {sent[:8]}****")

    @contextlib.contextmanager
    def _alone(self, key: str) -> Any:
        if key in self.paying.running:
            raise Problem(
                409,
                "There is currently another in-progress request using this Idempotent Key (that probably means you"
                " submitted twice, and the other request is still going through). Please try again later.",
                type="idempotency_error",
                code="idempotency_key_in_use",
            )
        self.paying.running.add(key)
        try:
            yield
        finally:
            self.paying.running.discard(key)


def desk_of(request: Request) -> Desk:
    return request.app.state.cards


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(12)}"


def now() -> int:
    return int(time.time())


def required(form: Form, name: str) -> str:
    value = form.get(name)
    if not isinstance(value, str) or not value:
        raise Problem(400, f"Missing required param: {name}.", code="parameter_missing", param=name)
    return value


def amount_of(form: Form, name: str, default: int | None = None) -> int:
    """Whole cents."""
    value = form.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or not value.isdigit() or int(value) < 1:
        raise Problem(400, "Invalid integer", code="parameter_invalid_integer", param=name)
    return int(value)


def nested(form: Form, name: str) -> Form | None:
    """What was sent as `name[…]=`."""
    value = form.get(name)
    return cast("Form", value) if isinstance(value, dict) else None


def parse_form(encoded: str) -> Form:
    """`a=1&b[c]=2&d[0]=3&d[]=4` as nested dicts; lists are dicts by number."""
    form: Form = {}
    for name, value in parse_qsl(encoded, keep_blank_values=True):
        head, _, _ = name.partition("[")
        at, place = form, head
        for part in _PART.findall(name):
            at.setdefault(place, {})
            inner = nested(at, place)
            if inner is None:
                raise Problem(400, "Invalid parameters", param=head)
            at, place = inner, part or str(len(inner))
        at[place] = value
    return form


def _replay(earlier: tuple[str, int, bytes], fingerprint: str, key: str) -> Response:
    before, status, body = earlier
    if before != fingerprint:
        raise Problem(
            400,
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a"
            f" key other than '{key}' if you meant to execute a different request.",
            type="idempotency_error",
        )
    response = Response(body, status, media_type="application/json")
    response.headers["Idempotent-Replayed"] = "true"
    response.headers["Idempotency-Key"] = key
    return response


def _answer(status: int, body: dict[str, Any]) -> Response:
    response = Response(orjson.dumps(body), status, media_type="application/json")
    response.headers["Request-Id"] = new_id("req")
    return response
