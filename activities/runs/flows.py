"""What every flow writes of itself."""

from temporalio import activity

from db.base import Sessions, one_statement
from db.runs import device_reservations, projections
from domain.base import Frozen
from domain.runs.projection import FlowKind, Projection


class Holding(Frozen):
    """A device that a run takes for itself."""

    device_key: str
    kind: FlowKind
    flow_id: str
    workflow_id: str


class FlowActivities:
    """Short transactions in our own database, run as local activities."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @activity.defn
    async def project(self, projection: Projection) -> None:
        """Writes the run as people see it; an ended run gives up its devices. Idempotent by (id, rev)."""
        async with one_statement(self._sessions) as session:
            await projections.save_projection(session, projection)

    @activity.defn
    async def hold(self, holding: Holding) -> None:
        """Takes the device for a run whose workflow id is the lock: what another run of that kind left is stale.

        Idempotent by the run's id.
        """
        async with self._sessions.begin() as session:
            if await device_reservations.reserve(session, **holding.model_dump()):
                return
            stale = await device_reservations.holder_of(session, holding.device_key, holding.kind)
            if stale is not None:
                await device_reservations.release(session, flow_id=stale.flow_id)
            await device_reservations.reserve(session, **holding.model_dump())
