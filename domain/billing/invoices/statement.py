"""Statements of account: what a business was asked for, what it paid and was credited, and what it owed after each (rulings
"Later rulings")."""

from datetime import date, timedelta

from domain.base import Frozen
from domain.money import Money

STATEMENT_DAYS = 90
"""How far a statement reaches back when nobody says."""
PAGE_SIZE = 25
MOST_AT_ONCE = 100
LONGEST = 5_000
"""Most entries of a statement on paper."""


class StatementEntry(Frozen):
    """`amount` is above zero where the business owes more after it. `kind` is `invoice`, `credit_memo`, or the ERP's word
    for what an invoice was settled with; `invoice_number` is that invoice's, or the one that a memo credits."""

    on: date
    kind: str
    number: str
    invoice_number: str | None
    amount: Money
    balance: Money


class StatementSearch(Frozen):
    """Both days are included. `today` is the day in the site's time zone. A page begins `after` an entry, or where so many are
    skipped."""

    partner_code: str
    today: date
    first_day: date
    last_day: date
    limit: int = PAGE_SIZE
    skip: int = 0
    after: StatementEntry | None = None


class Statement(Frozen):
    """A page of it. `opening` is what was owed before its first day, `closing` after its last one; `total` counts the
    entries of all pages."""

    opening: Money
    closing: Money
    entries: tuple[StatementEntry, ...]
    total: int


def asked_between(
    partner_code: str, today: date, first_day: date | None, last_day: date | None
) -> StatementSearch:
    """Until today, and from so many days before its end, unless days are given."""
    last = last_day or today
    first = first_day or last - min(timedelta(days=STATEMENT_DAYS), last - date.min)
    return StatementSearch(partner_code=partner_code, today=today, first_day=first, last_day=last)
