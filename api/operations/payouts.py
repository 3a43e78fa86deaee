"""Payouts of all dealers, for administrators: what was refused, came back or waits, another attempt, and what was settled in
another way (decision 65)."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field, StringConstraints
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from api.platform.border.queries import counted, or_default
from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.schemas import PathId
from api.runs.messages import RequiredKey
from db.base import reading
from db.dealers.payouts import (
    DealerPayout,
    find_payout,
    is_stuck,
    list_payouts,
    lock_payout,
)
from db.operations.audit import Outcome, record_by
from db.operations.runs import resolve_attention
from domain.base import Body
from domain.dealers.payouts import (
    TRIED_BY_A_PERSON,
    PayoutMissing,
    PayoutNotToResolve,
    PayoutRef,
    PayoutState,
    PayoutStateConflict,
)
from workflows.payouts import SCHEDULE, Paying, PayoutsStart, PayoutsWorkflow

router = APIRouter(prefix="/v1/payouts", tags=["operations"])

OPEN = frozenset(PayoutState) - {PayoutState.PAID, PayoutState.SETTLED}
ShownState = Literal["open", "waiting", "paying", "paid", "refused", "returned", "settled"]
DealerName = PathId
Month = Annotated[str, Path(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]


class PayoutFilters(BaseModel):
    """`open`: all that is not paid, nor settled in another way."""

    shown: Annotated[ShownState, or_default("open")] = "open"
    limit: Annotated[int, Field(ge=1, le=100), counted(50, most=100)] = 50
    offset: Annotated[int, Field(ge=0, le=100_000), counted(0, least=0, most=100_000)] = 0


class AllPayouts(BaseModel):
    """The latest changed first."""

    results: list[DealerPayout]
    count: int


class RetryPayoutBody(Body):
    """Why it is sent again: kept in the audit."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class SettlePayoutBody(Body):
    """How it was settled: kept in the audit."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class PayoutSettled(BaseModel):
    dealer_id: str
    month: str
    note: str


class PayoutBegun(BaseModel):
    """`attempt` is the one that is made now."""

    dealer_id: str
    month: str
    attempt: int


@router.get("")
async def list_all_payouts(
    portal: PortalDep, actor: SignedIn, filters: Annotated[PayoutFilters, Query()]
) -> AllPayouts:
    """Of all dealers."""
    states = OPEN if filters.shown == "open" else frozenset({PayoutState(filters.shown)})
    async with reading(portal.sessions) as session:
        found, count = await list_payouts(
            session, states, limit=filters.limit, offset=filters.offset
        )
    return AllPayouts(results=list(found), count=count)


@router.post(
    "/{dealer_id}/{month}/retry",
    status_code=202,
    response_model=PayoutBegun,
    dependencies=[MovesMoney],
)
async def retry_payout(
    portal: PortalDep,
    actor: SignedIn,
    dealer_id: DealerName,
    month: Month,
    body: RetryPayoutBody,
    key: RequiredKey,
) -> Response:
    """Sends a payout again that was refused or came back, or looks after one that hangs. Once for each attempt, whoever asks.
    Raises PayoutMissing, PayoutStateConflict."""
    ref = PayoutRef(dealer_id=dealer_id, month=month)

    async def retry() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            payout = await find_payout(session, dealer_id, month)
            if payout is None:
                raise PayoutMissing
            is_new = payout.state in TRIED_BY_A_PERSON
            if not is_new and not await is_stuck(session, ref):
                raise PayoutStateConflict
            attempt = payout.attempt + 1 if is_new else payout.attempt
            await record_by(
                session,
                actor,
                "payout tried again",
                outcome=Outcome.ACCEPTED,
                on=("payout", payout.id),
                more={"attempt": attempt, "amount": str(payout.amount), "note": body.note},
            )
        again = Paying(ref=ref, again_after=payout.attempt if is_new else None)
        try:
            await portal.temporal.start_workflow(
                PayoutsWorkflow.run,
                PayoutsStart(again=again),
                id=f"{SCHEDULE}-{payout.id}-{attempt}",
                task_queue=portal.task_queue,
                # Which attempt follows is decided under the row's lock: a run that found no account begins none.
                id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
                static_summary="tries a payout again",
            )
        except WorkflowAlreadyStartedError:
            raise PayoutStateConflict from None
        return 202, PayoutBegun(dealer_id=dealer_id, month=month, attempt=attempt)

    return await answer_once(
        portal.sessions, actor, key, f"retry_payout {dealer_id} {month}", body, retry
    )


@router.post("/{dealer_id}/{month}/settle", response_model=PayoutSettled, dependencies=[MovesMoney])
async def settle_payout(
    portal: PortalDep,
    actor: SignedIn,
    dealer_id: DealerName,
    month: Month,
    body: SettlePayoutBody,
    key: RequiredKey,
) -> Response:
    """Takes a payout off the list that was refused or came back, as a person has settled it in another way: nothing is sent for it
    any more. Raises PayoutMissing, PayoutNotToResolve."""
    ref = PayoutRef(dealer_id=dealer_id, month=month)

    async def resolve() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            payout = await lock_payout(session, ref)
            if payout.state not in TRIED_BY_A_PERSON:
                raise PayoutNotToResolve
            if not await resolve_attention(session, payout.id, by=actor.key, note=body.note):
                raise PayoutNotToResolve
            await record_by(
                session,
                actor,
                "payout settled in another way",
                on=("payout", payout.id),
                more={"state": payout.state, "amount": str(payout.amount), "note": body.note},
            )
        return 200, PayoutSettled(dealer_id=dealer_id, month=month, note=body.note)

    return await answer_once(
        portal.sessions, actor, key, f"settle_payout {dealer_id} {month}", body, resolve
    )
