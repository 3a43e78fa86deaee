"""Payouts to dealers against the transfers that the card provider made."""

from collections.abc import Iterator
from decimal import Decimal

from domain.base import Frozen
from domain.billing.reconciliation.differences import Difference, DifferenceKind, money, total_of
from domain.dealers.payouts import Payout, PayoutState, Transfer


class PayoutFacts(Frozen):
    """A payout, and every transfer that names it or that it names."""

    payout: Payout
    partner_code: str | None = None
    transfers: tuple[Transfer, ...] = ()


def compare_payout(facts: PayoutFacts) -> Iterator[Difference]:
    """What of one payout is not the same on both sides."""
    payout = facts.payout
    standing = total_of([one.kept for one in facts.transfers])
    currencies = {one.currency for one in facts.transfers} or {"USD"}
    own = [one for one in facts.transfers if one.id == payout.transfer_id]
    if payout.state is PayoutState.PAID and not own:
        yield _of(facts, DifferenceKind.TRANSFER_UNKNOWN_THERE, "")
    elif currencies != {"USD"} or standing not in _expected(payout):
        yield _of(facts, DifferenceKind.TRANSFER_DIFFERS, money(standing, "/".join(currencies)))


def stray_transfer(transfer: Transfer) -> Iterator[Difference]:
    """A transfer that no payout of ours knows of. What came back as a whole is none."""
    if transfer.kept > 0:
        yield Difference(
            kind=DifferenceKind.TRANSFER_UNKNOWN_HERE,
            subject=transfer.id,
            there=money(transfer.kept, transfer.currency),
            amount=transfer.kept,
            charge_id=transfer.id,
        )


def _expected(payout: Payout) -> tuple[Decimal, ...]:
    """What may stand at the provider. Of one that is being paid nobody knows yet."""
    if payout.state is PayoutState.PAYING:
        return (Decimal(0), payout.amount)
    return (payout.amount,) if payout.state is PayoutState.PAID else (Decimal(0),)


def _of(facts: PayoutFacts, kind: DifferenceKind, there: str) -> Difference:
    payout = facts.payout
    return Difference(
        kind=kind,
        subject=payout.id,
        partner_code=facts.partner_code,
        here=f"{payout.month} {payout.state} {money(payout.amount)}",
        there=there,
        amount=payout.amount,
        charge_id=payout.transfer_id,
    )
