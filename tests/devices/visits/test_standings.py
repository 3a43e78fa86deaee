"""What a late worker writes of where a visit stood changes nothing."""

from datetime import UTC, datetime

from db.base import Sessions
from db.devices.visits import find_visit, move_visit
from tests.devices.visits.factories import an_asked_visit

LATER = datetime(2026, 11, 27, 13, tzinfo=UTC)


async def moved(sessions: Sessions, id_: str, *, rev: int, state: str, ended: bool) -> bool:
    async with sessions.begin() as session:
        return await move_visit(
            session,
            id_,
            rev=rev,
            state=state,
            at=LATER,
            expires_at=LATER,
            answered_by="olivia",
            ended=ended,
        )


async def test_the_newest_standing_is_kept_whatever_is_written_late(sessions: Sessions) -> None:
    id_ = (await an_asked_visit(sessions))[0].id
    assert await moved(sessions, id_, rev=2, state="refused", ended=True)
    assert not await moved(sessions, id_, rev=2, state="refused", ended=True)
    assert not await moved(sessions, id_, rev=1, state="permitted", ended=False)
    async with sessions() as session:
        visit = await find_visit(session, id_)
    assert visit is not None
    assert (visit.state, visit.rev, visit.ended_at) == ("refused", 2, LATER)
    assert (visit.answered_by, visit.updated_at) == ("olivia", LATER)


async def test_one_visit_moves_alone(sessions: Sessions) -> None:
    first, second = [(await an_asked_visit(sessions))[0].id for _ in range(2)]
    assert await moved(sessions, first, rev=1, state="permitted", ended=False)
    async with sessions() as session:
        told, other = await find_visit(session, first), await find_visit(session, second)
    assert told is not None
    assert (told.state, told.ended_at) == ("permitted", None)
    assert other is not None
    assert (other.state, other.rev) == ("waiting", 0)
