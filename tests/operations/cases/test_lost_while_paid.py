"""A case whose run is gone while somebody pays what is owed: it is charged once, and by whoever may."""

from domain.checkout.cart import NoPurchasingRights
from domain.identity.people import User
from domain.operations.cases import CaseView
from tests.billing.invoice_payments.runs import retire
from tests.billing.payments.factories import a_method
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until as come
from tests.operations.cases.factories import Handle, case_in, kept, told
from tests.operations.cases.sold_plans import Sold
from tests.operations.cases.stories import PATIENT, Owing, id_of, owing, until
from tests.operations.reconciler.rounds import a_round


async def intents(stage: Stage, flow_id: str) -> int:
    """How often the card was asked for money."""
    answer = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": flow_id})
    return len(answer.json()["intents"])


async def the_next_run(stage: Stage, handle: Handle) -> Handle:
    await handle.terminate("lost")
    await a_round(stage)
    return stage.client.get_workflow_handle(handle.id)


async def test_a_case_that_is_gone_while_it_restores_asks_for_no_more_money(stage: Stage) -> None:
    sold = await Sold(stage).set()
    owed = await sold.owed(PATIENT)
    await until(stage, owed.handle, "owed")
    await stage.control(sold.devices[0], outages=1_000_000)
    assert await owed.pay() is None
    await until(stage, owed.handle, "restoring")
    again = await the_next_run(stage, owed.handle)
    await stage.control(sold.devices[0], outages=0)
    await until(stage, again, "solved")
    assert (await intents(stage, sold.id), await kept(stage, sold.id)) == (1, 1_000)


async def charged_and_gone(stage: Stage, debt: Owing, payer: User) -> str:
    """The money is taken, and its run is gone before it hears of it; what the money was for."""
    await until(stage, debt.handle, "owed")
    method = await a_method(
        stage.sessions, card="neverAnswered", partner_code=debt.buyer.partner_code
    )
    assert (
        await told(debt.handle, "pay", actor_id=payer.id, type="CARD", method_id=method.id) is None
    )
    flow_id = (await case_in(stage, id_of(debt.handle), "charging")).belongs_to.flow_id
    await come(lambda: kept(stage, flow_id), lambda cents: cents == 10_499)
    await debt.handle.terminate("lost")
    return flow_id


async def test_what_was_taken_of_somebody_who_may_not_pay_any_more_goes_back(stage: Stage) -> None:
    dealer = await a_dealer(stage.sessions)
    debt = await owing(stage, dealer=dealer)
    colleague = await an_owner(stage.sessions, dealer)
    flow_id = await charged_and_gone(stage, debt, colleague)
    await retire(stage.sessions, colleague.id)
    await a_round(stage)

    async def read() -> CaseView:
        return await case_in(stage, id_of(debt.handle), "owed")

    case = await come(read, lambda now: bool(now.payment and now.payment.detail))
    assert case.payment is not None
    assert case.payment.detail == NoPurchasingRights.detail
    assert (case.payer_id, case.owed) == (colleague.id, case.amount)
    assert await kept(stage, flow_id) == 0
    again = stage.client.get_workflow_handle(debt.handle.id)
    assert await told(again, "resolve", note="A cheque came.") is None
    await again.result()


async def test_what_a_colleague_paid_stays_paid_whoever_had_ordered_it(stage: Stage) -> None:
    dealer = await a_dealer(stage.sessions)
    debt = await owing(stage, dealer=dealer)
    colleague = await an_owner(stage.sessions, dealer)
    flow_id = await charged_and_gone(stage, debt, colleague)
    await retire(stage.sessions, debt.buyer.id)
    await a_round(stage)
    await until(stage, debt.handle, "solved")
    assert (await intents(stage, flow_id), await kept(stage, flow_id)) == (1, 10_499)
