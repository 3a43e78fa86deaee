"""Who has lost the right to buy is charged nothing, whatever the run was waiting for meanwhile (promise 38)."""

import pytest

from tests.drivers.whole_portal import Whole
from tests.plans.purchases.stories import (
    Story,
    confirmed_at_the_bank_without_the_right,
    confirmed_without_the_right_while_its_run_was_gone,
    found_to_be_paid_without_the_right,
)

STORIES = {
    "who confirms at the bank, and pays by another card": confirmed_at_the_bank_without_the_right,
    "whose charge is found later": found_to_be_paid_without_the_right,
    "whose run was gone meanwhile": confirmed_without_the_right_while_its_run_was_gone,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_rights_are_read_before_each_charge_and_after_each_wait(
    whole: Whole, story: Story
) -> None:
    assert await story(whole.stage)
