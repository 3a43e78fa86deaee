"""A case whose run is gone while somebody pays what is owed: it is charged once, and by whoever may."""

from domain.checkout.cart import NoPurchasingRights
from tests.billing.invoice_payments.runs import retire
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.operations.cases.chargebacks.sold_plans import Sold
from tests.operations.cases.factories import kept
from tests.operations.cases.interrupted.lost_stories import (
    charged_and_gone,
    lost_while_it_restores,
    of_a_payer_who_left,
    resolved_by_hand,
)
from tests.operations.cases.stories import owing, until
from tests.operations.reconciler.rounds import a_round


async def intents(stage: Stage, flow_id: str) -> int:
    """How often the card was asked for money."""
    answer = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": flow_id})
    return len(answer.json()["intents"])


async def test_a_case_that_is_gone_while_it_restores_asks_for_no_more_money(stage: Stage) -> None:
    sold = Sold(stage)
    await lost_while_it_restores(stage, sold)
    assert (await intents(stage, sold.id), await kept(stage, sold.id)) == (1, 1_000)


async def test_what_was_taken_of_somebody_who_may_not_pay_any_more_goes_back(stage: Stage) -> None:
    debt, colleague, case = await of_a_payer_who_left(stage)
    assert case.payment is not None
    assert case.payment.detail == NoPurchasingRights.detail
    assert (case.payer_id, case.owed) == (colleague.id, case.amount)
    assert await kept(stage, case.belongs_to.flow_id) == 0
    await resolved_by_hand(stage, debt)


async def test_what_a_colleague_paid_stays_paid_whoever_had_ordered_it(stage: Stage) -> None:
    dealer = await a_dealer(stage.sessions)
    debt = await owing(stage, dealer=dealer)
    colleague = await an_owner(stage.sessions, dealer)
    flow_id = await charged_and_gone(stage, debt, colleague)
    await retire(stage.sessions, debt.buyer.id)
    await a_round(stage)
    await until(stage, debt.handle, "solved")
    assert (await intents(stage, flow_id), await kept(stage, flow_id)) == (1, 10_499)
