"""Cases as they are followed in tests, and what the stand-ins' ledgers say of their money."""

import uuid
from typing import Any

from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.operations.cases import cases_of, find_case
from domain.operations.cases import CaseAsk, CaseView
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from workflows import ids
from workflows.client import send_update

Handle = WorkflowHandle[Any, Any]


async def case_on(stage: Stage, kind: str, belongs_id: str, state: str) -> CaseView:
    """The one case that stands on it, once it is in this state."""

    async def read() -> tuple[CaseView, ...]:
        async with stage.sessions() as session:
            return await cases_of(session, kind, belongs_id)

    found = await until(read, lambda all_: [one.state for one in all_] == [state], within=40)
    return found[0]


async def case_in(stage: Stage, case_id: str, state: str) -> CaseView:
    async def read() -> CaseView | None:
        async with stage.sessions() as session:
            return await find_case(session, case_id)

    found = await until(read, lambda case: case is not None and case.state == state, within=40)
    assert found is not None
    return found


def handle_of(stage: Stage, case_id: str) -> Handle:
    return stage.client.get_workflow_handle(ids.case_id(case_id))


async def told(handle: Handle, update: str, **ask: Any) -> str | None:
    """The code of the refusal, if it was refused."""
    message = CaseAsk.model_validate({"actor_id": "anna", "actor": "Anna Admin", **ask})
    try:
        await send_update(handle, update, message, update_id=uuid.uuid4().hex)
    except WorkflowUpdateFailedError as error:
        return error.cause.type if isinstance(error.cause, ApplicationError) else "unexpected"
    return None


async def kept(stage: Stage, flow_id: str, system: str = "cards") -> int:
    """Cents that were taken for it and neither given back nor returned, by the provider's ledger."""
    answer = await stage.http.get(f"{SIMULATED}/{system}/_ledger", params={"flow_id": flow_id})
    sums = answer.json()["sums"]
    return sums.get("captured", 0) - sums.get("refunded", 0) - sums.get("returned", 0)


async def mailed(stage: Stage, to: str, subject: str) -> None:
    """Once a mail with this subject has come."""

    async def there() -> bool:
        return subject in [mail["subject"] for mail in await stage.mails(to)]

    await until(there)
