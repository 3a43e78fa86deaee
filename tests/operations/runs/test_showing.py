"""A run or an invitation that is asked to show itself again while its end is being shown."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from activities.identity.invitations import InvitationStatus
from activities.operations.showing import (
    InvitationReprojection,
    Reprojection,
    ShowingActivities,
)
from activities.runs.flows import FlowActivities
from db.base import Sessions
from db.identity.invitations import InvitationRow, move_invitation, open_invitation
from db.runs.flows import FlowRow
from domain.identity.invitations import Invitation
from domain.operations.operations import Reproject
from domain.runs.projection import Projection
from tests.drivers.factories import a_dealer, an_email


async def row_of(sessions: Sessions, id_: str) -> FlowRow:
    return await _found(sessions, FlowRow, id_)


async def invitation_of(sessions: Sessions, id_: str) -> InvitationRow:
    return await _found(sessions, InvitationRow, id_)


async def _found(sessions: Sessions, table: type[Any], id_: str) -> Any:
    async with sessions() as session:
        row = await session.get(table, id_)
    assert row is not None
    return row


def moments() -> tuple[datetime, datetime]:
    """A minute ago and now."""
    now = datetime.now(UTC)
    return now - timedelta(minutes=1), now


async def test_an_end_is_shown_as_one_though_the_run_is_asked_before(sessions: Sessions) -> None:
    before, at = moments()
    stands = Projection(
        id=uuid4().hex,
        kind="invoice_payment",
        version=1,
        workflow_id="invpay-1",
        run_id="1",
        rev=5,
        seq=0,
        state="posting",
        allowed=(),
        view={},
        site="ca",
        dealer_id=None,
        owner_id=None,
        partner=None,
        outcome=None,
        at=before,
        ended=False,
    )
    end = stands.model_copy(update={"rev": 6, "state": "confirmed", "at": at, "ended": True})
    shows = FlowActivities(sessions)
    await shows.project(stands)
    asked = Reprojection(projection=end, wrong=Reproject(over_rev=5, over_at=before))
    await ShowingActivities(sessions).show_again(asked)
    assert (await row_of(sessions, stands.id)).state == "posting", (
        "nobody sees it before it is durable"
    )
    await shows.project(end)
    row = await row_of(sessions, stands.id)
    assert (row.state, row.ended_at) == ("confirmed", at)


async def test_the_end_of_an_invitation_is_shown_as_one_too(sessions: Sessions) -> None:
    dealer, before, at = await a_dealer(sessions), *moments()
    opened = Invitation(
        id=uuid4().hex,
        workflow_id="invitation-1",
        dealer_id=dealer.id,
        dealer_name="Northern Sound",
        email=an_email(),
        user_type="installer",
        inviter="Olivia",
        state="sending",
        created_at=before,
        expires_at=before + timedelta(days=7),
    )
    async with sessions.begin() as session:
        assert await open_invitation(
            session, opened, token_hash=uuid4().hex, invited_by=uuid4().hex
        )
    end = InvitationStatus(
        id=opened.id,
        rev=1,
        state="declined",
        at=at,
        expires_at=opened.expires_at,
        answered_with="1",
        ended=True,
    )
    asked = InvitationReprojection(standing=end, wrong=Reproject(over_rev=0, over_at=before))
    await ShowingActivities(sessions).show_invitation_again(asked)
    assert (await invitation_of(sessions, opened.id)).state == "sending"
    async with sessions.begin() as session:
        assert await move_invitation(session, end.id, **end.model_dump(exclude={"id"}))
    row = await invitation_of(sessions, opened.id)
    assert (row.state, row.ended_at) == ("declined", at)
