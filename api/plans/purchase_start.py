"""Beginning a purchase of plans: who buys, where they are taxed, how they pay, and the run that follows (decision 32)."""

import asyncio
import uuid
from collections.abc import Callable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from api.platform.deps import Portal
from api.runs.flows import ANSWER_WITHIN, once_seen, person_of
from api.runs.messages import update_id_of
from db.billing.payment_methods import is_canadian, method_of, methods_of
from db.catalogue.viewers import find_viewer
from db.checkout.limits import limits_of
from db.checkout.shipping import addresses_of
from db.operations.audit import Outcome, record_by
from db.plans.purchase_starts import save_start
from db.platform.idempotency import hold_name, rename
from db.runs import flows
from domain.billing.payment_methods import check_taken, is_offered
from domain.billing.payments import PaymentType
from domain.checkout.draft import PostalAddress
from domain.checkout.limits import is_limited
from domain.errors import Unavailable
from domain.identity.people import Actor
from domain.kinds import PURCHASE
from domain.partners.partners import AddressKind
from domain.plans.approvals import NotOwnPurchase
from domain.plans.plans import check_may_buy_plans
from domain.plans.purchases import (
    PATH,
    AddressNeeded,
    Buyer,
    PayBy,
    PurchaseStart,
    came_to_nothing,
    check_type,
    said_again,
)
from domain.plans.quote import PlanLineRequest, check_lines
from domain.plans.taxes import check_ship_to
from domain.runs.projection import FlowAnswer, FlowOwner
from workflows import ids
from workflows.client import begun_as
from workflows.plans.purchase import PurchaseWorkflow

RETRY_AFTER = 2
SHORTER_ID = 32
AT_REST = frozenset(
    {
        "quoted",
        "waiting_for_approval",
        "requoted",
        "action_required",
        "declined",
        "needs_attention",
        "part_failed",
        "confirmed",
        "expired",
        "cancelled",
        "rejected",
    }
)
"""States in which a purchase waits for somebody, or has ended."""


def purchase_id_of(actor: Actor, key: str | None) -> str:
    """The run's id follows from the caller's key: a repeat after a crash means the same purchase."""
    return update_id_of(actor, key)[:SHORTER_ID] if key else uuid.uuid4().hex


async def purchase_without_key(
    session: AsyncSession, actor: Actor, lines: Sequence[PlanLineRequest]
) -> str:
    """The id of the purchase that is meant by a call without a key: for a day that of the same person's last one of
    the same plans for the same devices to the same days, unless it came to nothing (decision 37). The caller
    commits before it begins."""
    key = f"plans {said_again(check_may_buy_plans(actor), lines)}"
    fresh = uuid.uuid4().hex
    id_, was_held = await hold_name(
        session, actor=actor.key, key=key, operation="pay_for_plans", name=fresh
    )
    if not was_held:
        return id_
    stands = await flows.find_flow(session, "purchase", id_)
    if stands is None:
        return id_
    was_refused = stands.view.get("error") is not None
    if not came_to_nothing(stands.state, was_refused=was_refused):
        return id_
    await rename(session, actor=actor.key, key=key, name=fresh)
    return fresh


async def start_of(
    portal: Portal,
    session: AsyncSession,
    actor: Actor,
    id_: str,
    lines: tuple[PlanLineRequest, ...],
    address: PostalAddress | None,
) -> PurchaseStart:
    """A well-formed purchase that the caller may make. Raises what `check_may_buy_plans` and `check_lines` raise,
    AddressNeeded, ShipToRefused."""
    check_may_buy_plans(actor)
    check_lines(lines)
    buyer = await buyer_of(session, actor)
    return PurchaseStart(
        id=id_,
        path=PATH,
        lines=lines,
        address=await address_of(session, buyer, address),
        buyer=buyer,
        policy=portal.purchase_policy,
        portal_url=portal.url_of(actor.site),
    )


async def check_agrees(session: AsyncSession, actor: Actor, purchase: FlowOwner) -> None:
    """Raises NotOwnPurchase where the caller's own limits would not count."""
    person = actor.person
    if purchase.owner_id == person.id or not is_limited(person) or actor.dealer_id is None:
        return
    if await limits_of(session, person.id, actor.dealer_id) is not None:
        raise NotOwnPurchase


async def buyer_of(session: AsyncSession, actor: Actor) -> Buyer:
    viewer, person = await find_viewer(session, actor), person_of(actor)
    return Buyer(
        partner_code=check_may_buy_plans(actor),
        channel=viewer.channel,
        dealer_id=actor.dealer_id,
        person_id=actor.person.id,
        name=person.name,
        acting_for=person.acting_for,
        subscriber_id=actor.person.subscriber_id,
        site=actor.site.code,
        canadian=await is_canadian(session, actor),
    )


async def address_of(
    session: AsyncSession, buyer: Buyer, wanted: PostalAddress | None
) -> PostalAddress:
    """Where the plans are taxed: as was asked, else the default shipping address of the business, else any."""
    if wanted is None:
        found = await addresses_of(session, buyer.partner_code)
        if not found:
            raise AddressNeeded
        first = next((one for one in found if one.kind is AddressKind.SHIPPING), found[0])
        fields = set(PostalAddress.model_fields)
        wanted = PostalAddress.model_validate(first.model_dump(include=fields))
    check_ship_to(wanted)
    return wanted


async def pay_by_of(
    session: AsyncSession,
    partner_code: str,
    method_id: str | None,
    kind: PaymentType | None = None,
    *,
    cards: bool,
) -> PayBy | None:
    """The saved method that was named, else the main one; None where there is none. `cards` is the switch of the settings: without it
    there are no cards. Raises PaymentTypeRefused, and MethodMissing as `method_of` and `check_taken` do.
    """
    if kind is not None:
        check_type(kind)
    if method_id is not None:
        method = await method_of(session, method_id, partner_code)
        check_taken(method, cards=cards)
        return PayBy(type=PaymentType(method.type), method_id=method.id)
    saved = await methods_of(session, partner_code)
    usable = (one for one in saved if one.status == "ready" and is_offered(one, cards=cards))
    main = next((one for one in usable if one.is_main), None)
    return PayBy(type=PaymentType(main.type), method_id=main.id) if main else None


async def begin(portal: Portal, actor: Actor, start: PurchaseStart) -> None:
    """Starts the run; a repeat finds it started, also when it has ended: its receipt stands. Who buys is recorded before:
    Temporal may have taken a start that nobody here lives to know of. Raises Unavailable."""
    async with portal.sessions.begin() as session:
        if await save_start(session, start):
            await record_by(
                session, actor, "bought plans", outcome=Outcome.ACCEPTED, on=("purchase", start.id)
            )
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            await portal.temporal.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
                PurchaseWorkflow.run,
                start,
                id=ids.purchase_id(start.id),
                task_queue=portal.task_queue,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                **begun_as(PURCHASE, start),
            )
    except TimeoutError:
        raise Unavailable(retry_after=RETRY_AFTER) from None
    except WorkflowAlreadyStartedError:
        pass


async def once_at_rest(
    portal: Portal, id_: str, *, until: Callable[[FlowAnswer], bool] | None = None
) -> FlowAnswer | None:
    """The purchase once it waits for somebody or has ended; None when that takes longer than a call may."""
    found, is_enough = await once_seen(portal, "purchase", id_, until or _is_at_rest)
    return found if is_enough else None


def _is_at_rest(answer: FlowAnswer) -> bool:
    return answer.state in AT_REST
