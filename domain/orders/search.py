"""How orders are listed: sorted, narrowed and read page by page (shop spec 2, 3 and 9; rulings "Calls")."""

from decimal import Decimal
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.orders.orders import OrderStatus, OrderSummary

PAGE_SIZE = 25
"""Shop spec 9. The screen's table has 10 rows of its own."""
MOST_AT_ONCE = 100
LONGEST_TERM = 80


class OrderSort(StrEnum):
    """The first is the default."""

    DATE_DESC = "date-desc"
    DATE_ASC = "date-asc"
    TOTAL_DESC = "total-desc"
    TOTAL_ASC = "total-asc"

    @property
    def is_by_date(self) -> bool:
        return self in (OrderSort.DATE_DESC, OrderSort.DATE_ASC)

    @property
    def is_falling(self) -> bool:
        return self in (OrderSort.DATE_DESC, OrderSort.TOTAL_DESC)


class Place(Frozen):
    """The sort key of the last order of a page: by date or by total."""

    at: Utc | None = None
    total: Decimal | None = None
    id: str

    def fits(self, sort: OrderSort) -> bool:
        """Whether it is a place in a list that is sorted like this."""
        return (self.at if sort.is_by_date else self.total) is not None


class OrderSearch(Frozen):
    """`term` is part of a PO number, of our number or of the ERP's, of the name of who placed it, or the beginning of a SKU in
    it; `since` and `before` are its moments. Either `after` or `skip` says where the page begins."""

    partner_code: str
    ids: tuple[str, ...] = ()
    since: Utc | None = None
    before: Utc | None = None
    term: str = ""
    statuses: tuple[OrderStatus, ...] = ()
    sort: OrderSort = OrderSort.DATE_DESC
    limit: int = PAGE_SIZE
    after: Place | None = None
    skip: int = 0


class OrdersFound(Frozen):
    """`end` is where the page ended, None on the last one; `total` counts all that fit, `counts` those of each status that
    would fit, were the status not asked for."""

    orders: tuple[OrderSummary, ...]
    end: Place | None
    total: int
    counts: dict[OrderStatus, int] = {}


def place_of(order: OrderSummary, sort: OrderSort) -> Place:
    if sort.is_by_date:
        return Place(at=order.created_at, id=order.id)
    return Place(total=order.total, id=order.id)
