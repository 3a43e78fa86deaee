"""A purchaser with limits, and what waits for the owner of their business: an order, and a purchase of plans.

No run is begun here: the reconciler begins one for each within a minute, as for any whose run is gone.
"""

import hashlib
from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.tables import VariantRow
from db.checkout import placements
from db.checkout.cart import CartLineRow, CartRow
from db.checkout.limits import set_limits
from db.checkout.quote import counted
from db.checkout.shipping import addresses_of
from db.demo.people import PRAIRIE
from db.identity.people import find_user
from db.partner_tables import load_sites
from db.plans.agreements import Agreement, save_agreement
from db.plans.plans import plans_for
from db.plans.purchase_starts import save_start
from db.runs.flows import FlowRow, TransitionRow
from domain.billing.payments import PayBy, PaymentType
from domain.checkout.approvals import Approval, ApprovalAsked
from domain.checkout.draft import PaymentChoice, PostalAddress
from domain.checkout.limits import PurchaseLimits
from domain.checkout.placement import PlacementPolicy, PlacementStart
from domain.checkout.placement_snapshot import Snapshot
from domain.checkout.quote import check_placeable
from domain.devices.devices import Product
from domain.identity.people import Actor, User
from domain.kinds import PLACEMENT, PURCHASE
from domain.plans.plans import Term, plan_id
from domain.plans.purchases import (
    PATH,
    Buyer,
    LineStatus,
    LineView,
    PurchasePolicy,
    PurchaseStart,
    PurchaseView,
)
from domain.plans.quote import PlanLineRequest, Quote, quote_of, quoted_line
from domain.runs.kind import WaitsFor

BUYER, OWNER = "petra", "gus"
LIMITS = PurchaseLimits(
    per_order=Decimal(5000), per_month=Decimal(20_000), approval_above=Decimal(100)
)
_ARTICLE, _PIECES = "FT-IT-0001-STD", 12
_DEVICES = (("FT-X1-20000311", Product.FT_X1), ("FT-X2-20000312", Product.FT_X2))
_PLAN = plan_id("premium_prepaid", Term.THREE_YEARS)


async def add_waiting(
    session: AsyncSession, now: datetime, *, portal_url: str, method_id: str
) -> bool:
    """Answers whether anything was added; the same again adds nothing."""
    buyer = await find_user(session, BUYER)
    if buyer is None or await session.get(FlowRow, _id_of("plans")) is not None:
        return False
    await set_limits(session, BUYER, PRAIRIE.id, LIMITS, by=OWNER)
    await _add_order(session, buyer, now - timedelta(hours=5), portal_url)
    await _add_purchase(session, buyer, now - timedelta(hours=3), portal_url, method_id)
    return True


async def _add_order(session: AsyncSession, buyer: User, at: datetime, portal_url: str) -> None:
    token = _id_of("order")
    article = await session.scalar(select(VariantRow.id).where(VariantRow.sku == _ARTICLE))
    if article is None:
        return
    session.add(CartRow(token=token, person_id=BUYER, partner_code=PRAIRIE.code))
    await session.flush()
    session.add(CartLineRow(cart_token=token, variant_id=article, quantity=_PIECES))
    await session.flush()
    site = next(one for one in await load_sites(session) if one.code == "ca")
    payment = PaymentChoice(type=PaymentType.COD)
    actor = Actor(request_id=token, site=site, user=buyer)
    quote = await counted(session, actor, token, payment, cards=True)
    check_placeable(quote)
    start = PlacementStart(
        token=token,
        quote_hash=quote.quote_hash,
        partner_code=quote.partner_code,
        partner_name=quote.partner_name,
        owner_id=buyer.id,
        owner_name=buyer.name,
        dealer_id=PRAIRIE.id,
        site=site.code,
        total=quote.total,
        payment=payment,
        shown=payment.type.value,
        approval=ApprovalAsked(
            reason="A fleet of twelve vans comes in on Monday",
            above=LIMITS.approval_above or Decimal(0),
            until=at + PlacementPolicy().approval,
        ),
        portal_url=portal_url,
    )
    await placements.submit(
        session,
        Snapshot(workflow_id=PLACEMENT.workflow_id(start), start=start, quote=quote, created_at=at),
    )


async def _add_purchase(
    session: AsyncSession, buyer: User, at: datetime, portal_url: str, method_id: str
) -> None:
    addresses = await addresses_of(session, PRAIRIE.code)
    address = PostalAddress.model_validate(
        addresses[0].model_dump(include=set(PostalAddress.model_fields))
    )
    start = PurchaseStart(
        id=_id_of("plans"),
        path=PATH,
        lines=tuple(PlanLineRequest(device_key=key, plan_id=_PLAN) for key, _ in _DEVICES),
        address=address,
        buyer=Buyer(
            partner_code=PRAIRIE.code,
            channel=PRAIRIE.channel,
            dealer_id=PRAIRIE.id,
            person_id=buyer.id,
            name=buyer.name,
            site="ca",
            canadian=True,
        ),
        portal_url=portal_url,
    )
    plan = next(one for one in await plans_for(session, PRAIRIE.channel) if one.id == _PLAN)
    lines = [
        quoted_line(request, product, plan, None, address, at)
        for request, (_, product) in zip(start.lines, _DEVICES, strict=True)
    ]
    quote = quote_of(lines, address, at)
    pay_by = PayBy(type=PaymentType.CARD, method_id=method_id)
    await save_start(session, start)
    await save_agreement(
        session,
        Agreement(
            purchase_id=start.id,
            person_id=buyer.id,
            partner_code=PRAIRIE.code,
            total=quote.final_charge,
            quote_hash=quote.quote_hash,
            pay_by=pay_by,
            agreed_at=at,
            above=LIMITS.approval_above,
        ),
    )
    session.add(_flow(start, quote, at))
    for rev, (event, before, after) in enumerate(_WAY, start=1):
        session.add(
            TransitionRow(
                flow_id=start.id,
                rev=rev,
                event=event,
                from_state=before,
                to_state=after,
                at=at,
                actor_id=buyer.id,
                actor=buyer.name,
            )
        )


_WAY = (
    ("QUOTED", "quoting", "quoted"),
    ("CONFIRM", "quoted", "charging"),
    ("APPROVAL_NEEDED", "charging", "waiting_for_approval"),
)


def _flow(start: PurchaseStart, quote: Quote, at: datetime) -> FlowRow:
    state = "waiting_for_approval"
    until = at + PurchasePolicy().approval
    view = PurchaseView(
        uuid=start.id,
        version=start.version,
        partner_code=PRAIRIE.code,
        lines=tuple(
            LineView(**line.model_dump(), status=LineStatus.QUOTED) for line in quote.lines
        ),
        **quote.model_dump(
            include={
                "base_amount",
                "currency_discount",
                "base_tax",
                "taxes",
                "final_charge",
                "currency",
                "quote_hash",
            }
        ),
        refunded=Decimal(0),
        expires_at=None,
        deadline=until,
        address=start.address,
        payment=None,
        refused_methods=(),
        error=None,
        waits_for=WaitsFor.PERSON,
        placed_by=start.buyer.name,
        acting_for=None,
        activation_id=None,
        receipt=False,
        notes_at=dict.fromkeys(("quoting", "quoted", "charging", state), at),
        approval=Approval(
            reason="Two customers want three years",
            above=LIMITS.approval_above or Decimal(0),
            until=until,
        ),
    )
    return FlowRow(
        id=start.id,
        kind=PURCHASE.name,
        version=start.version,
        workflow_id=PURCHASE.workflow_id(start),
        run_id=start.id,
        rev=len(_WAY),
        seq=1,
        state=state,
        allowed=list(PURCHASE.allowed(state, start.version)),
        view=view.model_dump(mode="json"),
        site="ca",
        dealer_id=PRAIRIE.id,
        owner_id=start.buyer.person_id,
        partner=PRAIRIE.code,
        created_at=at,
        updated_at=at,
    )


def _id_of(what: str) -> str:
    return hashlib.md5(f"demo approval {what}".encode()).hexdigest()
