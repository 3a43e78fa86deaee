"""The payment provider is away: a buyer cancels or pays otherwise at once, and nothing stays charged."""

from pathlib import Path

import pytest
from sqlalchemy import select

from db.billing.payments import payments_of_flow
from db.checkout.cart import CartRow
from db.checkout.placements import open_start
from domain.billing.payments import PaymentStatus
from tests.billing.invoice_payments.stories import Story, paid_otherwise_while_it_was_charged
from tests.billing.payments.factories import a_payment_driver
from tests.checkout.placements import runs as orders
from tests.checkout.placements.buying import turn
from tests.checkout.placements.stories import (
    IN_A_HURRY,
    paid_otherwise_while_the_provider_is_away,
)
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.operations.cases.stories import LET_GO
from tests.plans.purchases import runs as purchases
from tests.plans.purchases.stories import IN_A_HURRY as QUICK


async def test_an_order_is_cancelled_while_nobody_answers_and_can_never_be_charged(
    whole: Whole, stage: Stage
) -> None:
    await turn(whole, "cards", outage=True)
    try:
        run = await orders.begun(stage, policy=IN_A_HURRY)
        await run.until("authorising")
        assert await run.cancel() is None
        await orders.ended(run, "cancelled")
    finally:
        await turn(whole, "cards", outage=False)
    async with stage.sessions() as session:
        (held,) = await payments_of_flow(session, "placement", run.token)
        superseded = await session.scalar(
            select(CartRow.superseded_at).where(CartRow.token == run.token)
        )
        assert await open_start(session, run.token) is None
    assert (held.status, superseded) == (PaymentStatus.VOIDED, None)
    async with a_payment_driver(stage.sessions, Path(), simulators=stage.app) as driver:
        assert (await driver.pay.authorise(held.request)).status is PaymentStatus.VOIDED
    assert await run.kept() == 0


async def test_plans_are_paid_otherwise_and_the_first_charge_is_given_back(stage: Stage) -> None:
    """It was charged, and its reply never came: whoever gives it back, one charge is left."""
    run = await purchases.begun(stage, card="neverAnswered", at_once=True, policy=QUICK)
    await run.until("charging")
    assert await run.pay("visa") is None
    await purchases.ended(run, "confirmed")
    charged = round((await run.view()).final_charge * 100)

    async def kept() -> bool:
        return await run.kept() == charged

    await until(kept, within=40)


async def test_what_is_owed_is_paid_otherwise_while_the_first_provider_is_away(
    stage: Stage,
) -> None:
    (story,) = LET_GO.values()
    assert await story(stage)


@pytest.mark.parametrize(
    "story",
    [paid_otherwise_while_the_provider_is_away, paid_otherwise_while_it_was_charged],
    ids=["an order", "invoices"],
)
async def test_an_order_and_invoices_are_paid_otherwise_at_once(stage: Stage, story: Story) -> None:
    assert await story(stage)
