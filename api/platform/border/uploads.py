"""The few calls that take more than a small JSON body: how much, and of what kind."""

from collections.abc import Mapping

from domain.base import Frozen

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
JSON = "application/json"


class Upload(Frozen):
    """`most_bytes` of the body, in one of these media types; only JSON is looked into before the call sees it."""

    most_bytes: int
    media_types: frozenset[str]


_ROWS = Upload(most_bytes=256 * 1024, media_types=frozenset({JSON}))
_SHEET = Upload(most_bytes=1024 * 1024, media_types=frozenset({CSV, XLSX}))

UPLOADS: Mapping[str, Upload] = {
    "/v1/quick-orders/check": _ROWS,
    "/v1/quick-orders/add": _ROWS,
    "/v1/quick-orders/file": _SHEET,
}
"""By path."""
