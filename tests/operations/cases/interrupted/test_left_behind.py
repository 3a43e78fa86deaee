"""What a run leaves to a case: a debit that its bank is on its way with, a refund that its provider does not answer. The provider's
ledger says what is kept in the end: nothing twice, and nothing for what was not delivered."""

from tests.billing.invoice_payments import runs as invoices
from tests.billing.invoice_payments.stories import IN_A_HURRY as QUICK_INVOICES
from tests.checkout.placements.buying import turn
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole
from tests.operations.cases.factories import case_on, handle_of, send_command
from tests.operations.cases.stories import arrived
from tests.plans.purchases import runs as purchases
from tests.plans.purchases.runs import a_hopeless_line, a_line
from tests.plans.purchases.stories import IN_A_HURRY, cancelled_while_its_bank_was_asked


async def test_a_debit_of_a_cancelled_purchase_is_followed_and_given_back(
    whole: Whole, stage: Stage
) -> None:
    await turn(whole, "cards", bank_days=600)
    try:
        handle = await cancelled_while_its_bank_was_asked(stage)
    finally:
        await turn(whole, "cards", bank_days=0)
    id_ = handle.id.removeprefix("sub-")
    case = await case_on(stage, "purchase", id_, "waiting")
    assert case.error is not None
    assert case.error.code == "debit_under_way"

    await arrived(stage, id_)

    async def sums() -> dict[str, int]:
        answer = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": id_})
        return answer.json()["sums"]

    taken = await until(sums, lambda now: "captured" in now)
    assert await send_command(handle_of(stage, case.id), "retry", note="Look now.") is None
    await case_on(stage, "purchase", id_, "solved")
    assert (await sums())["refunded"] == taken["captured"]


async def test_what_is_given_back_by_nobody_yet_ends_no_purchase_and_is_given_back_once(
    stage: Stage,
) -> None:
    lines = (a_line(), await a_hopeless_line(stage))
    run = await purchases.begun(stage, *lines, card="refundsAway", at_once=True, policy=IN_A_HURRY)
    await purchases.ended(run, "confirmed")
    view = await run.view()
    case = await case_on(stage, "purchase", run.start.id, "solved")
    assert case.given_back == view.lines[1].total
    assert await run.kept() == round(view.lines[0].total * 100)


async def test_a_refund_that_was_made_and_not_answered_is_not_made_again(
    whole: Whole, stage: Stage
) -> None:
    """A case that asked under another key would give back the other device's money as well."""
    stubborn = await purchases.a_stubborn_line(stage, 1_000_000)
    run = await purchases.begun(stage, a_line(), stubborn, at_once=True, policy=IN_A_HURRY)
    await run.until("part_failed")
    await turn(whole, "cards", lose_replies=1)
    assert await run.give_up() is None
    await purchases.ended(run, "confirmed")
    await case_on(stage, "purchase", run.start.id, "solved")
    good = next(one for one in (await run.view()).lines if one.status == "provisioned")
    assert await run.kept() == round(good.total * 100)


async def test_a_payment_of_invoices_outlives_a_provider_that_gives_nothing_back_yet(
    stage: Stage,
) -> None:
    run = await invoices.begun(stage, "REFUSED", "", card="refundsAway", policy=QUICK_INVOICES)
    await invoices.ended(run, "confirmed")
    case = await case_on(stage, "invoice_payment", run.start.id, "solved")
    view = await run.view()
    assert case.given_back == view.lines[0].charged
    assert await run.kept() == view.lines[1].charged
    shown = await run.shown()
    assert [one.status for one in shown.lines] == ["refunded", "posted"]
    assert shown.refunded == case.given_back
