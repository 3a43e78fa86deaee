"""Cases: money that something happened to after its run had ended (decision 51). Administrators take care of them; buyers see
those of their orders and purchases."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, StringConstraints

from api.orders.queries import OrderId, business_of
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.moves_money import MovesMoney
from api.platform.paging import from_cursor, to_cursor
from api.runs.flows import ANSWERS, FlowId, RequiredKey, once_or_joined, person_of, reach, tell
from db.billing.payment_methods import method_of
from db.identity.people import administrators
from db.operations import cases
from db.operations.audit import record_by
from db.orders.orders import find_order
from db.runs.flows import find_owner
from domain.base import Body, Utc
from domain.billing.payments import PaymentType
from domain.contact import Email
from domain.errors import Invalid, NotFound
from domain.identity.people import Actor, User
from domain.kinds import CASE
from domain.money import Money
from domain.operations import case_v1
from domain.operations.cases import CaseAsk, CaseCause, CasePayment, CaseView
from domain.orders.orders import OrderMissing
from domain.plans.plans import check_may_buy_plans
from domain.runs.projection import FlowOwner
from workflows.operations.case import CaseWorkflow

router = APIRouter(tags=["cases"])

Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class CaseAnswer(CaseView):
    """`allowed` is what an administrator may ask now: RETRY, ASSIGN, NOTE, RESOLVE."""

    allowed: tuple[str, ...]


class Cases(BaseModel):
    """The latest opened first."""

    results: list[CaseAnswer]
    end_cursor: str | None


class BuyersCase(BaseModel):
    """A case as the buyer of the order or plans reads it. `given_back` is what was paid back by now, `owed` what is to be paid
    again, until `deadline`."""

    id: str
    cause: CaseCause
    detail: str
    is_open: bool
    amount: Money | None
    given_back: Money
    owed: Money
    payment: CasePayment | None
    may_pay: bool
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

    method_id: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w-]+$")]


class CaseNoteBody(Body):
    """What was done."""

    note: Note


@router.get("/v1/operations/cases")
async def list_cases(
    portal: PortalDep,
    actor: SignedIn,
    ended: bool = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Cases:
    """Open ones, or those that have ended."""
    async with portal.sessions() as session:
        found = await cases.list_cases(
            session,
            ended=ended,
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
        )
    page = found[:limit]
    more = len(found) > limit
    return Cases(
        results=[_answer(case) for case in page],
        end_cursor=to_cursor(page[-1].opened_at, page[-1].id) if more else None,
    )


@router.get("/v1/operations/cases/{id}")
async def get_case(portal: PortalDep, actor: SignedIn, id: FlowId) -> CaseAnswer:
    """One case, and all that was done about it."""
    return _answer(await _found(portal, id))


@router.post("/v1/operations/cases/{id}/assign", response_model=CaseAnswer, responses=ANSWERS)
async def assign_case(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: AssignCase, key: RequiredKey
) -> Response:
    """Names who takes care of it; they are told by mail. 422 for an address of no administrator."""
    owner = await _administrator(portal, actor, body.email)
    return await _ask(
        portal, actor, id, body, key, CaseWorkflow.assign, owner_id=owner.id, owner=owner.name
    )


@router.post("/v1/operations/cases/{id}/note", response_model=CaseAnswer, responses=ANSWERS)
async def note_case(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: CaseNoteBody, key: RequiredKey
) -> Response:
    """Writes down what was done about it."""
    return await _ask(portal, actor, id, body, key, CaseWorkflow.add_note, note=body.note)


@router.post(
    "/v1/operations/cases/{id}/retry",
    response_model=CaseAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def retry_case(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: CaseNoteBody, key: RequiredKey
) -> Response:
    """Has it tried again at once; what was given back already is not given back twice."""
    return await _ask(portal, actor, id, body, key, CaseWorkflow.retry, note=body.note)


@router.post(
    "/v1/operations/cases/{id}/resolve",
    response_model=CaseAnswer,
    responses=ANSWERS,
    dependencies=[MovesMoney],
)
async def resolve_case(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: CaseNoteBody, key: RequiredKey
) -> Response:
    """Ends it: it was taken care of by hand."""
    return await _ask(portal, actor, id, body, key, CaseWorkflow.resolve, note=body.note)


@router.get("/v1/orders/{id}/cases")
async def list_order_cases(portal: PortalDep, actor: SignedIn, id: OrderId) -> BuyersCases:
    """What happened to the money of an order. 404 for one of another business."""
    async with portal.sessions() as session:
        if await find_order(session, id, business_of(actor)) is None:
            raise OrderMissing
        return _for_buyer(await cases.cases_of(session, "order", id))


@router.get("/v1/purchases/{id}/cases")
async def list_purchase_cases(portal: PortalDep, actor: SignedIn, id: FlowId) -> BuyersCases:
    """What happened to the money of a purchase of plans. 404 for one of another business."""
    async with portal.sessions() as session:
        await reach(session, actor, "purchase", id)
        return _for_buyer(await cases.cases_of(session, "purchase", id))


@router.post(
    "/v1/cases/{id}/pay", response_model=BuyersCase, responses=ANSWERS, dependencies=[MovesMoney]
)
async def pay_case(
    portal: PortalDep, actor: SignedIn, id: FlowId, body: PayCase, key: RequiredKey
) -> Response:
    """Pays what a bank returned, by a saved card or bank account of the business. 404 for a case of another one."""
    code = check_may_buy_plans(actor)
    async with portal.sessions() as session:
        start = await cases.find_start(session, id)
        if start is None or start.partner_code != code:
            raise NotFound
        method = await method_of(session, body.method_id, code)
        owner = await find_owner(session, "case", id)
        if owner is None:
            raise NotFound
    wish = {"type": PaymentType(method.type), "method_id": method.id}
    return await _told(
        portal,
        actor,
        owner,
        body,
        key,
        CaseWorkflow.pay,
        wish,
        lambda case: _for_buyer((case,)).results[0],
    )


PAST = {
    CaseWorkflow.pay: "paid what a bank had returned",
    CaseWorkflow.assign: "assigned a case",
    CaseWorkflow.add_note: "noted on a case",
    CaseWorkflow.retry: "had a case tried again",
    CaseWorkflow.resolve: "resolved a case",
}


async def _ask(
    portal: Portal, actor: Actor, id: str, body: Body, key: str, update: Any, **wish: str
) -> Response:
    await _found(portal, id)
    async with portal.sessions() as session:
        owner = await reach(session, actor, "case", id)
    return await _told(portal, actor, owner, body, key, update, wish, _answer)


async def _told(
    portal: Portal,
    actor: Actor,
    owner: FlowOwner,
    body: Body,
    key: str,
    update: Any,
    wish: Mapping[str, Any],
    shown: Callable[[CaseView], BaseModel],
) -> Response:
    """Sends one wish to the run, once for each key, and keeps in the audit who had it."""
    person, id = person_of(actor), owner.id
    ask = CaseAsk(actor_id=person.user_id, actor=person.name, acting_for=person.acting_for, **wish)

    async def send() -> tuple[int, BaseModel]:
        status, told = await tell(portal, owner, update, ask, actor=actor, key=key)
        return (status, told) if status != 200 else (200, shown(await _found(portal, id)))

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        async with portal.sessions.begin() as session:
            await record_by(session, actor, PAST[update], on=("case", id), more={**wish})
        return answered

    operation = f"{update.__name__} {id}"
    return await once_or_joined(portal, actor, key, operation, body, work, join=send)


async def _found(portal: Portal, id: str) -> CaseView:
    async with portal.sessions() as session:
        case = await cases.find_case(session, id)
    if case is None:
        raise NotFound
    return case


async def _administrator(portal: Portal, actor: Actor, email: str | None) -> User:
    async with portal.sessions() as session:
        found = await administrators(session, limit=200)
    wanted = email.casefold() if email else actor.person.email.casefold()
    person = next((one for one in found if one.email.casefold() == wanted), None)
    if person is None:
        raise Invalid(fields=[("email", "Email invalid")])
    return person


def _answer(case: CaseView) -> CaseAnswer:
    allowed = tuple(event for event in CASE.allowed(case.state) if event != case_v1.PAY)
    return CaseAnswer(**case.model_dump(), allowed=allowed)


def _for_buyer(found: tuple[CaseView, ...]) -> BuyersCases:
    return BuyersCases(
        results=[
            BuyersCase(
                **case.model_dump(include=set(BuyersCase.model_fields) - {"is_open", "may_pay"}),
                may_pay=case_v1.PAY in CASE.allowed(case.state),
                is_open=not CASE.has_ended(case.state),
            )
            for case in found
        ]
    )
