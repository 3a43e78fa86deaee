"""What waits for a person, read at once for the start page: each part for those whose page may open it."""

from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.approvals.waiting import WaitingOrder, waiting_for
from api.orders.answers import OrderSummaryOut, summary_out
from api.partners.credit import refresh_credit
from api.plans.holders import holders_of
from api.platform.border.queries import or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.paging import to_cursor
from api.runs.flow_answers import ActivationSummary, summary_of
from db.base import reading
from db.checkout.credit import credit_of
from db.operations import runs
from db.operations.cases.lists import count_open_cases, open_cases_of
from db.operations.third_parties import third_parties
from db.orders.lists import orders_under_way
from db.partners.reps import recent_partners
from db.plans.plans import list_subscriptions
from db.runs import flows
from domain.base import Utc
from domain.identity.people import Actor, Role
from domain.identity.policy import BUYERS, DEALERS_OWN, PLAN_BUYERS, REPS
from domain.money import Money
from domain.operations.cases import CaseCause
from domain.operations.operations import RunList
from domain.partners.partners import RecentPartner
from domain.plans.plans import ENDING_WITHIN, SubscriptionState

router = APIRouter(tags=["content"])

ACTIVATIONS = 20
"""As many as a page of the list that follows them (`list_activations`)."""
ROWS = 5
"""Of each other part: what more there is has a page of its own."""
_SELDOM = frozenset({Role.ADMIN, Role.OUTSIDE_REP})
"""They may activate, and hardly do."""
FRESH_FOR = timedelta(days=7)
"""An account that was told before that is not shown."""


class UnfinishedPage(BaseModel):
    """The first of the unfinished activations, as `list_activations` answers them."""

    results: list[ActivationSummary]
    count: int
    end_cursor: str | None


class OrdersUnderWay(BaseModel):
    """The latest first; `count` is how many there are in all."""

    results: list[OrderSummaryOut]
    count: int


class CreditStanding(BaseModel):
    """What is used of the limit: owed, ordered on TERMS, and to be paid again. `left` may still be ordered."""

    limit: Money
    used: Money
    left: Money


class EndingPlan(BaseModel):
    device_key: str
    product_name: str
    plan_id: str
    plan_name: str
    ends_at: Utc


class EndingPlans(BaseModel):
    """Those that end first come first; `more` says that there are others."""

    results: list[EndingPlan]
    more: bool


class WaitingCase(BaseModel):
    """A case of an order (`kind`), by the order's id and with its `number`, or of a purchase of plans, whose id is also its
    receipt's."""

    id: str
    kind: Literal["order", "cart", "purchase", "invoice_payment"]
    belongs_to: str
    name: str
    number: str | None
    cause: CaseCause
    owed: Money
    currency: str
    opened_at: Utc


class OperatorsFigures(BaseModel):
    """The operators' page in five figures; `unwell` are the third parties whose last answer was a failure."""

    attention: int
    stuck: int
    retrying: int
    open_cases: int
    unwell: list[str]


class StartPage(BaseModel):
    """A part that is not the caller's is null, one that holds nothing is empty."""

    activations: UnfinishedPage | None
    orders: OrdersUnderWay | None
    credit: CreditStanding | None
    plans: EndingPlans | None
    approvals: list[WaitingOrder] | None
    cases: list[WaitingCase] | None
    recent_businesses: list[RecentPartner] | None
    operations: OperatorsFigures | None


@router.get("/v1/start-page")
async def get_start_page(
    portal: PortalDep,
    actor: SignedIn,
    scope: Annotated[Literal["mine", "dealer"], or_default("mine"), Query()] = "mine",
) -> StartPage:
    """What waits for the caller, by role; `scope` widens the activations to those of the dealer. The account is asked for
    beside it, for whoever looks again."""
    roles, code = actor.roles, actor.business_code
    if roles & BUYERS:
        portal.errands.begin("account for the start page", refresh_credit(portal, code))
    buys = bool(roles & BUYERS) and code is not None
    async with reading(portal.sessions) as session:
        return StartPage(
            activations=await _activations(session, actor, scope)
            if await _activates(session, actor)
            else None,
            orders=await _orders(session, code) if buys and code else None,
            credit=await _credit(session, code) if buys and code else None,
            plans=await _plans(session, actor)
            if roles & PLAN_BUYERS and not actor.person.is_admin and code
            else None,
            approvals=await waiting_for(session, actor, limit=ROWS)
            if roles & {Role.OWNER, Role.PURCHASER}
            else None,
            cases=await _cases(session, code) if buys and code else None,
            recent_businesses=list(await recent_partners(session, actor.person.id, limit=ROWS))
            if roles & REPS
            else None,
            operations=await _operations(portal, session) if Role.ADMIN in roles else None,
        )


async def _activates(session: AsyncSession, actor: Actor) -> bool:
    """Whether activations are the caller's work: administrators' and outside reps' are when one is unfinished."""
    if actor.roles & (DEALERS_OWN - _SELDOM) and not actor.person.is_outside_rep:
        return True
    return bool(actor.roles & _SELDOM) and bool(
        await flows.count_flows(
            session, "activation", dealer_id=None, owner_id=actor.person.id, ended=False
        )
    )


async def _activations(
    session: AsyncSession, actor: Actor, scope: Literal["mine", "dealer"]
) -> UnfinishedPage:
    if scope == "dealer" and actor.dealer_id is None:
        return UnfinishedPage(results=[], count=0, end_cursor=None)
    dealer_id = actor.dealer_id if scope == "dealer" else None
    owner_id = actor.person.id if scope == "mine" else None
    count = await flows.count_flows(
        session, "activation", dealer_id=dealer_id, owner_id=owner_id, ended=False
    )
    found = await flows.list_flows(
        session,
        "activation",
        dealer_id=dealer_id,
        owner_id=owner_id,
        ended=False,
        limit=ACTIVATIONS + 1,
    )
    shown, more = found[:ACTIVATIONS], len(found) > ACTIVATIONS
    return UnfinishedPage(
        results=[summary_of(flow) for flow in shown],
        count=count,
        end_cursor=to_cursor(shown[-1].updated_at, shown[-1].id) if more else None,
    )


async def _orders(session: AsyncSession, code: str) -> OrdersUnderWay:
    orders, count = await orders_under_way(session, code, limit=ROWS)
    return OrdersUnderWay(results=[summary_out(order) for order in orders], count=count)


async def _credit(session: AsyncSession, code: str) -> CreditStanding | None:
    credit = await credit_of(session, code, fresh_for=FRESH_FOR)
    if credit is None:
        return None
    used = credit.balance + credit.open_orders + credit.owed
    return CreditStanding(limit=credit.limit, used=used, left=credit.available)


async def _plans(session: AsyncSession, actor: Actor) -> EndingPlans:
    found = await list_subscriptions(
        session,
        holders_of(actor),
        state=SubscriptionState.ENDING,
        starts_with="",
        ending_within=ENDING_WITHIN,
        limit=ROWS + 1,
    )
    shown = [EndingPlan.model_validate(one, from_attributes=True) for one in found[:ROWS]]
    return EndingPlans(results=shown, more=len(found) > ROWS)


async def _cases(session: AsyncSession, code: str) -> list[WaitingCase]:
    return [
        WaitingCase(
            **case.model_dump(include={"id", "cause", "owed", "currency", "opened_at"}),
            kind=case.belongs_to.kind,
            belongs_to=case.belongs_to.id,
            name=case.belongs_to.name,
            number=case.belongs_to.number,
        )
        for case in await open_cases_of(session, code, limit=ROWS)
    ]


async def _operations(portal: Portal, session: AsyncSession) -> OperatorsFigures:
    seen = [*portal.watched.seen(), *await third_parties(session)]
    return OperatorsFigures(
        attention=await runs.count_shown(session, RunList.ATTENTION),
        stuck=await runs.count_shown(session, RunList.STUCK),
        retrying=await runs.count_shown(session, RunList.RETRYING),
        open_cases=await count_open_cases(session),
        unwell=sorted({each.system for each in seen if not each.is_well}),
    )
