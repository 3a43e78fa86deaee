"""A run that is asked to show itself again while its end is being shown."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from activities.operations.showing import Reprojection, ShowingActivities
from activities.runs.flows import FlowActivities
from db.base import Sessions
from db.runs.flows import FlowRow
from domain.operations.operations import Reproject
from domain.runs.projection import Projection


async def row_of(sessions: Sessions, id_: str) -> FlowRow:
    async with sessions() as session:
        row = await session.get(FlowRow, id_)
    assert row is not None
    return row


async def test_an_end_is_shown_as_one_though_the_run_is_asked_before(sessions: Sessions) -> None:
    before, at = datetime.now(UTC) - timedelta(minutes=1), datetime.now(UTC)
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
