"""A visit has an end by itself: that of the question, and that of the yes."""

from db.devices.visits import find_visit
from tests.devices.visits.stories import Handle, lapsed, permitted_and_over
from tests.drivers.stage import Stage
from tests.drivers.whole_portal import Whole


async def state_of(stage: Stage, handle: Handle) -> str:
    async with stage.sessions() as session:
        visit = await find_visit(session, handle.id.removeprefix("visit-"))
    assert visit is not None
    assert visit.ended_at is not None
    return visit.state


async def test_a_question_that_nobody_answers_lapses(whole: Whole) -> None:
    assert await state_of(whole.stage, await lapsed(whole.stage)) == "lapsed"


async def test_a_yes_is_over_after_its_time(whole: Whole) -> None:
    assert await state_of(whole.stage, await permitted_and_over(whole.stage)) == "ended"
