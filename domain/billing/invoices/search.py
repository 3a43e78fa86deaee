"""How invoices and credit memos are listed: sorted, narrowed and read page by page (shop spec 2, 7 and 9; rulings)."""

from datetime import date
from decimal import Decimal
from enum import StrEnum

from domain.base import Frozen
from domain.billing.invoices.documents import Ageing, CreditMemo, Invoice, ageing_of
from domain.money import Money

PAGE_SIZE = 25
MOST_AT_ONCE = 100
LONGEST_TERM = 80


class DocumentSort(StrEnum):
    """The first is the default. Credit memos are due on the day of their issue."""

    DATE_DESC = "date-desc"
    DATE_ASC = "date-asc"
    DUE_DESC = "due-desc"
    DUE_ASC = "due-asc"
    TOTAL_DESC = "total-desc"
    TOTAL_ASC = "total-asc"

    @property
    def is_falling(self) -> bool:
        return self.value.endswith("-desc")

    @property
    def by(self) -> str:
        """`date`, `due` or `total`."""
        return self.value.partition("-")[0]


class InvoiceListStatus(StrEnum):
    """`open` is what is not settled, `past_due` the part of it that was due before today, `in_payment` what a payment under way
    holds; the others are the ageing of what is open."""

    OPEN = "open"
    PAST_DUE = "past_due"
    IN_PAYMENT = "in_payment"
    PAID = "paid"
    CURRENT = "current"
    TO_30 = "1-30"
    TO_60 = "31-60"
    TO_90 = "61-90"
    OVER_90 = "over-90"

    @property
    def ageing(self) -> Ageing | None:
        return Ageing(self.value) if self.value in set(Ageing) else None


class MemoStatus(StrEnum):
    """Whether anything of it can still be applied."""

    OPEN = "open"
    APPLIED = "applied"


class Place(Frozen):
    """The sort key of the last document of a page: a day or an amount."""

    on: date | None = None
    total: Decimal | None = None
    number: str

    def fits(self, sort: DocumentSort) -> bool:
        """Whether it is a place in a list that is sorted like this."""
        return (self.total if sort.by == "total" else self.on) is not None


class DocumentSearch(Frozen):
    """`term` is part of the document's, the order's or the PO number. `today` is the day in the site's time zone. Either
    `after` or `skip` says where the page begins."""

    partner_code: str
    today: date
    term: str = ""
    statuses: tuple[InvoiceListStatus | MemoStatus, ...] = ()
    first_day: date | None = None
    last_day: date | None = None
    sort: DocumentSort = DocumentSort.DATE_DESC
    limit: int = PAGE_SIZE
    after: Place | None = None
    skip: int = 0


class AgeingSum(Frozen):
    """What is open in one bucket."""

    bucket: Ageing
    count: int
    amount: Money


class InvoicesFound(Frozen):
    """`end` is where the page ended, None on the last one; `total` counts all that fit, `counts` those of each status but for
    the statuses that were asked for. Statuses overlap: their counts come to more than there are."""

    invoices: tuple[Invoice, ...]
    end: Place | None
    total: int
    everything: int
    counts: dict[InvoiceListStatus, int]


class MemosFound(Frozen):
    """`counts` are of all that fit but for the statuses that were asked for."""

    memos: tuple[CreditMemo, ...]
    end: Place | None
    total: int
    counts: dict[MemoStatus, int]


def is_past_due(invoice: Invoice, today: date) -> bool:
    return invoice.balance > 0 and ageing_of(invoice.due_date, today) is not Ageing.CURRENT


def place_of(document: Invoice | CreditMemo, sort: DocumentSort) -> Place:
    if sort.by == "total":
        return Place(total=document.total, number=document.number)
    if sort.by == "due" and isinstance(document, Invoice):
        return Place(on=document.due_date, number=document.number)
    return Place(on=document.create_date, number=document.number)
