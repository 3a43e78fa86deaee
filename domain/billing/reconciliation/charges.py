"""Payments against what their providers hold."""

from collections.abc import Iterator

from domain.billing.payments import GOOD, PaymentStatus
from domain.billing.reconciliation.differences import Difference, DifferenceKind, money
from domain.billing.reconciliation.facts import Charge, OwnPayment, PaymentFacts

_TAKEN = frozenset({PaymentStatus.PROCESSING, PaymentStatus.CAPTURED, PaymentStatus.REFUNDED})
_OPEN = frozenset({PaymentStatus.UNKNOWN, PaymentStatus.ACTION_REQUIRED, PaymentStatus.AUTHORISED})
_NOT_TAKEN = frozenset({PaymentStatus.VOIDED, PaymentStatus.DECLINED})


def compare_payment(facts: PaymentFacts) -> Iterator[Difference]:
    """What of one payment is not the same on both sides."""
    payment = facts.payment
    own = _own(facts)
    for other in facts.charges:
        if other is not own and other.kept > 0:
            yield _of(
                payment,
                DifferenceKind.CHARGED_TWICE,
                here=payment.provider_id or "",
                there=other.id,
                charge=other,
            )
    if own is None:
        if payment.status in GOOD or payment.kept > 0:
            yield _missing(payment, "")
        return
    yield from _compare(payment, own)


def stray(charge: Charge) -> Iterator[Difference]:
    """A charge that no payment of ours knows of. What stands for nothing is none."""
    if charge.kept > 0:
        yield Difference(
            kind=DifferenceKind.CHARGE_WITHOUT_PAYMENT,
            subject=f"{charge.provider}:{charge.id}",
            there=money(charge.kept, charge.currency),
            amount=charge.kept,
            charge_id=charge.id,
        )


def _own(facts: PaymentFacts) -> Charge | None:
    """The charge that is this payment: the one that it names, else the first that names it."""
    named = [one for one in facts.charges if one.id == facts.payment.provider_id]
    return next(iter(named or facts.charges), None)


def _compare(payment: OwnPayment, charge: Charge) -> Iterator[Difference]:
    if payment.status in _NOT_TAKEN and charge.kept > 0:
        yield _of(
            payment,
            DifferenceKind.VOIDED_AND_CAPTURED,
            here=payment.status.lower(),
            there=f"{charge.status.lower()} {money(charge.kept, charge.currency)}",
            charge=charge,
        )
        return
    if payment.is_live and (charge.status in _OPEN | _NOT_TAKEN):
        if charge.status is not payment.status:
            yield _missing(payment, charge.status.lower())
        return
    if charge.currency != payment.currency:
        yield _of(
            payment,
            DifferenceKind.CURRENCY_DIFFERS,
            here=payment.currency,
            there=charge.currency,
            charge=charge,
        )
    if charge.status in _TAKEN and charge.captured != payment.amount:
        yield _of(
            payment,
            DifferenceKind.AMOUNT_DIFFERS,
            here=money(payment.amount, payment.currency),
            there=money(charge.captured, charge.currency),
            charge=charge,
        )
    if payment.customer and charge.customer and payment.customer != charge.customer:
        yield _of(
            payment,
            DifferenceKind.CUSTOMER_DIFFERS,
            here=payment.customer,
            there=charge.customer,
            charge=charge,
        )
    if charge.is_disputed and not payment.is_dispute_known:
        yield _of(
            payment,
            DifferenceKind.CHARGEBACK_UNHEARD,
            there=money(charge.captured, charge.currency),
            charge=charge,
        )
    yield from _moved_on(payment, charge)


def _moved_on(payment: OwnPayment, charge: Charge) -> Iterator[Difference]:
    """What happened to the charge after it was taken, and since when we know."""
    if charge.status is PaymentStatus.RETURNED:
        if payment.status is not PaymentStatus.RETURNED:
            yield _of(
                payment,
                DifferenceKind.RETURN_UNHEARD,
                here=payment.status.lower(),
                there="returned",
                charge=charge,
            )
        return
    if payment.status in _OPEN and charge.status in _TAKEN:
        yield _of(
            payment,
            DifferenceKind.PAYMENT_BEHIND,
            here=payment.status.lower(),
            there=charge.status.lower(),
            charge=charge,
        )
        return
    if charge.refunded != payment.refunded:
        is_there = charge.refunded > payment.refunded
        yield _of(
            payment,
            DifferenceKind.REFUND_UNKNOWN_HERE if is_there else DifferenceKind.REFUND_UNKNOWN_THERE,
            here=money(payment.refunded, payment.currency),
            there=money(charge.refunded, charge.currency),
            charge=charge,
        )


def _missing(payment: OwnPayment, there: str) -> Difference:
    return _of(
        payment,
        DifferenceKind.PAYMENT_WITHOUT_CHARGE,
        here=f"{payment.status.lower()} {money(payment.amount, payment.currency)}",
        there=there,
    )


def _of(
    payment: OwnPayment,
    kind: DifferenceKind,
    *,
    here: str = "",
    there: str = "",
    charge: Charge | None = None,
) -> Difference:
    return Difference(
        kind=kind,
        subject=payment.id,
        about=payment.about,
        partner_code=payment.partner_code,
        here=here,
        there=there,
        amount=payment.amount,
        charge_id=charge.id if charge else payment.provider_id,
    )
