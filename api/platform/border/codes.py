"""The stable codes of refusals, for the API's document: the browser's table of words is checked against them.

A code that an error class carries is found here by itself. The few that are put into words without a class stand below.
"""

from collections.abc import Iterator

from domain.activation.activation import REJECTIONS
from domain.activation.reducer import NOT_BOUGHT_AS
from domain.errors import PortalError

PORTAL = ("api", "db", "domain", "providers", "activities", "workflows")

WITHOUT_A_CLASS = frozenset(
    {
        "malformed_request",
        "method_not_allowed",
        "not_cancellable",
        "too_large",
        "unsupported_media_type",
        "user_id_required",
    }
)
"""Codes of problems: what no operation has seen, and what a run or a call says for itself."""

IN_VIEWS = frozenset(
    {
        "already_sent",
        "approval_expired",
        "approval_rejected",
        "article_unknown",
        "capture_unclear",
        "cart_full",
        "debit_under_way",
        "disputed",
        "for_a_person",
        "hand_over_unclear",
        "no_answer",
        "no_price",
        "not_for_purchase",
        "owed_before",
        "payment_unclear",
        "provider_away",
        "purchase_ended",
        "refund_refused",
        "still_at_work",
        "too_many_pieces",
        "undoing_unclear",
        *(f"purchase_{ended}" for ended in NOT_BOUGHT_AS),
    }
)
"""Codes of faults that a run or a line of a cart shows, told in the same words as problems."""

FROM_OUTSIDE = frozenset(
    {
        "device_offline",
        "device_updating",
        "feature_refused",
        "hardwire_not_supported",
        "hardwire_refused",
        "installer_not_linked",
        "no_keylocker",
        "no_such_pin",
        "not_swappable",
        "pin_in_use",
        "pin_refused",
        "wrong_master_pin",
    }
)
"""Refusals of the device network that have words of ours. It may say others, which go out as they came."""


def error_codes() -> list[str]:
    """Every code of ours, sorted. The classes count that the API has loaded: all of the portal's."""
    carried = {kind.code for kind in _kinds(PortalError) if kind.__module__.startswith(PORTAL)}
    return sorted(carried | set(REJECTIONS) | WITHOUT_A_CLASS | IN_VIEWS | FROM_OUTSIDE)


def _kinds(kind: type[PortalError]) -> Iterator[type[PortalError]]:
    yield kind
    for leaf in kind.__subclasses__():
        yield from _kinds(leaf)
