"""The rules of payments, without any provider."""

import itertools
from decimal import Decimal

import pytest

from domain.billing.payments import (
    Payment,
    PaymentRef,
    PaymentStatus,
    ProviderPayment,
    entries_between,
    goes_on,
    is_news,
    is_overtaken,
    payment_id_of,
)
from tests.billing.payments.factories import a_payment_request

HOLD = ProviderPayment(provider_id="pi_1", status=PaymentStatus.AUTHORISED)
TAKEN = ProviderPayment(
    provider_id="pi_1", status=PaymentStatus.CAPTURED, captured=Decimal("104.99")
)
PART_BACK = TAKEN.model_copy(update={"refunded": Decimal("4.99")})
ALL_BACK = TAKEN.model_copy(
    update={"refunded": Decimal("104.99"), "status": PaymentStatus.REFUNDED}
)


def a_payment(**more: object) -> Payment:
    request = a_payment_request()
    return Payment.model_validate(
        {"id": request.payment_id, "request": request, "status": PaymentStatus.UNKNOWN, **more}
    )


def follow(payment: Payment, at_provider: ProviderPayment) -> Payment:
    return payment.model_copy(
        update={
            "status": at_provider.status,
            "captured": at_provider.captured,
            "refunded": max(at_provider.refunded, payment.refunded),
        }
    )


def test_the_id_follows_from_the_key() -> None:
    request = a_payment_request()
    assert PaymentRef.of_key(request.key) == PaymentRef(payment_id=request.payment_id)
    assert payment_id_of("a:1") != payment_id_of("a:2")


def test_each_movement_is_one_entry() -> None:
    payment = a_payment()
    told: list[tuple[str, Decimal]] = []
    for at_provider in (HOLD, HOLD, TAKEN, PART_BACK, ALL_BACK, ALL_BACK):
        told += entries_between(payment, at_provider)
        payment = follow(payment, at_provider)
    assert told == [
        ("authorised", Decimal("104.99")),
        ("captured", Decimal("104.99")),
        ("refunded", Decimal("4.99")),
        ("refunded", Decimal("100.00")),
    ]


def test_whatever_order_facts_come_in_the_ledger_ends_at_the_same_sum() -> None:
    more_back = TAKEN.model_copy(update={"refunded": Decimal("54.99")})
    for order in itertools.permutations((HOLD, TAKEN, PART_BACK, more_back, ALL_BACK, ALL_BACK)):
        payment, kept = a_payment(), Decimal(0)
        for at_provider in order:
            if is_overtaken(payment, at_provider):
                continue
            for kind, amount in entries_between(payment, at_provider):
                kept += {"captured": amount, "refunded": -amount}.get(kind, Decimal(0))
            payment = follow(payment, at_provider)
        assert (payment.status, kept) == (PaymentStatus.REFUNDED, 0)


def test_a_returned_debit_takes_back_what_was_not_given_back_already() -> None:
    part = a_payment(
        status=PaymentStatus.PROCESSING, captured=Decimal("104.99"), refunded=Decimal("4.99")
    )
    returned = PART_BACK.model_copy(update={"status": PaymentStatus.RETURNED})
    assert entries_between(part, returned) == (("returned", Decimal("100.00")),)


def test_a_debit_that_brings_less_than_was_asked_for_is_of_what_it_brings() -> None:
    asked = ProviderPayment(
        provider_id="pi_1", status=PaymentStatus.PROCESSING, captured=Decimal("104.99")
    )
    less = asked.model_copy(
        update={"status": PaymentStatus.CAPTURED, "captured": Decimal("104.98")}
    )
    payment = follow(a_payment(), asked)
    assert not is_overtaken(payment, less)
    assert entries_between(payment, less) == (("captured", Decimal("-0.01")),)
    payment = follow(payment, less)
    assert is_overtaken(payment, asked)
    nothing = less.model_copy(update={"captured": Decimal(0)})
    assert is_overtaken(payment, nothing)


@pytest.mark.parametrize(
    ("before", "after", "follows"),
    [
        (PaymentStatus.UNKNOWN, PaymentStatus.DECLINED, True),
        (PaymentStatus.ACTION_REQUIRED, PaymentStatus.AUTHORISED, True),
        (PaymentStatus.AUTHORISED, PaymentStatus.VOIDED, True),
        (PaymentStatus.PROCESSING, PaymentStatus.RETURNED, True),
        (PaymentStatus.CAPTURED, PaymentStatus.RETURNED, True),
        (PaymentStatus.CAPTURED, PaymentStatus.AUTHORISED, False),
        (PaymentStatus.VOIDED, PaymentStatus.AUTHORISED, False),
        (PaymentStatus.DECLINED, PaymentStatus.UNKNOWN, False),
    ],
)
def test_a_payment_never_goes_back(
    before: PaymentStatus, after: PaymentStatus, follows: bool
) -> None:
    assert goes_on(before, after) is follows


def test_what_we_did_ourselves_is_no_news() -> None:
    assert not is_news(PaymentStatus.CAPTURED, PaymentStatus.CAPTURED)
    assert not is_news(PaymentStatus.CAPTURED, PaymentStatus.AUTHORISED)
    assert is_news(PaymentStatus.ACTION_REQUIRED, PaymentStatus.AUTHORISED)
    assert is_news(PaymentStatus.CAPTURED, PaymentStatus.REFUNDED)
