"""One till for each test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from db.base import Sessions
from tests.billing.payments.making import Till, a_till


@pytest.fixture
async def till(sessions: Sessions, tmp_path: Path) -> AsyncGenerator[Till]:
    async with a_till(sessions, tmp_path) as made:
        await made.turn("cards", lost_reply_seconds=0, slow_seconds=0.2)
        await made.turn("gateway", lost_reply_seconds=0, slow_seconds=0.2, bank_days=0)
        yield made
