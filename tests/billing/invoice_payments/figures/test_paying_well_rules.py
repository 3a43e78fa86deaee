"""Which invoices to pay with so much money: what is chosen is what trying every set finds."""

import itertools
import random
import time
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

import pytest

from domain.billing.invoice_allocation import MOST_INVOICES
from domain.billing.invoices.documents import (
    EarlyPay,
    Invoice,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.billing.invoices.search import is_past_due
from domain.billing.paying_well import paying_well
from domain.money import to_cents
from tests.billing.invoices.factories import an_invoice

TODAY = date(2026, 11, 25)
Value = tuple[Decimal, Decimal, tuple[bool, ...], tuple[bool, ...]]


def some_invoices(seed: int, count: int, most_cents: int) -> list[Invoice]:
    """With a discount, past due, or neither."""
    chance = random.Random(seed)
    made: list[Invoice] = []
    for place in range(count):
        total = Decimal(chance.randint(1, most_cents)) / 100
        saving = chance.choice((0, 0, 0, 1, 2, 3, 5))
        age = chance.randint(0, 8) if saving else chance.randint(0, 90)
        issued = TODAY - timedelta(days=age)
        made.append(
            an_invoice(
                "B1",
                str(total),
                number=f"N{place:03}",
                create_date=issued,
                due_date=issued + timedelta(days=30),
                payoff=to_cents(total - total * saving / 100),
                early_pay=(EarlyPay(number_of_days=10),) if saving else (),
            )
        )
    return made


def value(invoices: Sequence[Invoice], chosen: set[str]) -> Value:
    """Discount, past due cleared, and which of those past due and of the rest are paid, the oldest first."""
    by_age = sorted(invoices, key=lambda one: (one.create_date, one.number))
    plain = [one for one in by_age if not discount_of(one, TODAY)]
    late = [one for one in plain if is_past_due(one, TODAY)]
    paid = [one for one in by_age if one.number in chosen]
    return (
        sum((discount_of(one, TODAY) for one in paid), Decimal(0)),
        sum((one.balance for one in late if one.number in chosen), Decimal(0)),
        tuple(one.number in chosen for one in late),
        tuple(one.number in chosen for one in plain if one not in late),
    )


def best(invoices: Sequence[Invoice], budget: Decimal) -> Value:
    """By trying every set."""
    return max(
        value(invoices, {one.number for one in chosen})
        for size in range(len(invoices) + 1)
        for chosen in itertools.combinations(invoices, size)
        if sum((payoff_of(one, TODAY) for one in chosen), Decimal(0)) <= budget
    )


@pytest.mark.parametrize("most_cents", [20, 400, 100_000])
def test_it_is_the_best_of_all_sets(most_cents: int) -> None:
    chance = random.Random(most_cents)
    for seed in range(60):
        invoices = some_invoices(seed, chance.randint(1, 8), most_cents)
        owed = int(sum(one.total for one in invoices) * 100)
        budget = Decimal(chance.randint(1, owed)) / 100
        advice = paying_well(invoices, budget, TODAY)
        assert advice.total + advice.left == budget
        assert advice.left >= 0
        chosen = {one.number for one in advice.invoices}
        assert value(invoices, chosen) == best(invoices, budget), (seed, budget)


@pytest.mark.whole
@pytest.mark.parametrize("part", ["0.05", "0.3", "0.6", "0.95"])
def test_two_hundred_take_less_than_a_second(part: str) -> None:
    invoices = some_invoices(7, MOST_INVOICES, 500_000)
    owed = sum((one.total for one in invoices), Decimal(0))
    began = time.process_time()
    advice = paying_well(invoices, to_cents(owed * Decimal(part)), TODAY)
    assert time.process_time() - began < 1
    assert advice.considered == advice.open == MOST_INVOICES
    assert advice.invoices


def test_of_two_alike_the_older_is_paid() -> None:
    days = [timedelta(days=n) for n in (60, 50, 2, 1)]
    late = [
        an_invoice(
            "B1",
            number=f"L{place}",
            create_date=TODAY - age,
            due_date=TODAY - age + timedelta(days=30),
            payoff=Decimal(100),
            early_pay=(),
        )
        for place, age in enumerate(days[:2])
    ]
    saving = [
        an_invoice("B1", number=f"S{place}", create_date=TODAY - age, due_date=TODAY)
        for place, age in enumerate(days[2:])
    ]
    for budget, chosen in (("98", ["S0"]), ("296", ["S0", "S1", "L0"])):
        advice = paying_well([*reversed(late), *reversed(saving)], Decimal(budget), TODAY)
        assert sorted(one.number for one in advice.invoices) == sorted(chosen)


def test_a_discount_counts_through_its_last_day() -> None:
    saving = an_invoice("B1", number="S", create_date=TODAY, due_date=TODAY + timedelta(days=30))
    late = an_invoice(
        "B1",
        number="L",
        create_date=TODAY - timedelta(days=40),
        due_date=TODAY - timedelta(days=10),
        payoff=Decimal(100),
        early_pay=(),
    )
    last = last_discount_day(saving)
    assert last is not None
    for on, first in ((last, "S"), (last + timedelta(days=1), "L")):
        advice = paying_well([late, saving], Decimal(100), on)
        assert [one.number for one in advice.invoices] == [first]


def test_of_more_than_one_payment_settles_the_first_are_looked_at() -> None:
    invoices = some_invoices(3, MOST_INVOICES + 20, 50_000)
    advice = paying_well(invoices, Decimal(1_000_000), TODAY)
    assert (advice.open, advice.considered) == (MOST_INVOICES + 20, MOST_INVOICES)
    assert len(advice.invoices) == MOST_INVOICES
    assert paying_well([], Decimal(10), TODAY).invoices == ()
