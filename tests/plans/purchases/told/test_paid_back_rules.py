"""What a purchase shows of what was given back after its end."""

from decimal import Decimal

import pytest

from domain.plans.paid_back import paid_back
from domain.plans.purchases import LineStatus
from tests.plans.purchases.factories import a_line_view, a_view

SET_UP, BACK, OWED = LineStatus.PROVISIONED, LineStatus.REFUNDED, LineStatus.OWED


@pytest.mark.parametrize(
    ("amount", "statuses", "refunded"),
    [
        ("10.00", (SET_UP, BACK, OWED, OWED), "10.00"),
        ("20.00", (SET_UP, BACK, OWED, OWED), "10.00"),
        ("30.00", (SET_UP, BACK, BACK, BACK), "30.00"),
    ],
)
def test_what_was_left_to_cases_is_paid_back_once_all_of_it_is(
    amount: str, statuses: tuple[LineStatus, ...], refunded: str
) -> None:
    before = (SET_UP, BACK, OWED, OWED)
    lines = [a_line_view(f"FT-X1-0000004{n}", status) for n, status in enumerate(before)]
    view = a_view("uuid-1", "N1", lines=lines, final_charge="40.00", refunded="10.00")
    now = paid_back(view, Decimal(amount))
    assert (tuple(one.status for one in now.lines), now.refunded) == (statuses, Decimal(refunded))
    assert paid_back(now, Decimal(amount)) == now


def test_a_purchase_of_which_nothing_was_left_to_a_case_shows_no_other_refund() -> None:
    view = a_view("uuid-1", "N1", lines=[a_line_view("FT-X1-00000040", SET_UP)])
    assert paid_back(view, Decimal(10)) == view
