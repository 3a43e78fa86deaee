"""Payments of invoices: submitted, followed, and what their payer may say to them (decision 53)."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from api.billing.invoice_payments.bodies import (
    CancelBody,
    OtherMethodBody,
    SubmitBody,
)
from api.billing.invoice_payments.paying import (
    Submit,
    begin,
    keep,
    once_at_rest,
    pay_by_of,
    payer_code,
    payment_id_of,
)
from api.billing.invoice_payments.telling import ask_of
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.runs.flow_answers import InvoicePaymentAnswer, Transitions
from api.runs.flows import (
    ANSWERS,
    Accepted,
    FlowId,
    RequiredKey,
    answer_of,
    once_or_joined,
    reach,
    tell,
)
from db.operations.audit import record_by
from db.runs import flows
from domain.base import Body
from domain.billing.invoice_payment import InvoicePaymentAsk, InvoicePaymentEnded
from domain.identity.people import Actor
from workflows.billing.invoice_payment import InvoicePaymentWorkflow

router = APIRouter(prefix="/v1/invoice-payments", tags=["invoice payments"])

PAST = {
    InvoicePaymentWorkflow.choose_payment: "chose another payment for invoices",
    InvoicePaymentWorkflow.cancel: "cancelled a payment of invoices",
}


@router.post("", response_model=InvoicePaymentAnswer, responses=ANSWERS, dependencies=[MovesMoney])
async def submit_invoice_payment(
    portal: PortalDep, actor: SignedIn, body: SubmitBody, key: RequiredKey
) -> Response:
    """Pay: once for each key. Answers where the payment stands by now; follow `invoice_payment:ID`."""
    code = payer_code(actor)

    async def work() -> tuple[int, BaseModel]:
        async with portal.sessions() as session:
            pay_by = await pay_by_of(session, code, body.type, body.method_id)
        wish = Submit(
            id=payment_id_of(actor, key), wish=body.wish, pay_by=pay_by, agreed=body.plan_hash
        )
        start = await keep(portal, actor, wish)
        await begin(portal, start)
        seen = await once_at_rest(portal, start.id)
        return (200, seen) if seen is not None else (202, Accepted(id=start.id, update_id=start.id))

    return await once_or_joined(portal, actor, key, "submit_invoice_payment", body, work, join=work)


@router.get("/{id}", response_model=InvoicePaymentAnswer)
async def get_invoice_payment(portal: PortalDep, actor: SignedIn, id: FlowId) -> Response:
    """The payment as it stands."""
    async with portal.sessions() as session:
        await reach(session, actor, "invoice_payment", id)
    found = await answer_of(portal, "invoice_payment", id)
    return Response(found.model_dump_json(), media_type="application/json")


@router.get("/{id}/transitions")
async def list_invoice_payment_transitions(
    portal: PortalDep,
    actor: SignedIn,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with portal.sessions() as session:
        await reach(session, actor, "invoice_payment", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.post(
    "/{id}/payment",
    response_model=InvoicePaymentAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def choose_invoice_payment(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: OtherMethodBody, key: RequiredKey
) -> Response:
    """Pay by another method after a decline; the figures stay those of the submit."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "invoice_payment", id)
        if owner.ended:
            raise InvoicePaymentEnded(extra={"flow": {"kind": "invoice_payment", "id": id}})
        code = owner.partner or payer_code(actor)
        pay_by = await pay_by_of(session, code, body.type, body.method_id)
    ask = ask_of(actor, pay_by)
    return await _answered(portal, actor, id, body, key, InvoicePaymentWorkflow.choose_payment, ask)


@router.post(
    "/{id}/cancel",
    response_model=InvoicePaymentAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def cancel_invoice_payment(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: CancelBody, key: RequiredKey
) -> Response:
    """Give the payment up before it is charged; its invoices and memos are free again."""
    return await _answered(
        portal, actor, id, body, key, InvoicePaymentWorkflow.cancel, ask_of(actor)
    )


async def _answered(
    portal: Portal,
    actor: Actor,
    id: str,
    body: Body,
    key: str,
    update: Any,
    ask: InvoicePaymentAsk,
) -> Response:
    """Sends one wish to one payment, once for each key, and keeps in the audit who had it."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "invoice_payment", id)
    payer_code(actor)

    async def send() -> tuple[int, BaseModel]:
        return await tell(portal, owner, update, ask, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        async with portal.sessions.begin() as session:
            await record_by(session, actor, PAST[update], on=("invoice_payment", id))
        return answered

    operation = f"{update.__name__}_invoice_payment {id}"
    return await once_or_joined(portal, actor, key, operation, body, work, join=send)
