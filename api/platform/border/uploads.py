"""The few calls that take more than a small JSON body: how much, and of what kind."""

from collections.abc import Mapping

from api.platform.border.bodies import MAX_LIST
from domain.base import Frozen

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
JSON = "application/json"


class Upload(Frozen):
    """`most_bytes` of the body, in one of these media types; only JSON is looked into before the call sees it, and a list
    in it has `most_entries`."""

    most_bytes: int
    media_types: frozenset[str]
    most_entries: int = MAX_LIST


_ROWS = Upload(most_bytes=256 * 1024, media_types=frozenset({JSON}))
_INVOICES = Upload(most_bytes=64 * 1024, media_types=frozenset({JSON}), most_entries=250)
_SENT_BY_ERP = Upload(most_bytes=512 * 1024, media_types=frozenset({JSON}), most_entries=1_000)
"""A whole document or shipment, of as many lines as their shapes take."""
_SHEET = Upload(most_bytes=1024 * 1024, media_types=frozenset({CSV, XLSX}))

UPLOADS: Mapping[str, Upload] = {
    "/v1/quick-orders/check": _ROWS,
    "/v1/quick-orders/add": _ROWS,
    "/v1/quick-orders/file": _SHEET,
    "/api/pay-invoice": _INVOICES,
    "/v1/invoice-payments": _INVOICES,
    "/v1/invoice-payments/quote": _INVOICES,
    "/v1/webhooks/erp": _SENT_BY_ERP,
}
"""By path."""
