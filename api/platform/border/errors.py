"""One table from kinds of errors to problem answers (RFC 9457; shell spec 8; promises 22, 23 and 25).

No answer repeats what the caller sent, nor says anything about the inside.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from temporalio.service import RPCError, RPCStatusCode

from api.platform.border.methods import methods_of
from domain.card_numbers import masked
from domain.errors import UNEXPECTED, Invalid, PortalError, Unavailable
from workflows.client import NOT_IN_TIME

PROBLEM_JSON = "application/problem+json"
RETRY_AFTER = 5

log = structlog.stdlib.get_logger()


class FieldFault(BaseModel):
    field: str
    message: str


class ProblemDetails(BaseModel):
    """The body of every error. `instance` is the request id; some problems carry further members."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    instance: str
    validation_errors: list[FieldFault] | None = None


PROBLEM_ANSWER: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem (RFC 9457)",
        "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }
}
"""Documents the one shape of all errors, for every operation."""

_CODES = {
    400: ("malformed_request", "Invalid Request"),
    404: ("not_found", "Not Found"),
    405: ("method_not_allowed", "This method is not allowed here."),
    408: ("too_slow", "The request did not come to its end in time."),
    413: ("too_large", "The request is too large."),
    415: ("unsupported_media_type", "The request must be JSON."),
    503: (Unavailable.code, Unavailable.detail),
}

_TEMPORAL_AWAY = NOT_IN_TIME | {RPCStatusCode.UNAVAILABLE, RPCStatusCode.RESOURCE_EXHAUSTED}


def problem(
    request_id: str,
    status: int,
    code: str,
    detail: str,
    *,
    fields: Sequence[tuple[str, str]] = (),
    extra: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A problem answer, ready to send."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or UNEXPECTED,
        "code": code,
        "instance": request_id,
    }
    if fields:
        body["validation_errors"] = [{"field": f, "message": m} for f, m in fields]
    body.update(extra or {})
    return Response(
        orjson.dumps(body, default=str), status, headers=headers, media_type=PROBLEM_JSON
    )


def plain_problem(
    request_id: str, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request that no operation of ours has seen."""
    code, detail = _CODES.get(status, ("unexpected", UNEXPECTED))
    return problem(request_id, status, code, detail, headers=headers)


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(PortalError, _portal_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    for kind in (DBAPIError, PoolTimeout, RPCError):
        app.add_exception_handler(kind, _away)


def field_faults(error: RequestValidationError) -> list[tuple[str, str]]:
    """Each fault as (field, the spec's message), at most 20."""
    return [(_field(fault), message_of(fault)) for fault in error.errors()[:20]]


async def _portal_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PortalError)
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
    if isinstance(error, Unavailable):
        headers.setdefault("Retry-After", str(RETRY_AFTER))
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return problem(
        request.state.request_id,
        error.status,
        error.code,
        error.detail,
        fields=error.fields,
        extra=error.extra,
        headers=headers,
    )


async def _invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(
        request.state.request_id, 422, Invalid.code, Invalid.detail, fields=field_faults(error)
    )


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = methods_of(request.app, request.url.path) or headers.get("Allow", "")
    return plain_problem(request.state.request_id, error.status_code, headers)


async def _away(request: Request, error: Exception) -> Response:
    """One of ours is away: the database or Temporal. Anything else is a crash, answered by the middleware."""
    answer = away(request.state.request_id, error)
    if answer is None:
        raise error
    return answer


def away(request_id: str, error: Exception) -> Response | None:
    """A 503 when the error says that the database or Temporal is away, in whatever class it says so."""
    if not (_is_database_away(error) or _is_temporal_away(error)):
        return None
    log.warning("a part of ours was away", kind=type(error).__name__)
    return problem(
        request_id,
        Unavailable.status,
        Unavailable.code,
        Unavailable.detail,
        headers={"Retry-After": str(RETRY_AFTER)},
    )


def _is_database_away(error: Exception) -> bool:
    if isinstance(error, OperationalError | InterfaceError | PoolTimeout):
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _is_temporal_away(error: Exception) -> bool:
    if isinstance(error, RPCError):
        return error.status in _TEMPORAL_AWAY
    # The lazy client says so when its first connection fails.
    return isinstance(error, RuntimeError) and "client connect" in str(error)


def _field(fault: Mapping[str, Any]) -> str:
    """The field's dotted path, without the part of the request it stands in. An unknown field is the sender's own word
    and is not repeated: its place is named instead. The name of a row is theirs as well, and holds no card number."""
    path = [str(part) for part in fault["loc"]]
    if fault["type"] == "extra_forbidden":
        path = path[:-1]
    return masked(".".join(path[1:]) or path[0])


def message_of(fault: Mapping[str, Any]) -> str:
    kind, limits = fault["type"], fault.get("ctx", {})
    match kind:
        case "missing" | "string_type" | "none_required":
            return "Required field"
        case "string_too_short" | "too_short":
            least = limits["min_length"]
            return "Required field" if least == 1 else f"Must have at least {least} characters"
        case "string_too_long":
            return f"Must have less than {limits['max_length'] + 1} characters"
        case "too_long":
            return f"Must have at most {limits['max_length']} entries"
        case "int_parsing" | "int_type" | "int_from_float" | "int_parsing_size":
            return "Must be a whole number"
        case "float_parsing" | "float_type" | "decimal_parsing" | "decimal_type" | "finite_number":
            return "Must be a number"
        case "greater_than_equal":
            return f"Must be at least {limits['ge']}"
        case "greater_than":
            return f"Must be more than {limits['gt']}"
        case "less_than_equal":
            return f"Must be at most {limits['le']}"
        case "less_than":
            return f"Must be less than {limits['lt']}"
        case "extra_forbidden":
            return "Unknown field"
        case "value_error":
            # Our own validators: they speak the spec's words and never name the value.
            return str(limits["error"]) if "error" in limits else "Invalid value"
        case _:
            return "Invalid value"
