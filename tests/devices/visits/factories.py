"""Visits that were asked for, and no run of them."""

import uuid
from datetime import UTC, datetime

from db.base import Sessions
from db.devices.visits import ask_visit
from domain.devices.ownership import Party
from domain.devices.visits import Visit, VisitPolicy, VisitStart, asked_visit
from tests.drivers.factories import an_installer, an_owner
from tests.drivers.stage import a_device_key
from workflows import ids

AS_IT_IS = VisitPolicy()


async def an_asked_visit(
    sessions: Sessions, policy: VisitPolicy = AS_IT_IS
) -> tuple[Visit, VisitStart]:
    """By an installer of one business, at a device of another."""
    owner, visitor = await an_owner(sessions), await an_installer(sessions)
    assert visitor.dealer_id is not None
    visit_id, now = uuid.uuid4().hex, datetime.now(UTC)
    start = VisitStart(
        id=visit_id,
        device_key=a_device_key(),
        visitor_id=visitor.id,
        visitor_dealer_id=visitor.dealer_id,
        owner=Party(dealer_id=owner.dealer_id),
        site="ca",
        expires_at=now + policy.answer,
        portal_url="http://portal.test",
        policy=policy,
    )
    visit = asked_visit(
        start,
        workflow_id=ids.visit_id(visit_id),
        visitor_name=visitor.name,
        visitor_business="Prairie Remote Start",
        reason="the siren",
        at=now,
    )
    async with sessions.begin() as session:
        await ask_visit(session, visit, start)
    return visit, start
