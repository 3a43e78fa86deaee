"""Buying plans in one call, with its mock run, and the receipts (shop spec 7 and 8; devices spec 7).

The same run serves the calls of the specs and those of `api/plans/purchases.py`: a mock run starts it, a later call with the
uuid of its quote goes on with it.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from api.devices.holder import persons_lookup
from api.devices.ownership import check_serials
from api.plans.payment_schemas import VIEW, PaymentsBody, PlanPayment, payment_of
from api.plans.purchase_start import (
    AT_REST,
    address_of,
    begin,
    buyer_of,
    check_agrees,
    once_at_rest,
    pay_by_of,
    purchase_id_of,
    purchase_without_key,
    start_of,
)
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn, record_now
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.throttling.runs import RunTries
from api.runs.flows import authorize_run
from api.runs.messages import Accepted, FlowRejected, send_command, sender_of
from db.base import reading
from db.devices.ownership import facts_of_devices
from db.operations.audit import Outcome
from db.runs import flows
from domain.checkout.quote import OverMonthLimit, OverOrderLimit
from domain.devices.ownership import Ownership, asker_of, whose_device
from domain.errors import Conflict, Gone, Invalid
from domain.identity.people import Actor
from domain.plans.plans import check_may_buy_plans
from domain.plans.purchases import (
    Declined,
    NoCard,
    PayBy,
    PurchaseEnded,
    PurchaseMessage,
    QuoteChanged,
    QuoteExpired,
    about_purchase,
)
from domain.plans.quote import LinesFailed, check_lines
from domain.runs.projection import FlowAnswer
from workflows.plans.purchase import PurchaseWorkflow

router = APIRouter(prefix="/v1/payments", tags=["plans"])

Flag = Annotated[list[Literal["true", "false"]], Query(max_length=1)]
"""`true` or `false`, once. Anything else is refused: nobody is charged because a flag was not understood."""

AGREED = AT_REST - {"quoted", "expired", "cancelled", "rejected"} | {
    "charging",
    "provisioning",
    "refunding",
}
"""States of a purchase whose quote was agreed to."""

WAITS = ("action_required", "needs_attention", "waiting_for_approval", "requoted")
"""States in which nobody can say yet what comes of it."""

LIMIT_ERRORS = {one.code: one for one in (OverOrderLimit, OverMonthLimit)}


@router.post(
    "",
    response_model=PlanPayment,
    responses={202: {"model": Accepted, "description": "Taken; the outcome comes by the events"}},
    dependencies=[MovesMoney],
)
async def pay_for_plans(
    portal: PortalDep,
    actor: SignedIn,
    body: PaymentsBody,
    key: IdempotencyKey = None,
    validate: Flag = [],  # noqa: B006 (FastAPI copies defaults)
) -> Response:
    """Buy plans for devices. With `validate=true` only the figures are worked out: nothing is charged or set up."""
    check_may_buy_plans(actor)
    check_lines(body.lines)
    if body.card_id is not None and body.payment_method is not None:
        raise Invalid(fields=[("payment_method", "Invalid value")])
    is_mock = validate == ["true"]
    is_agreement = body.quote_uuid is not None and not is_mock
    device_keys = [line.device_key for line in body.lines]
    work = _mock if is_mock else _buy

    async def once() -> tuple[int, BaseModel]:
        if is_mock:
            await RunTries(portal.sessions).count_mock_purchase(actor.key)
        if is_agreement:  # its devices are those of its quote, whatever else is named
            return await work(portal, actor, body, key)
        async with _look(portal, actor, device_keys):
            await check_serials(portal, *device_keys)
            return await work(portal, actor, body, key)

    operation = f"pay_for_plans {'mock' if is_mock else 'buy'}"
    return await answer_once(portal.sessions, actor, key, operation, body, once)


@asynccontextmanager
async def _look(portal: Portal, actor: Actor, device_keys: Sequence[str]) -> AsyncGenerator[None]:
    """Whoever has tried too often asks for figures of their own devices alone; which of them are wrong the run finds, and
    counts. Until it has, this is counted as a look, so that many at once have an end too. Raises Throttled."""
    async with reading(portal.sessions) as session:
        facts = await facts_of_devices(session, device_keys)
    asker = asker_of(actor)
    if all(whose_device(asker, one) is Ownership.OWN for one in facts.values()):
        yield
        return
    async with persons_lookup(portal, actor.person.id):
        yield


async def _mock(
    portal: Portal, actor: Actor, body: PaymentsBody, key: str | None
) -> tuple[int, BaseModel]:
    if body.quote_uuid is not None:
        id_, rev = await _ask_again(portal, actor, body, body.quote_uuid, key)
        answer = await once_at_rest(portal, id_, until=_quoted_after(rev))
    else:
        id_ = purchase_id_of(actor, key)
        await _begin_once(portal, actor, id_, body)
        answer = await once_at_rest(portal, id_)
    if answer is None:
        return 202, Accepted(id=id_, update_id=id_)
    if answer.ended:
        raise QuoteExpired
    view = VIEW.validate_python(answer.view)
    failed = [line for line in view.lines if line.problem]
    if failed and len(failed) == len(view.lines):
        raise _with_flow(LinesFailed(failed), answer)
    return 200, payment_of(answer)


async def _buy(
    portal: Portal, actor: Actor, body: PaymentsBody, key: str | None
) -> tuple[int, BaseModel]:
    code = check_may_buy_plans(actor)
    method_id = body.card_id or body.payment_method
    async with reading(portal.sessions) as session:
        pay_by = await pay_by_of(session, code, method_id, cards=portal.features.card_payments)
    if body.quote_uuid is not None:
        id_ = body.quote_uuid
        rev = await _confirm(portal, actor, body, id_, pay_by, key)
        answer = await once_at_rest(portal, id_, until=_paid_after(rev))
    else:
        if pay_by is None:
            raise NoCard
        id_ = await _begun(portal, actor, body, pay_by, key)
        answer = await once_at_rest(portal, id_, until=_paid_after(0))
    if answer is None or answer.state in WAITS:
        return 202, Accepted(id=id_, update_id=id_)
    return 200, _outcome(answer)


async def _begun(
    portal: Portal, actor: Actor, body: PaymentsBody, pay_by: PayBy, key: str | None
) -> str:
    """The id of the purchase that was begun, or that the same call has begun before."""
    if key is not None:
        id_ = purchase_id_of(actor, key)
    else:
        async with portal.sessions.begin() as session:
            id_ = await purchase_without_key(session, actor, body.lines)
    await _begin_once(portal, actor, id_, body, pay_by)
    return id_


async def _begin_once(
    portal: Portal, actor: Actor, id_: str, body: PaymentsBody, pay_by: PayBy | None = None
) -> None:
    """A purchase that the same call has begun before is left as it is, also where Temporal has forgotten it. With `pay_by` its
    quote counts as agreed to."""
    async with reading(portal.sessions) as session:
        if await flows.find_owner(session, "purchase", id_) is not None:
            return
        start = await start_of(portal, session, actor, id_, body.lines, body.ship_to)
    if pay_by is not None:
        start = start.model_copy(update={"pay_by": pay_by, "reason": body.approval_reason or ""})
    await begin(portal, actor, start)


def _outcome(answer: FlowAnswer) -> PlanPayment:
    """What was bought. Raises Declined, LinesFailed, OverOrderLimit, OverMonthLimit, QuoteChanged or PurchaseEnded,
    each with where the purchase stands."""
    view = VIEW.validate_python(answer.view)
    match answer.state:
        case "confirmed":
            return payment_of(answer)
        case "declined":
            raise _with_flow(Declined(view.error.detail if view.error else None), answer)
        case "quoted" | "part_failed":
            failed = [line for line in view.lines if line.problem]
            if failed:
                raise _with_flow(LinesFailed(failed), answer)
            against = LIMIT_ERRORS.get(view.error.code) if view.error else None
            raise _with_flow(against() if against else QuoteChanged(), answer)
        case _:
            raise PurchaseEnded(extra=about_purchase(answer.id))


async def _ask_again(
    portal: Portal, actor: Actor, body: PaymentsBody, id_: str, key: str | None
) -> tuple[str, int]:
    """Has the figures of a purchase worked out anew. Answers its id, and the `rev` before."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "purchase", id_)
        stands = await flows.find_flow(session, "purchase", id_)
        if owner.ended or stands is None:
            raise QuoteExpired
        address = None
        if body.ship_to is not None:
            address = await address_of(session, await buyer_of(session, actor), body.ship_to)
    ask = PurchaseMessage(**sender_of(actor), lines=body.lines, address=address)
    await send_command(
        portal,
        owner,
        PurchaseWorkflow.requote,
        ask,
        actor=actor,
        key=key or purchase_id_of(actor, None),
    )
    return id_, stands.rev


async def _confirm(
    portal: Portal,
    actor: Actor,
    body: PaymentsBody,
    id_: str,
    pay_by: PayBy | None,
    key: str | None,
) -> int:
    """Agrees to the quote of a mock run as it was answered. Answers the `rev` before. Without a key an agreement that was
    given before is joined: what becomes of it is the answer again."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "purchase", id_)
        stands = await flows.find_flow(session, "purchase", id_)
        await check_agrees(session, actor, owner)
    was_agreed = key is None and stands is not None and stands.state in AGREED
    if stands is None or (owner.ended and not was_agreed):
        raise QuoteExpired
    view = VIEW.validate_python(stands.view)
    if {line.said for line in view.lines} != {line.said for line in body.lines}:
        raise _with_flow(QuoteChanged(), stands)
    if was_agreed:
        return stands.rev - 1
    ask = PurchaseMessage(
        **sender_of(actor),
        quote_hash=view.quote_hash,
        pay_by=pay_by,
        reason=body.approval_reason or "",
    )
    own_key = key or f"{id_} {stands.rev}"
    try:
        await send_command(portal, owner, PurchaseWorkflow.confirm, ask, actor=actor, key=own_key)
    except Gone:
        # The same body, sent at the same time, has had it confirmed meanwhile.
        if key is not None:
            raise
        return stands.rev
    await record_now(portal, actor, "bought plans", outcome=Outcome.ACCEPTED, on=("purchase", id_))
    return stands.rev


def _quoted_after(rev: int) -> Callable[[FlowAnswer], bool]:
    return lambda answer: answer.rev > rev + 1 and answer.state in AT_REST


def _paid_after(rev: int) -> Callable[[FlowAnswer], bool]:
    """A quote counts only with its refusal: without one the purchase goes on by itself."""

    def is_at_rest(answer: FlowAnswer) -> bool:
        if answer.rev <= rev or answer.state not in AT_REST:
            return False
        return answer.state != "quoted" or answer.view.get("error") is not None

    return is_at_rest


def _with_flow(error: Conflict, stands: FlowAnswer) -> FlowRejected:
    """The same error with where the purchase stands; `uuid` names it."""
    rejected = FlowRejected(error.status, error.code, error.detail, stands)
    rejected.extra |= {**error.extra, "uuid": stands.id}
    return rejected
