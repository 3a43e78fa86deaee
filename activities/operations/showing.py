"""What a run writes of itself when it is asked to."""

from temporalio import activity

from activities.identity import invitations
from db.base import Sessions
from db.operations import repairs
from domain.base import Frozen
from domain.operations.operations import Reproject
from domain.runs.projection import Projection


class Reprojection(Frozen):
    """A run's row as it should be, and the wrong one that it may replace."""

    projection: Projection
    wrong: Reproject


class InvitationReprojection(Frozen):
    standing: invitations.InvitationStatus
    wrong: Reproject


class ShowingActivities:
    """What a run writes of itself when it is asked to: short transactions, run as local activities."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @activity.defn
    async def show_again(self, again: Reprojection) -> None:
        """Writes an open run's row again. Idempotent: only the wrong row, an older one or none is replaced. An end is shown by
        an activity of its own, once it is durable, which would find its row written and leave it open."""
        if again.projection.ended:
            return
        async with self._sessions.begin() as session:
            await repairs.replace_projection(session, again.projection, again.wrong)

    @activity.defn
    async def show_invitation_again(self, again: InvitationReprojection) -> None:
        """The same for an open invitation."""
        right = again.standing
        if right.ended:
            return
        async with self._sessions.begin() as session:
            await repairs.replace_invitation(
                session, right.id, again.wrong, rev=right.rev, state=right.state, at=right.at
            )
