"""Cases as they are followed in tests, and what the stand-ins' ledgers say of their money."""

import uuid
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.base import Sessions
from db.billing.payments import payments_of_flow
from db.identity.people import find_user
from db.operations.cases.lists import cases_of, find_case
from db.operations.cases.opening import open_case
from db.operations.cases.starts import mark_begun
from db.runs.flows import FlowRow
from domain.billing.payments import PayingFlow
from domain.identity.people import User
from domain.operations.cases import BelongsTo, CaseCause, CaseMessage, CaseStart, CaseView, let_go
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


async def left_to_a_case(
    stage: Stage, kind: Literal["purchase", "invoice_payment"], flow_id: str
) -> None:
    """Its last payment, as a run does that does not wait for its provider."""
    flow = PayingFlow(kind)
    belongs_to = BelongsTo(kind=kind, id=flow_id, name="Something", flow=flow, flow_id=flow_id)
    async with stage.sessions.begin() as session:
        paid = await payments_of_flow(session, flow, flow_id)
        now = datetime.now(UTC)
        await open_case(
            session, let_go(belongs_to, paid[-1].request, at=now, dealer_id=None, site="ca")
        )


def handle_of(stage: Stage, case_id: str) -> Handle:
    return stage.client.get_workflow_handle(ids.case_id(case_id))


async def send_command(handle: Handle, update: str, **ask: Any) -> str | None:
    """The code of the refusal, if it was refused."""
    message = CaseMessage.model_validate({"actor_id": "anna", "actor": "Anna Admin", **ask})
    try:
        await send_update(handle, update, message, update_id=uuid.uuid4().hex)
    except WorkflowUpdateFailedError as error:
        return error.cause.type if isinstance(error.cause, ApplicationError) else "unexpected"
    return None


async def kept(stage: Stage, flow_id: str, system: str = "cards") -> int:
    """Cents that were taken for it and neither given back nor returned, by the provider's ledger."""
    answer = await stage.http.get(f"{SIMULATED}/{system}/_ledger", params={"flow_id": flow_id})
    sums = answer.json()["sums"]
    given = sums.get("refunded", 0) - sums.get("refund_failed", 0)
    return sums.get("captured", 0) - given - sums.get("returned", 0)


async def mailed(stage: Stage, to: str, subject: str) -> None:
    """Once a mail with this subject has come."""

    async def there() -> bool:
        return subject in [mail["subject"] for mail in await stage.mails(to)]

    await until(there)


def an_owing_start(buyer: User, owed: str) -> CaseStart:
    id_ = uuid.uuid4().hex
    return CaseStart(
        id=id_,
        cause=CaseCause.DEBIT_RETURNED,
        belongs_to=BelongsTo(
            kind="order",
            id=id_,
            name="Order T-1",
            number="T-1",
            flow=PayingFlow.PLACEMENT,
            flow_id=id_,
        ),
        amount=Decimal(owed),
        partner_code=buyer.partner_code or "",
        person_id=buyer.id,
        dealer_id=buyer.dealer_id,
        site="ca",
        opened_at=datetime.now(UTC),
    )


async def an_owing_case(
    sessions: Sessions, buyer: User, *, owed: str, has_ended: bool = False
) -> None:
    """The row of a case by which a business has to pay again, and no run of it."""
    start = an_owing_start(buyer, owed)
    id_, now = start.id, start.opened_at
    async with sessions.begin() as session:
        await open_case(session, start)
        await mark_begun(session, [id_])
        view = await find_case(session, id_)
        assert view is not None
        session.add(
            FlowRow(
                id=id_,
                kind="case",
                version=1,
                workflow_id=ids.case_id(id_),
                run_id=id_,
                rev=1,
                seq=0,
                state="solved" if has_ended else "owed",
                allowed=[],
                view=view.model_copy(update={"owed": Decimal(owed)}).model_dump(mode="json"),
                site="ca",
                dealer_id=buyer.dealer_id,
                owner_id=buyer.id,
                partner=buyer.partner_code,
                created_at=now,
                updated_at=now,
                ended_at=now if has_ended else None,
            )
        )


async def mailed_about(stage: Stage, person_id: str, words: str, *, times: int = 1) -> list[str]:
    """What the buyer was written that says so, once that came so often."""
    async with stage.sessions() as session:
        buyer = await find_user(session, person_id)
    assert buyer is not None

    async def there() -> list[str]:
        return [str(one["text"]) for one in await stage.mails(buyer.email) if words in one["text"]]

    return await until(there, lambda all_: len(all_) >= times)
