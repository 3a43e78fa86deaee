"""What is owed again of an order whose goods are never sent: less, or nothing. Also stories of the replay tests."""

from decimal import Decimal

from domain.operations.cases import CaseCause, CaseView
from tests.drivers.stage import Stage
from tests.operations.cases import stories
from tests.operations.cases.factories import Handle, case_in, send_command
from tests.operations.cases.stories import QUICK, Owing, id_of
from workflows.operations.case import CaseWorkflow


async def view_of(handle: Handle) -> CaseView:
    return await handle.query(CaseWorkflow.view)


async def never_sent(stage: Stage, of: Handle, amount: str | None) -> Handle:
    """The case of goods that are never sent of the order of another case: a part, or without an amount all of it."""
    return await stories.opened(
        stage,
        amount=amount,
        policy=QUICK,
        is_paid=False,
        cause=CaseCause.SHIPMENT_CANCELLED if amount else CaseCause.ORDER_CANCELLED,
        belongs_to=(await view_of(of)).belongs_to,
    )


async def lowered_by(stage: Stage, amount: str) -> tuple[Owing, Handle]:
    case = await stories.owing(stage)
    await stories.until(stage, case.handle, "owed")
    withdrawn = await never_sent(stage, case.handle, amount)
    await withdrawn.result()
    ended = await case_in(stage, id_of(withdrawn), "solved")
    assert (ended.given_back, ended.taken_off) == (0, Decimal(amount))
    return case, withdrawn


async def lowered_and_paid(stage: Stage) -> Handle:
    """The bank had returned all of it, then a part was withdrawn: the rest is paid again, and nothing goes back and forth."""
    case, _ = await lowered_by(stage, "4.99")
    owed = await case_in(stage, id_of(case.handle), "owed")
    assert owed.owed == Decimal("100.00")
    assert await case.pay() is None
    return await stories.ended(stage, case.handle, "solved", cents=10_000)


async def less_is_asked_for(stage: Stage) -> Handle:
    _, withdrawn = await lowered_by(stage, "4.99")
    return withdrawn


async def nothing_is_left_to_pay(stage: Stage) -> Handle:
    """Every part was withdrawn."""
    case, _ = await lowered_by(stage, "104.99")
    return await stories.ended(stage, case.handle, "solved", cents=0)


async def cancelled_while_owed(stage: Stage) -> Handle:
    case = await stories.owing(stage)
    await stories.until(stage, case.handle, "owed")
    cancelled = await never_sent(stage, case.handle, None)
    await cancelled.result()
    await stories.ended(stage, case.handle, "solved", cents=0)
    assert (await view_of(case.handle)).owed == 0
    return case.handle


async def decided_after_it_was_cancelled(stage: Stage, status: str) -> tuple[Handle, CaseView]:
    handle, dispute_id = await stories.charged_back(stage)
    cancelled = await never_sent(stage, handle, None)
    await cancelled.result()
    assert (await view_of(cancelled)).given_back == 0, "the bank has it"
    await stories.decided(stage, dispute_id, status)
    assert await send_command(handle, "retry", note="The bank has decided.") is None
    await stories.ended(stage, handle, "solved", cents=0)
    return handle, await view_of(handle)


async def won_and_cancelled(stage: Stage) -> Handle:
    """What the bank gave back of an order that is never sent goes to its buyer."""
    handle, view = await decided_after_it_was_cancelled(stage, "won")
    assert view.given_back == Decimal("104.99")
    return handle


async def lost_and_cancelled(stage: Stage) -> Handle:
    handle, view = await decided_after_it_was_cancelled(stage, "lost")
    assert (view.given_back, view.owed) == (0, 0)
    return handle


NEVER_SENT: dict[str, stories.Story] = {
    "lowered-and-paid": lowered_and_paid,
    "less-is-asked-for": less_is_asked_for,
    "nothing-is-left-to-pay": nothing_is_left_to_pay,
    "cancelled-while-owed": cancelled_while_owed,
    "won-and-cancelled": won_and_cancelled,
    "lost-and-cancelled": lost_and_cancelled,
}
