"""What a late worker writes of where a visit stood changes nothing."""

import uuid
from datetime import UTC, datetime, timedelta

from db.base import Sessions
from db.devices.visits import ask_visit, find_visit, move_visit
from domain.devices.ownership import Party
from domain.devices.visits import Visit, VisitStart
from tests.drivers.factories import an_installer
from tests.drivers.stage import a_device_key

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


async def an_asked_visit(sessions: Sessions) -> str:
    visitor, id_ = await an_installer(sessions), uuid.uuid4().hex
    start = VisitStart(
        id=id_,
        device_key=a_device_key(),
        visitor_id=visitor.id,
        visitor_dealer_id=visitor.dealer_id or "",
        owner=Party(dealer_id="harbour"),
        site="ca",
        expires_at=LATER,
        portal_url="http://portal.test",
    )
    visit = Visit(
        id=id_,
        workflow_id=f"visit-{id_}",
        device_key=start.device_key,
        visitor_id=visitor.id,
        visitor_dealer_id=start.visitor_dealer_id,
        visitor_name=visitor.name,
        visitor_business="Prairie Remote Start",
        owner_dealer_id="harbour",
        owner_partner_code=None,
        owner_person_id=None,
        reason="the siren",
        state="waiting",
        rev=0,
        answered_by=None,
        asked_at=NOW,
        expires_at=LATER,
        updated_at=NOW,
        ended_at=None,
    )
    async with sessions.begin() as session:
        await ask_visit(session, visit, start)
    return id_


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
    id_ = await an_asked_visit(sessions)
    assert await moved(sessions, id_, rev=2, state="refused", ended=True)
    assert not await moved(sessions, id_, rev=2, state="refused", ended=True)
    assert not await moved(sessions, id_, rev=1, state="permitted", ended=False)
    async with sessions() as session:
        visit = await find_visit(session, id_)
    assert visit is not None
    assert (visit.state, visit.rev, visit.ended_at) == ("refused", 2, LATER)
    assert (visit.answered_by, visit.updated_at) == ("olivia", LATER)


async def test_one_visit_moves_alone(sessions: Sessions) -> None:
    first, second = await an_asked_visit(sessions), await an_asked_visit(sessions)
    assert await moved(sessions, first, rev=1, state="permitted", ended=False)
    async with sessions() as session:
        told, other = await find_visit(session, first), await find_visit(session, second)
    assert told is not None
    assert (told.state, told.ended_at) == ("permitted", None)
    assert other is not None
    assert (other.state, other.rev) == ("waiting", 0)
