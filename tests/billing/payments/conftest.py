"""One till for each test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from db.base import Sessions
from tests.billing.payments.factories import PaymentDriver, a_payment_driver


@pytest.fixture
async def driver(sessions: Sessions, tmp_path: Path) -> AsyncGenerator[PaymentDriver]:
    async with a_payment_driver(sessions, tmp_path) as made:
        await made.turn("cards", lost_reply_seconds=0, slow_seconds=0.2)
        await made.turn("gateway", lost_reply_seconds=0, slow_seconds=0.2, bank_days=0)
        yield made
