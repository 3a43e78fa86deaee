"""Goods of an order are never sent while what it cost is owed again: less is asked for, or nothing (decision 51)."""

import pytest

from tests.drivers.stage import Stage
from tests.operations.cases.never_sent import NEVER_SENT


@pytest.mark.parametrize("name", NEVER_SENT)
async def test_nothing_is_asked_for_that_goes_back_again(stage: Stage, name: str) -> None:
    assert await NEVER_SENT[name](stage)
