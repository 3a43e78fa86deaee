"""Visits that were asked for, and no run of them."""

import uuid
from datetime import UTC, datetime

from db.base import Sessions
from db.devices.visits import ask_visit
from domain.devices.ownership import Party
from domain.devices.visits import Visit, VisitPolicy, VisitStart
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
    visit = Visit(
        id=visit_id,
        workflow_id=ids.visit_id(visit_id),
        device_key=start.device_key,
        visitor_id=start.visitor_id,
        visitor_dealer_id=start.visitor_dealer_id,
        visitor_name=visitor.name,
        visitor_business="Prairie Remote Start",
        owner_dealer_id=owner.dealer_id,
        owner_partner_code=None,
        owner_person_id=None,
        reason="the siren",
        state="waiting",
        rev=0,
        answered_by=None,
        asked_at=now,
        expires_at=start.expires_at,
        updated_at=now,
        ended_at=None,
    )
    async with sessions.begin() as session:
        await ask_visit(session, visit, start)
    return visit, start
