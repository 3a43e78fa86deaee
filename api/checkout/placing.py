"""Submitting a cart: frozen once, begun once, answered within the time of a write (promises 1 to 3).

What was agreed to is kept in the transaction that holds the lock of the cart, before any run begins: of many submits one
keeps it, all others join. Whoever finds it not begun begins it under the workflow id that follows from the token.
"""

import asyncio
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from api.checkout.cart_changes import own_cart
from api.partners.credit import refresh_credit
from api.platform.deps import Portal
from api.runs.flows import ANSWER_WITHIN, follow_run, person_of
from db.base import once_more, reading
from db.checkout import placements, reservations
from db.checkout.draft import write_po_number
from db.checkout.quote import counted
from db.operations.audit import record_by
from db.platform.clock import database_now
from db.runs import flows
from domain.base import Frozen
from domain.billing.payments import PaymentType
from domain.checkout.approvals import ApprovalAsked
from domain.checkout.draft import PaymentChoice
from domain.checkout.placement import PATH, OrderRef, PlacementStart
from domain.checkout.placement_snapshot import Snapshot, pieces_now
from domain.checkout.placements.placement_v4 import AT_REST
from domain.checkout.quote import PoNumberRepeated, Quote, agreed, check_placeable
from domain.identity.people import Actor
from domain.kinds import PLACEMENT
from domain.runs.projection import FlowAnswer
from workflows import ids
from workflows.client import begin_or_join

log = structlog.stdlib.get_logger()


class Submit(Frozen):
    """What the buyer wants: pay like this, for that quote, under this PO number. Without any the draft and the figures of the
    moment hold. `reason` is for the owner who must approve it."""

    token: str
    payment: PaymentChoice | None = None
    names_po: bool = False
    po_number: str | None = None
    knows_po: bool = False
    quote_hash: str | None = None
    reason: str = ""


SLOW = frozenset({"handing_over", "compensating"})
"""Where an order may stand for long. Its money is taken within a moment, and its buyer is shown the end."""


class Submitted(Frozen):
    """How far it is. Nothing of `placement` can be seen while no worker has taken it up."""

    order: OrderRef | None = None
    placement: FlowAnswer | None = None

    @property
    def is_at_rest(self) -> bool:
        """Whether there is anything that the buyer waits for no longer."""
        run = self.placement
        return run is not None and (
            run.ended or run.state in AT_REST or (self.order is not None and run.state in SLOW)
        )


async def submit_order(portal: Portal, actor: Actor, submit: Submit) -> Submitted:
    """Places the cart, or joins who does, and waits a little for what comes of it.

    Raises CartMissing, StaleCart, QuoteChanged, PoNumberRepeated, StockChanged, OverCreditLimit where somebody was faster, and what
    `check_may_buy` and `check_placeable` raise; nothing was kept then.
    """
    await refresh_credit(portal, actor.business_code)
    start = await freeze_quote(portal, actor, submit)
    until = asyncio.get_running_loop().time() + ANSWER_WITHIN.total_seconds()
    if start is not None:
        await begin(portal, start)
    return await _look(portal, submit.token, start, until)


async def freeze_quote(portal: Portal, actor: Actor, submit: Submit) -> PlacementStart | None:
    """Freezes what is agreed to, and holds its stock and credit unless an owner must approve it first: what there is to begin or
    to join; None once an order was made of the cart."""
    return await once_more(lambda: _freeze(portal, actor, submit))


async def _freeze(portal: Portal, actor: Actor, submit: Submit) -> PlacementStart | None:
    async with portal.sessions.begin() as session:
        await own_cart(session, actor, submit.token)
        there, start = await _there(session, submit.token)
        if there:
            return start
        held = await own_cart(session, actor, submit.token, lock=True)
        there, start = await _there(session, submit.token)
        if there:
            return start
        if submit.names_po and submit.po_number != held.draft.po_number:
            await write_po_number(session, submit.token, submit.po_number)
        cards = portal.features.card_payments
        quote = await counted(session, actor, submit.token, submit.payment, cards=cards)
        check_placeable(quote)
        if submit.names_po and quote.po_ordered and not submit.knows_po:
            raise PoNumberRepeated(extra={"order": quote.po_ordered})
        agreed(quote, submit.quote_hash)
        assert quote.payment is not None
        turn = await placements.turns_of(session, submit.token) + 1
        before = await flows.find_owner(session, "placement", submit.token)
        person, now = person_of(actor), await database_now(session)
        start = PlacementStart(
            token=submit.token,
            turn=turn,
            path=PATH,
            quote_hash=quote.quote_hash,
            partner_code=quote.partner_code,
            partner_name=quote.partner_name,
            owner_id=actor.person.id,
            owner_name=actor.person.name,
            dealer_id=actor.dealer_id,
            acting_for=actor.impersonated.name if actor.impersonated else None,
            acting_for_id=person.acting_for,
            site=actor.site.code,
            total=quote.total,
            currency=quote.currency,
            po_number=quote.po_number,
            payment=PaymentChoice(type=quote.payment.type, method_id=quote.payment.method_id),
            shown=quote.payment.shown,
            approval=_approval(portal, quote, submit, now),
            rev_from=before.rev + 1 if before else 0,
            policy=portal.placement_policy,
            portal_url=portal.url_of(actor.site),
        )
        if start.approval is None:
            # First of what refers to the business: a row that does shares the lock that credit needs alone.
            is_on_terms = start.payment.type is PaymentType.TERMS
            await reservations.hold(
                session,
                start.token,
                start.partner_code,
                pieces_now(quote),
                on_terms=quote.total if is_on_terms else None,
            )
        await placements.submit(
            session,
            Snapshot(
                workflow_id=ids.placement_id(submit.token, turn),
                start=start,
                quote=quote,
                created_at=now,
            ),
        )
        await record_by(
            session,
            actor,
            "submitted an order",
            on=("placement", submit.token),
            more={"partner": quote.partner_code, "total": str(quote.total), "turn": turn},
        )
    # What is kept says nothing of what is held: whoever begins the run later has it look again.
    return start.model_copy(update={"held": True}) if start.approval is None else start


def _approval(portal: Portal, quote: Quote, submit: Submit, now: datetime) -> ApprovalAsked | None:
    """What an owner is asked, where one must be."""
    above = quote.allowance.limits.approval_above if quote.allowance else None
    if not quote.needs_approval or above is None:
        return None
    until = now + portal.placement_policy.approval
    return ApprovalAsked(reason=submit.reason, above=above, until=until)


async def _there(session: AsyncSession, token: str) -> tuple[bool, PlacementStart | None]:
    """Whether this cart was submitted already and may not be again: it is under way, or an order was made of it."""
    start = await placements.open_start(session, token)
    if start is not None:
        return True, start
    return await placements.order_ref(session, token) is not None, None


async def begin(portal: Portal, start: PlacementStart) -> None:
    """Has a worker take it up, once. Where Temporal does not answer, it is begun later: it is kept."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds() / 2):
            await begin_or_join(portal.temporal, PLACEMENT, start, task_queue=portal.task_queue)
    except WorkflowAlreadyStartedError:
        log.info("a placement had ended already", turn=start.turn)
    except (TimeoutError, RPCError, RuntimeError) as error:
        log.warning("a placement is begun later", kind=type(error).__name__)


async def _look(
    portal: Portal, token: str, start: PlacementStart | None, until: float
) -> Submitted:
    """What is to be seen once it rests, an order is there, or the time of the loop is `until`."""
    seen, _ = await follow_run(
        portal,
        token,
        lambda: seen_of(portal, token, start),
        lambda seen: seen.is_at_rest or start is None,
        ends=until,
    )
    return seen


async def seen_of(portal: Portal, token: str, start: PlacementStart | None = None) -> Submitted:
    """The run and its order; of an earlier run of the same cart nothing is told."""
    async with reading(portal.sessions) as session:
        run = await flows.find_flow(session, "placement", token)
        order = await placements.order_ref(session, token)
    if run is not None and start is not None and run.rev < start.rev_from:
        run = None
    return Submitted(order=order, placement=run)
