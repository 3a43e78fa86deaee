"""How an outside system fails.

domain.errors.PortalError
├── Unavailable (domain.errors.Unavailable, 503)  no usable answer; trying again may help
│   └── Busy                                      not even asked: too many calls are under way
└── Refused (domain.errors.Conflict, 409)         a clear no in the system's own shape; trying again is useless
    └── SpecialRowNeedsQuery                      not while the device is not asked; asking it may help

Beside these a client raises the domain's own errors where a refusal has a name there
(`UnknownDevice`, `NotInServiceMode`).
"""

from domain import errors


class Unavailable(errors.Unavailable):
    """No usable answer: unreachable, too slow, failing, or unreadable.

    `may_have_worked` tells whether the request may have had its effect all the same; `answered` is the status that came,
    if one did; `request_id` is what the system itself calls the request, if it said so.
    """

    code = "provider_unavailable"

    def __init__(
        self,
        *,
        system: str,
        may_have_worked: bool,
        retry_after: int | None = None,
        answered: int | None = None,
        request_id: str | None = None,
    ) -> None:
        """`system` is the outside system's name for logs; `retry_after` in seconds."""
        super().__init__(retry_after=retry_after)
        self.system = system
        self.may_have_worked = may_have_worked
        self.answered = answered
        self.request_id = request_id


class Busy(Unavailable):
    """Our own limit of calls under way to one system; fails at once, so that nobody else starves."""

    code = "provider_busy"

    def __init__(self, *, system: str) -> None:
        super().__init__(system=system, may_have_worked=False, retry_after=1)


class Refused(errors.Conflict):
    """The outside system's clear no, with its own code and text. `request_id` is as of `Unavailable`."""

    code = "refused"

    def __init__(
        self, code: str, detail: str, *, system: str, request_id: str | None = None
    ) -> None:
        super().__init__(detail, code=code)
        self.system = system
        self.request_id = request_id


class SpecialRowNeedsQuery(Refused):
    """Custom values of special rows are not written while the device is not asked (devices spec 4 and 8)."""

    code = "special_row_needs_query"
    detail = "Special row custom values cannot be updated while skipping queries."

    def __init__(self, *, system: str) -> None:
        super().__init__(self.code, self.detail, system=system)


def may_have_worked(error: errors.PortalError) -> bool:
    """Whether what was asked of an outside system may have had its effect though this came of it."""
    return isinstance(error, Unavailable) and error.may_have_worked
