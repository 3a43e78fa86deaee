"""The kinds of error the portal knows. Every leaf stands beside its rule and carries a stable code.

PortalError
├── Invalid        422  malformed or incomplete input; may name fields
├── Unauthenticated 401 nobody, or a token that no longer holds
├── Forbidden      403  a known person without the right
├── NotFound       404  absent, or somebody else's: the two are never told apart
├── Conflict       409  not now: the thing moved on, or something else is under way
├── Gone           410  the thing has ended
├── Throttled      429  too often
└── Unavailable    503  an outside system does not answer; trying again may help
"""

from collections.abc import Mapping, Sequence
from typing import Any

UNEXPECTED = "Unexpected Error. Please try again later."


class PortalError(Exception):
    """An error that a caller may be told about. `code` is stable, `detail` is the spec's English text."""

    status: int = 500
    code: str = "unexpected"
    detail: str = UNEXPECTED

    def __init__(
        self,
        detail: str | None = None,
        *,
        code: str | None = None,
        fields: Sequence[tuple[str, str]] = (),
        extra: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        """`fields` are (field, message) pairs; `extra` is added to the problem body; `retry_after` in seconds."""
        self.detail = detail if detail is not None else type(self).detail
        self.code = code if code is not None else type(self).code
        self.fields = tuple(fields)
        self.extra = dict(extra or {})
        self.retry_after = retry_after
        super().__init__(self.detail)


class Invalid(PortalError):
    status = 422
    code = "invalid"
    detail = "Invalid Request"


class Unauthenticated(PortalError):
    status = 401
    code = "unauthenticated"
    detail = "Please log in to continue."


class Forbidden(PortalError):
    status = 403
    code = "forbidden"
    detail = "You do not have permission to do this."


class NotFound(PortalError):
    status = 404
    code = "not_found"
    detail = "Not Found"


class Conflict(PortalError):
    status = 409
    code = "conflict"
    detail = "This was changed elsewhere. Please try again."


class Gone(PortalError):
    status = 410
    code = "gone"
    detail = "This has ended."


class Throttled(PortalError):
    status = 429
    code = "throttled"
    detail = "Attempt limit exceeded, please try after some time."


class Unavailable(PortalError):
    status = 503
    code = "unavailable"
    detail = UNEXPECTED


class FaultyFile(Exception):
    """What an operator of the installation wrote cannot be taken. `faults` says all that is wrong with it, each with its line
    and field. No call meets it."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)
