"""The ways to pay of one purchase: so many and no more, as its history has room for no end of them; none twice."""

from domain.billing.payments import MOST_ATTEMPTS, PayingFlow, PaymentType
from domain.operations.cases import UNANSWERED
from domain.plans.purchases import Attach, PayBy
from tests.billing.payments.factories import a_method, named
from tests.drivers.stage import Stage, stage
from tests.operations.cases.factories import left_to_a_case
from tests.operations.reconciler.rounds import a_round, change
from tests.plans.purchases.runs import PATIENT, SECOND, begun, ended
from workflows.plans.purchase import PurchaseWorkflow

__all__ = ["stage"]


async def test_a_run_that_is_gone_does_not_wait_for_what_a_case_lets_go_of(stage: Stage) -> None:
    policy = PATIENT.model_copy(update={"look": 3600 * SECOND, "charge": SECOND})
    run = await begun(stage, card="away", at_once=True, policy=policy)
    await run.until("needs_attention")
    await left_to_a_case(stage, "purchase", run.start.id)
    await run.handle.terminate("lost")
    await a_round(stage)
    run.handle = stage.client.get_workflow_handle(run.handle.id)
    await run.until("quoted")
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0


async def test_after_so_many_ways_to_pay_no_other_is_taken(stage: Stage) -> None:
    run = await begun(stage, card="transactionDeclined", at_once=True)
    await run.until("declined")
    await change(
        stage,
        f"update payment set attempt = {MOST_ATTEMPTS} where flow_id = :id",
        id=run.start.id,
    )
    await run.handle.terminate("lost")
    await a_round(stage)
    run.handle = stage.client.get_workflow_handle(run.handle.id)
    await run.until("quoted")
    method = await a_method(stage.sessions, partner_code=run.start.buyer.partner_code)
    pay_by = PayBy(type=PaymentType.CARD, method_id=method.id)
    await run.handle.signal(PurchaseWorkflow.attach, Attach(notify="nobody", pay_by=pay_by))
    assert (await run.standing()).state == "quoted"
    assert await run.confirm() == "tried_too_often"
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0


async def test_what_is_left_of_an_earlier_charge_is_told_whatever_comes_after_it(
    stage: Stage,
) -> None:
    """Nobody says that nothing was charged; a run in the place of one that is gone does not either."""
    policy = PATIENT.model_copy(update={"brief": SECOND / 2})
    run = await begun(stage, card="neverAnswered", at_once=True, policy=policy)
    await run.until("charging")
    await named(stage.sessions, PayingFlow.PURCHASE, run.start.id)
    await left_to_a_case(stage, "purchase", run.start.id)
    assert await run.pay("transactionDeclined") is None
    await run.until("declined")
    await run.handle.terminate("lost")
    await a_round(stage)
    run.handle = stage.client.get_workflow_handle(run.handle.id)
    await run.until("quoted")
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert (await run.view()).left == UNANSWERED


async def test_a_decline_tells_what_is_left_of_the_charge_before_it(stage: Stage) -> None:
    policy = PATIENT.model_copy(update={"brief": SECOND / 2})
    run = await begun(stage, card="away", at_once=True, policy=policy)
    await run.until("charging")
    await named(stage.sessions, PayingFlow.PURCHASE, run.start.id)
    assert await run.pay("transactionDeclined") is None
    await run.until("declined")
    view = await run.view()
    assert view.error is not None
    assert view.error.detail.endswith(UNANSWERED)
    assert view.left == UNANSWERED
    assert await run.requote() is None
    await run.until("quoted")
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert (await run.view()).left == UNANSWERED
