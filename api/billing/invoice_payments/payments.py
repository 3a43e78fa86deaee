"""Payments of invoices: submitted, followed, and what their payer may say to them (decision 53)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from api.billing.invoice_payments.bodies import (
    CancelInvoicePaymentBody,
    InvoicePaymentBody,
    OtherMethodBody,
)
from api.billing.invoice_payments.commands import ask_of
from api.billing.invoice_payments.paying import (
    Submit,
    begin,
    once_at_rest,
    pay_by_of,
    payer_code,
    payment_id_of,
    submit_payment,
)
from api.platform.answers.paper import PDF, as_pdf
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import claimed
from api.platform.moves_money import MovesMoney
from api.runs.command import RunCommand
from api.runs.flow_answers import InvoicePaymentAnswer, Transitions
from api.runs.flows import FlowId, authorize_run, look_at_run
from api.runs.messages import ANSWERS, Accepted, RequiredKey
from db.base import plain_reading, reading
from db.partners.businesses import buyer_of_code
from db.runs import flows
from domain.billing.invoice_payment import (
    RECEIPTED,
    InvoicePaymentEnded,
    InvoicePaymentView,
)
from domain.billing.invoices.documents import DocumentMissing
from domain.paper.invoice_payments import payment_paper
from workflows.billing.invoice_payment import InvoicePaymentWorkflow

router = APIRouter(prefix="/v1/invoice-payments", tags=["invoice payments"])


class InvoicePaymentCommand(RunCommand):
    kind = "invoice_payment"

    def check_sender(self) -> None:
        payer_code(self.actor)


async def invoice_payment_command(
    request: Request, portal: PortalDep, actor: SignedIn, id: FlowId, key: RequiredKey
) -> InvoicePaymentCommand:
    return InvoicePaymentCommand(request, portal, actor, id, key)


OnInvoicePayment = Annotated[InvoicePaymentCommand, Depends(invoice_payment_command)]


@router.post("", response_model=InvoicePaymentAnswer, responses=ANSWERS, dependencies=[MovesMoney])
async def submit_invoice_payment(
    portal: PortalDep, actor: SignedIn, body: InvoicePaymentBody, key: RequiredKey
) -> Response:
    """Pay: once for each key. Answers where the payment stands by now; follow `invoice_payment:ID`."""
    code = payer_code(actor)
    operation = "submit_invoice_payment"
    async with claimed(portal.sessions, actor, key, operation, body, joins=True) as held:
        if held.replayed is not None:
            return held.replayed
        async with reading(portal.sessions) as session:
            cards = portal.features.card_payments
            pay_by = await pay_by_of(session, code, body.type, body.method_id, cards=cards)
        submit = Submit(
            id=payment_id_of(actor, key), request=body.request, pay_by=pay_by, agreed=body.plan_hash
        )
        start = await submit_payment(portal, actor, submit)
        await begin(portal, start)
        seen = await once_at_rest(portal, start.id)
        if seen is not None:
            return await held.answer(200, seen)
        return await held.answer(202, Accepted(id=start.id, update_id=start.id))


@router.get("/{id}", response_model=InvoicePaymentAnswer)
async def get_invoice_payment(portal: PortalDep, actor: SignedIn, id: FlowId) -> Response:
    """The payment as it stands."""
    async with plain_reading(portal.sessions) as connection:
        found = await look_at_run(connection, actor, "invoice_payment", id)
    return Response(found.model_dump_json(), media_type="application/json")


@router.get("/{id}/receipt.pdf", response_class=Response, responses=PDF)
async def get_invoice_payment_receipt(portal: PortalDep, actor: SignedIn, id: FlowId) -> Response:
    """The receipt of a payment that took money, as a PDF, once it has ended."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "invoice_payment", id)
        found = await flows.find_flow(session, "invoice_payment", id)
        if found is None or found.state not in RECEIPTED:
            raise DocumentMissing
        payment = InvoicePaymentView.model_validate(found.view)
        buyer = await buyer_of_code(session, payment.partner_code)
    content = await run_in_threadpool(payment_paper, payment, buyer, portal.seller)
    return as_pdf(content, f"payment-{payment.uuid}")


@router.get("/{id}/transitions")
async def list_invoice_payment_transitions(
    portal: PortalDep,
    actor: SignedIn,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "invoice_payment", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.post(
    "/{id}/payment",
    response_model=InvoicePaymentAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def choose_invoice_payment(command: OnInvoicePayment, body: OtherMethodBody) -> Response:
    """Another method after a decline, and while a charge is under way or nobody knows what became of it: that one is let go
    (decision 53). The figures stay those of the submit."""
    run = await command.run()
    if run.ended:
        raise InvoicePaymentEnded(extra={"flow": {"kind": "invoice_payment", "id": run.id}})
    async with reading(command.portal.sessions) as session:
        code = run.partner or payer_code(command.actor)
        cards = command.portal.features.card_payments
        pay_by = await pay_by_of(session, code, body.type, body.method_id, cards=cards)
    ask = ask_of(command.actor, pay_by)
    update = InvoicePaymentWorkflow.choose_payment
    return await command.send(update, ask, body, audit="chose another payment for invoices")


@router.post(
    "/{id}/cancel",
    response_model=InvoicePaymentAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def cancel_invoice_payment(
    command: OnInvoicePayment, body: CancelInvoicePaymentBody
) -> Response:
    """Give the payment up until it is paid or the bank has it; its invoices and memos are free again. A charge that is under way,
    or of which nobody knows what became, is let go (decision 53)."""
    ask = ask_of(command.actor)
    update = InvoicePaymentWorkflow.cancel
    return await command.send(update, ask, body, audit="cancelled a payment of invoices")
