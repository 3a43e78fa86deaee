"""A payment of as many invoices as there may be in one (promise 13)."""

from collections import Counter
from decimal import Decimal

import pytest

from db.billing.invoice_payments import posted_of
from domain.billing.invoice_allocation import MOST_INVOICES
from tests.billing.invoice_payments.runs import begun, ended
from tests.drivers.whole_portal import Whole

MOST_EVENTS = 10_000
MOST_BYTES = 256 * 1024
REFUSED = 3


@pytest.mark.whole
async def test_two_hundred_invoices_are_one_payment_to_the_cent(whole: Whole) -> None:
    behave = ["REFUSED"] * REFUSED + [""] * (MOST_INVOICES - REFUSED)
    run = await begun(whole.stage, *behave, memo="1000.00")
    plan = run.start.plan
    assert (plan.charged, plan.discount, plan.applied) == (
        Decimal("18600.00"),
        Decimal("400.00"),
        Decimal("1000.00"),
    )
    handle = await ended(run, "confirmed")
    view = await run.view()
    statuses = Counter(str(one.status) for one in view.lines)
    assert statuses == {"posted": MOST_INVOICES - REFUSED, "refunded": REFUSED}
    refused = sum(one.charged for one in plan.allocations[:REFUSED])
    assert await run.kept() == plan.charged - refused == view.charged - view.refunded
    async with whole.sessions() as session:
        posted = await posted_of(session, run.start.id)
    assert sum(much for _, much in posted) == plan.charged - refused
    history = await handle.fetch_history()
    assert len(history.events) < MOST_EVENTS // 4
    assert max(event.ByteSize() for event in history.events) < MOST_BYTES
