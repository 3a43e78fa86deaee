"""Cases: money that something happened to after its run had ended (decision 51). Administrators take care of them; buyers see
those of their orders and carts, purchases, payments of invoices, invoices and credit memos."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, StringConstraints

from api.billing.invoices.queries import DocumentPathId
from api.billing.invoices.queries import reader_of as reader_of_document
from api.checkout.schemas import CartToken
from api.orders.queries import OrderId, reader_of
from api.platform.border.queries import counted, or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.idempotency import Look
from api.platform.moves_money import MovesMoney
from api.platform.paging import from_cursor, to_cursor
from api.runs.command import RunCommand
from api.runs.flows import FlowId, authorize_run
from api.runs.messages import ANSWERS, RequiredKey
from db.base import Executes, reading
from db.billing.invoices.documents import find_invoice, find_memo
from db.billing.payment_methods import method_of
from db.identity.people import administrators
from db.operations.cases import lists, starts
from db.orders.orders import find_order, id_of_invoiced
from db.runs.flows import find_flow, find_owner
from domain.base import Body, Utc
from domain.billing.invoices.documents import DocumentMissing
from domain.billing.payment_methods import MethodId, check_taken
from domain.billing.payments import PaymentType
from domain.contact import Email
from domain.errors import Invalid, NotFound
from domain.identity.people import Actor, User
from domain.kinds import CASE
from domain.money import Money
from domain.operations import case_v1
from domain.operations.cases import (
    CaseCause,
    CaseMessage,
    CasePayment,
    CaseView,
    is_tried_too_often,
)
from domain.orders.orders import OrderMissing
from domain.plans.plans import check_may_buy_plans
from domain.runs.projection import FlowOwner
from workflows.operations.case import CaseWorkflow

router = APIRouter(tags=["cases"])

NOT_SHOWN = -1
"""Before the first `rev` of a run."""

Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class ListedCase(CaseView):
    """`allowed` is what an administrator may ask now: RETRY, ASSIGN, NOTE, RESOLVE."""

    allowed: tuple[str, ...]


class CaseAnswer(ListedCase):
    """As its run stands, to be followed by the live events of it; `rev` is under 0 while no run has shown itself."""

    version: int
    rev: int
    seq: int
    ended: bool


class Cases(BaseModel):
    """The latest opened first."""

    results: list[ListedCase]
    end_cursor: str | None


class CaseOf(BaseModel):
    """What a case belongs to. For an order that `is_promised` nothing was paid."""

    kind: Literal["order", "cart", "purchase", "invoice_payment"]
    id: str
    name: str
    is_promised: bool


class BuyersCase(BaseModel):
    """A case as the buyer of the order or plans, or the payer of the invoices, reads it. `given_back` is what was
    paid back by now, `taken_off` what is not asked for again instead, `owed` what is to be paid again, until
    `deadline`. What `is_tried_too_often` is open, and nobody may pay it here any more."""

    id: str
    belongs_to: CaseOf
    cause: CaseCause
    detail: str
    is_open: bool
    amount: Money | None
    given_back: Money
    taken_off: Money
    owed: Money
    payment: CasePayment | None
    may_pay: bool
    is_tried_too_often: bool
    currency: str
    opened_at: Utc
    deadline: Utc | None
    updated_at: Utc


class BuyersCases(BaseModel):
    """The oldest first."""

    results: list[BuyersCase]


class AssignCase(Body):
    """To the administrator with this address, or to the caller."""

    email: Email | None = None


class PayCase(Body):
    """`method_id` names a saved card or bank account of the business."""

    method_id: MethodId


class CaseNoteBody(Body):
    """What was done."""

    note: Note


class CaseCommand(RunCommand):
    kind = "case"
    audited = frozenset({"note"})

    async def deliver(
        self, run: FlowOwner, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        status, answer = await super().deliver(run, update, message)
        return status, answer if status != 200 else await _answer(self.portal, run.id)


async def case_command(
    request: Request, portal: PortalDep, actor: SignedIn, id: FlowId, key: RequiredKey
) -> CaseCommand:
    return CaseCommand(request, portal, actor, id, key)


OnCase = Annotated[CaseCommand, Depends(case_command)]


class OwnCaseCommand(RunCommand):
    """To a case of the business that the caller buys for; it answers as the buyer reads it."""

    kind = "case"
    audited = frozenset({"method_id"})

    async def find_run(self, connection: Executes) -> FlowOwner:
        code = check_may_buy_plans(self.actor)
        start = await starts.find_start(connection, self.id)
        owner = await find_owner(connection, "case", self.id)
        if owner is None or start is None or start.partner_code != code:
            raise NotFound
        return owner

    async def deliver(
        self, run: FlowOwner, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        status, answer = await super().deliver(run, update, message)
        if status != 200:
            return status, answer
        return status, _for_buyer((await _found(self.portal, run.id),)).results[0]


async def own_case_command(
    request: Request, portal: PortalDep, actor: SignedIn, id: FlowId, key: RequiredKey
) -> OwnCaseCommand:
    return OwnCaseCommand(request, portal, actor, id, key)


OnOwnCase = Annotated[OwnCaseCommand, Depends(own_case_command)]


@router.get("/v1/operations/cases")
async def list_cases(
    portal: PortalDep,
    actor: SignedIn,
    ended: Annotated[bool, Query(), or_default(False)] = False,
    limit: Annotated[int, Query(ge=1, le=100), counted(50, most=100)] = 50,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Cases:
    """Open ones, or those that have ended."""
    async with reading(portal.sessions) as session:
        found = await lists.list_cases(
            session,
            ended=ended,
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
        )
    page = found[:limit]
    more = len(found) > limit
    return Cases(
        results=[_listed(case) for case in page],
        end_cursor=to_cursor(page[-1].opened_at, page[-1].id) if more else None,
    )


@router.get("/v1/operations/cases/{id}")
async def get_case(portal: PortalDep, actor: SignedIn, id: FlowId) -> CaseAnswer:
    """One case, and all that was done about it."""
    return await _answer(portal, id)


@router.post("/v1/operations/cases/{id}/assign", response_model=CaseAnswer, responses=ANSWERS)
async def assign_case(command: OnCase, body: AssignCase) -> Response:
    """Names who takes care of it; they are told by mail. 422 for an address of no administrator."""
    await command.run()
    owner = await _administrator(command.portal, command.actor, body.email)
    message = CaseMessage(**command.sender, owner_id=owner.id, owner=owner.name)
    return await command.send(
        CaseWorkflow.assign, message, body, audit="assigned a case", notes={"owner_id": owner.id}
    )


@router.post("/v1/operations/cases/{id}/note", response_model=CaseAnswer, responses=ANSWERS)
async def note_case(command: OnCase, body: CaseNoteBody) -> Response:
    """Writes down what was done about it."""
    message = CaseMessage(**command.sender, note=body.note)
    return await command.send(CaseWorkflow.add_note, message, body, audit="noted on a case")


@router.post(
    "/v1/operations/cases/{id}/retry",
    response_model=CaseAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def retry_case(command: OnCase, body: CaseNoteBody) -> Response:
    """Has it tried again at once; what was given back already is not given back twice."""
    message = CaseMessage(**command.sender, note=body.note)
    return await command.send(
        CaseWorkflow.retry, message, body, audit="had a case tried again", begins=True
    )


@router.post(
    "/v1/operations/cases/{id}/resolve",
    response_model=CaseAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def resolve_case(command: OnCase, body: CaseNoteBody) -> Response:
    """Ends it: it was taken care of by hand."""
    message = CaseMessage(**command.sender, note=body.note)
    return await command.send(CaseWorkflow.resolve, message, body, audit="resolved a case")


@router.get("/v1/orders/{id}/cases")
async def list_order_cases(portal: PortalDep, actor: SignedIn, id: OrderId) -> BuyersCases:
    """What happened to the money of an order. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        order = await find_order(session, id, reader_of(actor))
        if order is None:
            raise OrderMissing
        return _for_buyer(await lists.cases_of_order(session, order.id, order.token))


@router.get("/v1/purchases/{id}/cases")
async def list_purchase_cases(portal: PortalDep, actor: SignedIn, id: FlowId) -> BuyersCases:
    """What happened to the money of a purchase of plans. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "purchase", id)
        return _for_buyer(await lists.cases_of(session, "purchase", id))


@router.get("/v1/placements/{token}/cases")
async def list_placement_cases(portal: PortalDep, actor: SignedIn, token: CartToken) -> BuyersCases:
    """What happened to the money of an order that came to nothing. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "placement", token)
        return _for_buyer(await lists.cases_of(session, "cart", token))


@router.get("/v1/invoice-payments/{id}/cases")
async def list_invoice_payment_cases(portal: PortalDep, actor: SignedIn, id: FlowId) -> BuyersCases:
    """What happened to the money of a payment of invoices. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "invoice_payment", id)
        return _for_buyer(await lists.cases_of(session, "invoice_payment", id))


@router.get("/v1/invoices/{id}/cases")
async def list_invoice_cases(portal: PortalDep, actor: SignedIn, id: DocumentPathId) -> BuyersCases:
    """What happened to the money of an invoice: of the payments that it was a part of, and of the order that it is for. 404 for
    one of another business."""
    code = reader_of_document(actor)
    async with reading(portal.sessions) as session:
        found = await find_invoice(session, id, code)
        if found is None:
            raise DocumentMissing
        order_id = await id_of_invoiced(session, found)
        return _for_buyer(await lists.cases_of_invoice(session, found.number, order_id))


@router.get("/v1/credit-memos/{id}/cases")
async def list_credit_memo_cases(
    portal: PortalDep, actor: SignedIn, id: DocumentPathId
) -> BuyersCases:
    """What happened to the money of the payments in which a credit memo was applied. 404 for one of another business."""
    code = reader_of_document(actor)
    async with reading(portal.sessions) as session:
        if await find_memo(session, id, code) is None:
            raise DocumentMissing
        return _for_buyer(await lists.cases_of_memo(session, id))


@router.post(
    "/v1/cases/{id}/pay", response_model=BuyersCase, responses=ANSWERS, dependencies=[MovesMoney]
)
async def pay_case(command: OnOwnCase, body: PayCase) -> Response:
    """Pays what a bank returned, by a saved card or bank account of the business. 404 for a case of another one, for a hidden
    method, and for a card where card payments are off."""
    await command.run()
    async with reading(command.portal.sessions) as session:
        method = await method_of(session, body.method_id, check_may_buy_plans(command.actor))
    check_taken(method, cards=command.portal.features.card_payments)
    message = CaseMessage(**command.sender, type=PaymentType(method.type), method_id=method.id)
    return await command.send(
        CaseWorkflow.pay, message, body, audit="paid what a bank had returned", begins=True
    )


async def _found(portal: Portal, id: str) -> CaseView:
    async with reading(portal.sessions) as session:
        case = await lists.find_case(session, id)
    if case is None:
        raise NotFound
    return case


async def _administrator(portal: Portal, actor: Actor, email: str | None) -> User:
    async with reading(portal.sessions) as session:
        found = await administrators(session, limit=200)
    wanted = email.casefold() if email else actor.person.email.casefold()
    person = next((one for one in found if one.email.casefold() == wanted), None)
    if person is None:
        raise Invalid(fields=[("email", "Email invalid")])
    return person


async def _answer(portal: Portal, id: str) -> CaseAnswer:
    async with reading(portal.sessions) as session:
        run = await find_flow(session, "case", id)
        case = CaseView.model_validate(run.view) if run else await lists.find_case(session, id)
    if case is None:
        raise NotFound
    return CaseAnswer(
        **_listed(case).model_dump(),
        version=run.version if run else max(CASE.versions),
        rev=run.rev if run else NOT_SHOWN,
        seq=run.seq if run else 0,
        ended=run is not None and run.ended,
    )


def _listed(case: CaseView) -> ListedCase:
    allowed = tuple(event for event in CASE.allowed(case.state) if event != case_v1.PAY)
    return ListedCase(**case.model_dump(), allowed=allowed)


def _for_buyer(found: tuple[CaseView, ...]) -> BuyersCases:
    return BuyersCases(
        results=[
            BuyersCase(
                **case.model_dump(
                    include=set(BuyersCase.model_fields) & set(CaseView.model_fields)
                ),
                may_pay=waits and not is_tried_too_often(case.payment),
                is_tried_too_often=waits and is_tried_too_often(case.payment),
                is_open=not CASE.has_ended(case.state),
            )
            for case in found
            for waits in [case_v1.PAY in CASE.allowed(case.state)]
        ]
    )
