"""What a case has given back of a purchase of plans after the purchase had ended (decision 51)."""

from collections.abc import Iterable

from domain.money import Money
from domain.plans.purchases import ZERO, LineStatus, LineView, PurchaseView


def paid_back(view: PurchaseView, amount: Money) -> PurchaseView:
    """An ended purchase of which so much was given back by now: what was left to cases is paid back once that is enough for all
    of it. Which of several devices a part of it was for nobody knows."""
    owed = _worth(line for line in view.lines if line.status is LineStatus.OWED)
    refunded = view.refunded + owed
    if owed == ZERO or amount < refunded:
        return view
    lines = tuple(
        line.model_copy(update={"status": LineStatus.REFUNDED, "refunded": line.total})
        if line.status is LineStatus.OWED
        else line
        for line in view.lines
    )
    return view.model_copy(update={"lines": lines, "refunded": refunded})


def _worth(lines: Iterable[LineView]) -> Money:
    return sum((line.total for line in lines), ZERO)
