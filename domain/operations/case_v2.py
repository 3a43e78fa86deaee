"""The transitions of a case, version 2: as version 1, and who pays what is owed again waits for no provider (decision 56): while
it is charged, it may be paid in another way. `workflows/operations/case.py` takes them.
"""

from collections.abc import Mapping

from domain.operations.case_v1 import (
    AGAIN,
    ASSIGN,
    DECLINED,
    LABELS,
    LAPSED,
    LATER,
    NOTE,
    OWED,
    PAID,
    PAY,
    RESOLVE,
    RETRY,
    SOLVED,
    STUCK,
    SUSPENDED,
    USER_EVENTS,
)
from domain.operations.case_v1 import CASE as CASE_V1

__all__ = [
    "AGAIN",
    "ASSIGN",
    "CASE",
    "DECLINED",
    "LABELS",
    "LAPSED",
    "LATER",
    "NOTE",
    "OWED",
    "PAID",
    "PAY",
    "RESOLVE",
    "RETRY",
    "SOLVED",
    "STUCK",
    "SUSPENDED",
    "USER_EVENTS",
]

CASE: Mapping[str, Mapping[str, str]] = {
    **CASE_V1,
    "charging": {**CASE_V1["charging"], PAY: "charging"},
}
