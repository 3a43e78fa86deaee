"""Cases whose run is gone while somebody pays what is owed, and what their next run makes of it."""

from domain.identity.people import User
from domain.operations.cases import CaseView
from tests.billing.invoice_payments.runs import retire
from tests.billing.payments.factories import a_method
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.stage import Stage
from tests.drivers.until import until as come
from tests.operations.cases.chargebacks.sold_plans import Sold
from tests.operations.cases.factories import Handle, case_in, kept, send_command
from tests.operations.cases.stories import PATIENT, Owing, Story, id_of, owing, until
from tests.operations.reconciler.rounds import a_round


async def the_next_run(stage: Stage, handle: Handle) -> Handle:
    await handle.terminate("lost")
    await a_round(stage)
    return stage.client.get_workflow_handle(handle.id)


async def lost_while_it_restores(stage: Stage, sold: Sold) -> Handle:
    """The run after one that was gone when the money was there and the plans were not back yet; it has ended."""
    await sold.set()
    owed = await sold.owed(PATIENT)
    await until(stage, owed.handle, "owed")
    await stage.control(sold.devices[0], outages=1_000_000)
    assert await owed.pay() is None
    await until(stage, owed.handle, "restoring")
    again = await the_next_run(stage, owed.handle)
    await stage.control(sold.devices[0], outages=0)
    await until(stage, again, "solved")
    return again


async def charged_and_gone(stage: Stage, debt: Owing, payer: User) -> str:
    """The money is taken, and its run is gone before it is told of it; what the money was for."""
    await until(stage, debt.handle, "owed")
    method = await a_method(
        stage.sessions, card="neverAnswered", partner_code=debt.buyer.partner_code
    )
    assert (
        await send_command(debt.handle, "pay", actor_id=payer.id, type="CARD", method_id=method.id)
        is None
    )
    flow_id = (await case_in(stage, id_of(debt.handle), "charging")).belongs_to.flow_id
    await come(lambda: kept(stage, flow_id), lambda cents: cents == 10_499)
    await debt.handle.terminate("lost")
    return flow_id


async def of_a_payer_who_left(stage: Stage) -> tuple[Owing, User, CaseView]:
    """It is owed again in its next run, as the colleague who had paid it may not pay any more."""
    dealer = await a_dealer(stage.sessions)
    debt = await owing(stage, dealer=dealer)
    colleague = await an_owner(stage.sessions, dealer)
    await charged_and_gone(stage, debt, colleague)
    await retire(stage.sessions, colleague.id)
    await a_round(stage)

    async def read() -> CaseView:
        return await case_in(stage, id_of(debt.handle), "owed")

    case = await come(read, lambda now: bool(now.payment and now.payment.detail))
    return debt, colleague, case


async def resolved_by_hand(stage: Stage, debt: Owing) -> Handle:
    again = stage.client.get_workflow_handle(debt.handle.id)
    assert await send_command(again, "resolve", note="A cheque came.") is None
    await again.result()
    return again


async def goes_on_restoring(stage: Stage) -> Handle:
    return await lost_while_it_restores(stage, Sold(stage))


async def gives_back_to_a_payer_who_left(stage: Stage) -> Handle:
    debt, _, _ = await of_a_payer_who_left(stage)
    return await resolved_by_hand(stage, debt)


LOST: dict[str, Story] = {
    "goes-on-restoring": goes_on_restoring,
    "gives-back-to-a-payer-who-left": gives_back_to_a_payer_who_left,
}
