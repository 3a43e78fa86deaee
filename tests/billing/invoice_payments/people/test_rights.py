"""Who has lost the right to pay invoices is charged nothing, whatever the run was waiting for meanwhile (promise 38)."""

import pytest

from tests.billing.invoice_payments.stories import (
    Story,
    confirmed_at_the_bank_without_the_right,
    found_to_be_paid_without_the_right,
    refused_before_it_was_charged,
)
from tests.drivers.whole_portal import Whole

STORIES = {
    "before the charge": refused_before_it_was_charged,
    "who confirms at the bank, and pays by another card": confirmed_at_the_bank_without_the_right,
    "whose charge is found later": found_to_be_paid_without_the_right,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_rights_are_read_before_each_charge_and_after_each_wait(
    whole: Whole, story: Story
) -> None:
    assert await story(whole.stage)
