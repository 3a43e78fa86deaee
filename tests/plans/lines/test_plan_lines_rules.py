"""How many devices with a plan fit in a cart."""

import pytest

from domain.plans.lines import Chosen, TooManyChosen, check_room
from domain.plans.plans import MOST_LINES

FULL = [
    Chosen(device_key=f"FT-X1-{number:08}", plan_id="basic_prepaid-1_year")
    for number in range(MOST_LINES)
]


def test_the_last_device_fits_and_one_more_does_not() -> None:
    check_room(FULL[:-1], "FT-X1-99999999")
    with pytest.raises(TooManyChosen):
        check_room(FULL, "FT-X1-99999999")


def test_the_plan_of_a_device_changes_also_in_a_full_cart() -> None:
    check_room(FULL, FULL[0].device_key)
