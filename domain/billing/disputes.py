"""Chargebacks: a card's holder has their bank take a payment back, and the bank decides (decision 56)."""

from enum import StrEnum

from domain.base import Frozen, Utc
from domain.billing.payments import NOTHING
from domain.money import Money


class DisputeStatus(StrEnum):
    """INQUIRY: the bank asks, and nothing was taken yet. OPEN: the bank has taken the money, and hears both sides."""

    INQUIRY = "inquiry"
    OPEN = "open"
    WON = "won"
    LOST = "lost"


TAKEN_BACK = frozenset({DisputeStatus.OPEN, DisputeStatus.LOST})
DECIDED = frozenset({DisputeStatus.WON, DisputeStatus.LOST})


class Dispute(Frozen):
    """As the provider tells it: the whole of it. `provider_id` is the provider's name of the payment; `respond_by` is until
    when evidence is taken."""

    id: str
    provider_id: str
    status: DisputeStatus
    amount: Money
    currency: str
    reason: str = ""
    respond_by: Utc | None = None

    @property
    def taken_back(self) -> Money:
        """What the payment does not hold any more."""
        return self.amount if self.status in TAKEN_BACK else NOTHING


class Loss(Frozen):
    """A chargeback that the bank decided for the holder of the card, and what was lost `before` it by others of its payment."""

    payment_id: str
    amount: Money
    before: Money


def overtakes(before: DisputeStatus, after: DisputeStatus) -> bool:
    """Whether `after` may follow on `before`: a bank may still change its mind in our favour, and an open dispute does not
    come back as an inquiry."""
    return _RANK[after] >= _RANK[before]


_RANK = {
    DisputeStatus.INQUIRY: 0,
    DisputeStatus.OPEN: 1,
    DisputeStatus.LOST: 2,
    DisputeStatus.WON: 3,
}
