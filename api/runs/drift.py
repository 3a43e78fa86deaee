"""What a page tells us when it finds itself older than a run that it shows: a figure for operators, and nothing else."""

from fastapi import APIRouter, Request

from api.platform.deps import Caller, PortalDep, counted_as
from api.platform.throttling.runs import RunTries
from api.runs.flows import authorize_run
from db.runs.drift import save_drift
from domain.runs.drift import Drift

router = APIRouter(prefix="/v1/flows", tags=["flows"])


@router.post("/drift", status_code=204)
async def report_drift(request: Request, portal: PortalDep, actor: Caller, body: Drift) -> None:
    """Counts it once for each run. Somebody else's run is a 404, like an absent one."""
    await RunTries(portal.sessions).count_drift(counted_as(request, actor))
    async with portal.sessions.begin() as session:
        await authorize_run(session, actor, body.kind, body.id)
        await save_drift(session, body)
