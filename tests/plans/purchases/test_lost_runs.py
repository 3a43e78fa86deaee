"""Purchases whose run is gone, and that another one goes on with."""

from tests.drivers.stage import Stage, stage
from tests.plans.purchases.approvals.stories import IN_TIME, NEEDS_APPROVAL
from tests.plans.purchases.runs import a_line, ended, quoted

__all__ = ["stage"]


async def test_what_was_taken_out_stays_out(stage: Stage) -> None:
    """The owner's yes is to what is left, and that is bought."""
    left, taken_out = a_line(), a_line()
    run = await quoted(stage, left, taken_out, limits=NEEDS_APPROVAL, policy=IN_TIME)
    assert await run.requote(left) is None
    await run.until("quoted")
    assert await run.confirm() is None
    await run.until("waiting_for_approval")
    await run.take_place()
    await run.until("waiting_for_approval")
    assert await run.approve() is None
    await ended(run, "confirmed")
    view = await run.view()
    assert [one.device_key for one in view.lines] == [left.device_key]
    assert await run.kept() == round(view.final_charge * 100)


async def test_what_was_taken_out_stays_out_when_it_is_quoted_again(stage: Stage) -> None:
    left, taken_out = a_line(), a_line()
    run = await quoted(stage, left, taken_out)
    assert await run.requote(left) is None
    await run.until("quoted")
    await run.take_place()
    await run.until("quoted")
    assert [one.device_key for one in (await run.view()).lines] == [left.device_key]
    assert await run.cancel() is None
    await ended(run, "cancelled")
