"""What a dealer is paid of its rewards: one payout for each dealer and month of UTC (decision 65)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.errors import Conflict, NotFound
from domain.money import Money


class PayoutState(StrEnum):
    WAITING = "waiting"
    """The dealer's account cannot be paid yet."""
    PAYING = "paying"
    PAID = "paid"
    REFUSED = "refused"
    RETURNED = "returned"
    SETTLED = "settled"
    """It was refused or came back, and a person has settled it in another way. Its row stays as it was."""


MOVES: Mapping[PayoutState, frozenset[PayoutState]] = {
    PayoutState.WAITING: frozenset({PayoutState.PAYING}),
    PayoutState.PAYING: frozenset({PayoutState.PAID, PayoutState.REFUSED}),
    PayoutState.PAID: frozenset({PayoutState.RETURNED}),
    PayoutState.REFUSED: frozenset({PayoutState.PAYING, PayoutState.SETTLED}),
    PayoutState.RETURNED: frozenset({PayoutState.PAYING, PayoutState.SETTLED}),
    PayoutState.SETTLED: frozenset(),
}

BY_THE_ROUND = frozenset({PayoutState.WAITING, PayoutState.PAYING})
"""What a round pays by itself; what was refused or returned waits for a person."""

TRIED_BY_A_PERSON = frozenset({PayoutState.REFUSED, PayoutState.RETURNED})


class MonthState(StrEnum):
    """Of a month that has no payout: it goes on, its payout is due, or there is nothing to pay and what was taken back goes
    on into the next month."""

    COLLECTING = "collecting"
    DUE = "due"
    CARRIED = "carried"


class PayoutRef(Frozen):
    dealer_id: str
    month: str


class Payout(Frozen):
    """`attempt` counts the times that the provider was asked; each has a key of its own."""

    dealer_id: str
    month: str
    amount: Money
    state: PayoutState
    attempt: int = 0
    transfer_id: str | None = None
    detail: str | None = None
    paid_at: Utc | None = None

    @property
    def id(self) -> str:
        return payout_id(self.dealer_id, self.month)

    @property
    def key(self) -> str:
        return f"{self.id}:{self.attempt}"


class Transfer(Frozen):
    """A transfer at the provider; `payout_id` and `attempt` as we sent them with it."""

    id: str
    account_id: str
    amount: Money
    reversed: Money = Decimal("0.00")
    payout_id: str | None = None
    attempt: int | None = None
    currency: str = "USD"

    @property
    def kept(self) -> Decimal:
        return self.amount - self.reversed

    @property
    def is_returned(self) -> bool:
        return self.reversed >= self.amount


class PayoutMissing(NotFound):
    code = "payout_missing"


class PayoutStateConflict(Conflict):
    code = "payout_moved"
    detail = "This payout is not one that can be tried again."


class PayoutNotToResolve(Conflict):
    code = "payout_not_to_settle"
    detail = "Only a payout that was refused or came back can be settled in another way."


def payout_id(dealer_id: str, month: str) -> str:
    """What the provider is told as the group of its transfers."""
    return f"payout-{dealer_id}-{month}"


def may_move(before: PayoutState, after: PayoutState) -> bool:
    return after in MOVES[before]


def month_of(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m}"


def month_before(moment: datetime) -> str:
    """The last UTC month that is over."""
    now = moment.astimezone(UTC)
    year, month = (now.year - 1, 12) if now.month == 1 else (now.year, now.month - 1)
    return f"{year:04d}-{month:02d}"


def month_after(month: str) -> str:
    return month_of(ends_before(month))


def begins_at(month: str) -> datetime:
    """The first moment of a month (YYYY-MM)."""
    return datetime(int(month[:4]), int(month[5:]), 1, tzinfo=UTC)


def ends_before(month: str) -> datetime:
    """The first moment after a month (YYYY-MM)."""
    year, number = int(month[:4]), int(month[5:])
    return datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)


def month_state(month: str, amount: Decimal, now: datetime) -> MonthState:
    if month >= month_of(now):
        return MonthState.COLLECTING
    return MonthState.DUE if amount > 0 else MonthState.CARRIED
