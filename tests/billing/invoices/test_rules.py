"""Discount, payoff and ageing, to the cent and to the day (shop spec 4; rulings)."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from domain.billing.invoices.documents import (
    Ageing,
    EarlyPay,
    Settled,
    SettledBy,
    ageing_of,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.billing.invoices.search import InvoiceListStatus, is_past_due
from tests.billing.invoices.factories import DUE, ISSUED, a_memo, an_invoice

LAST = ISSUED + timedelta(days=10)


@pytest.mark.parametrize(
    ("given", "saved"),
    [
        ({}, "2.00"),
        ({"paid": Decimal("40.00"), "payoff": Decimal("58.80")}, "1.20"),
        ({"payoff": Decimal("97.995")}, "2.00"),
        ({"payoff": Decimal("100.00")}, "0.00"),
        ({"payoff": Decimal("110.00")}, "0.00"),
        ({"paid": Decimal("100.00"), "payoff": Decimal("0.00")}, "0.00"),
        ({"paid": Decimal("99.50"), "payoff": Decimal("0.00")}, "0.50"),
        ({"early_pay": ()}, "0.00"),
    ],
)
def test_the_discount_is_what_the_payoff_leaves_of_the_open_amount(
    given: dict[str, Any], saved: str
) -> None:
    invoice = an_invoice("N1", **given)
    assert discount_of(invoice, LAST) == Decimal(saved)
    assert payoff_of(invoice, LAST) == invoice.balance - Decimal(saved)


def test_the_discount_holds_through_its_last_day_and_then_the_whole_balance_is_asked() -> None:
    invoice = an_invoice("N1", paid=Decimal("10.00"), payoff=Decimal("88.20"))
    assert last_discount_day(invoice) == LAST
    assert payoff_of(invoice, LAST) == Decimal("88.20")
    assert payoff_of(invoice, LAST + timedelta(days=1)) == Decimal("90.00")


@pytest.mark.parametrize(("seconds", "saved"), [(-1, "2.00"), (0, "0.00"), (1, "0.00")])
def test_promise_21_the_day_ends_at_midnight_of_the_site(seconds: int, saved: str) -> None:
    zone = ZoneInfo("America/Toronto")
    midnight = datetime.combine(LAST + timedelta(days=1), datetime.min.time(), zone)
    # In UTC, as clocks run: seconds before midnight in Toronto it is long the next day there.
    now = midnight.astimezone(UTC) + timedelta(seconds=seconds)
    assert discount_of(an_invoice("N1"), now.astimezone(zone).date()) == Decimal(saved)


def test_later_entries_grant_nothing() -> None:
    tiers = (EarlyPay(number_of_days=5), EarlyPay(number_of_days=20))
    invoice = an_invoice("N1", early_pay=tiers)
    assert discount_of(invoice, ISSUED + timedelta(days=5)) == Decimal("2.00")
    assert discount_of(invoice, ISSUED + timedelta(days=6)) == Decimal("0.00")


@pytest.mark.parametrize(
    ("late", "bucket"),
    [
        (-40, "current"),
        (0, "current"),
        (1, "1-30"),
        (30, "1-30"),
        (31, "31-60"),
        (60, "31-60"),
        (61, "61-90"),
        (90, "61-90"),
        (91, "over-90"),
        (900, "over-90"),
    ],
)
def test_ageing_counts_days_past_the_due_date(late: int, bucket: str) -> None:
    today = DUE + timedelta(days=late)
    assert ageing_of(DUE, today) is Ageing(bucket)
    assert InvoiceListStatus(bucket).ageing is Ageing(bucket)
    assert is_past_due(an_invoice("N1"), today) is (late > 0)
    assert not is_past_due(an_invoice("N1", paid=Decimal("100.00")), today)


def test_what_was_overpaid_is_not_open() -> None:
    assert an_invoice("N1", paid=Decimal("101.00")).balance == Decimal("0.00")
    assert a_memo("N1", applied=Decimal("12.34")).balance == Decimal("17.66")


@pytest.mark.parametrize(
    "wrong",
    [{"tax": Decimal("1.00")}, {"paid": Decimal(-1)}, {"number": "../etc"}, {"due_date": "soon"}],
)
def test_a_document_that_does_not_add_up_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        an_invoice("N1", **wrong)


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("credit memo", SettledBy.CREDIT_MEMO),
        ("early-pay discount", SettledBy.DISCOUNT),
        ("returned_discount", SettledBy.RETURNED_DISCOUNT),
        ("write-off", "write-off"),
    ],
)
def test_what_settled_an_invoice_is_read_by_one_word(told: str, kind: str) -> None:
    settled = Settled(on=ISSUED, kind=told, number="P-1", amount=Decimal(2))
    assert settled.kind == kind
    assert settled.change == (2 if told.startswith("returned") else -2)
