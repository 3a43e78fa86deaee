"""The feed of changes from the ERP, what it sets aside, and the comparison of our mirror with it (decision 57)."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from domain.base import Frozen, Utc

Code = Annotated[str, StringConstraints(max_length=80)]


class Records(StrEnum):
    """What is mirrored, in the order in which it is read."""

    BUSINESSES = "businesses"
    ITEMS = "items"


class Cursor(Frozen):
    """Behind which record of the ERP the next page begins: its date, time and code. Without a code the whole last second
    is read again, for what came later in it."""

    on: Annotated[str, StringConstraints(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""
    at: Annotated[str, StringConstraints(pattern=r"^(\d\d:\d\d:\d\d)?$")] = ""
    code: Code = ""

    @property
    def from_whole_second(self) -> "Cursor":
        return self.model_copy(update={"code": ""})


class Unreadable(Frozen):
    """A record of which no article or business can be made, and why."""

    code: Code
    reason: Annotated[str, StringConstraints(max_length=300)]


class TakenOver(Frozen):
    """What came of a page, or of a round of the feed: records `read`, `changed` here, set `aside`."""

    read: int = 0
    changed: int = 0
    aside: int = 0
    has_more: bool = False

    def plus(self, page: "TakenOver") -> "TakenOver":
        return TakenOver(
            read=self.read + page.read,
            changed=self.changed + page.changed,
            aside=self.aside + page.aside,
        )


class Feed(StrEnum):
    """What is read of the ERP, each from a place of its own: the master data, and what came of orders."""

    BUSINESSES = "businesses"
    ITEMS = "items"
    DOCUMENTS = "documents"
    SHIPMENTS = "shipments"
    CANCELLATIONS = "cancellations"


class FeedPlace(Frozen):
    """When a feed was last read, and `until` which change (the ERP's date and time; empty before the first)."""

    feed: Feed
    read_at: Utc
    until: str


class SetAside(Frozen):
    """A record of the ERP that could not be mirrored. It is asked for again by each round."""

    records: Records
    code: str
    reason: str
    since: Utc
    tried_at: Utc


class MirrorDifferenceKind(StrEnum):
    """How our mirror can differ from the ERP. It is put right by writing what the ERP says; what it does not know stays, as
    orders and people refer to it, and what cannot be read waits for somebody there."""

    MISSING_ITEM = "missing_item"
    UNKNOWN_ITEM = "unknown_item"
    PRODUCT = "product"
    PRICE = "price"
    STOCK = "stock"
    MISSING_BUSINESS = "missing_business"
    UNKNOWN_BUSINESS = "unknown_business"
    BUSINESS = "business"
    CREDIT = "credit"
    ADDRESSES = "addresses"
    REP = "rep"
    UNREADABLE = "unreadable"


class Difference(Frozen):
    kind: MirrorDifferenceKind
    code: Code
    theirs: Annotated[str, StringConstraints(max_length=300)]
    ours: Annotated[str, StringConstraints(max_length=300)]
    is_repaired: bool


class Comparison(Frozen):
    """One comparison of everything. It is under way until `ended_at`, or was given up."""

    id: str
    began_at: Utc
    ended_at: Utc | None
    compared: Annotated[int, Field(ge=0)]
    by_kind: dict[MirrorDifferenceKind, int]
