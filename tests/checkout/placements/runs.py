"""Placements without an API in front: a cart, its frozen quote, and the run of it."""

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import update
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.catalogue.tables import StockRow, VariantRow
from db.checkout import placements, reservations
from db.checkout.cart import open_cart
from db.checkout.cart_lines import add_pieces
from db.checkout.draft import write_po_number
from db.checkout.quote import quoted
from db.partner_tables import load_sites
from domain.billing.payments import PaymentType, Provider
from domain.checkout.approvals import ApprovalAsked
from domain.checkout.draft import PaymentChoice
from domain.checkout.placement import PATH, How, PlacementMessage, PlacementPolicy, PlacementStart
from domain.checkout.placement_snapshot import PlacementProgress, Snapshot, pieces_now
from domain.checkout.placements import placement_v4 as transitions
from domain.identity.people import Actor, User
from domain.kinds import PLACEMENT
from domain.operations.operations import RunStatus
from tests.billing.payments.factories import a_method
from tests.catalogue.factories import Made, a_product
from tests.checkout.quote.buyers import Shop, a_shop
from tests.drivers.factories import Dealer, an_installer
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until_published
from workflows import ids
from workflows.checkout.placement import PlacementWorkflow
from workflows.client import begun_as, send_update

Handle = WorkflowHandle[Any, Any]

SECOND = timedelta(seconds=1)
PATIENT = PlacementPolicy(
    payment=120 * SECOND,
    idle=120 * SECOND,
    unclear=60 * SECOND,
    hand_over=120 * SECOND,
    capture=120 * SECOND,
    undo=120 * SECOND,
    poll=0.2 * SECOND,
    slowest=0.2 * SECOND,
)
SOON = SECOND
"""For a wait that a story sees the end of."""


@dataclass
class Run:
    stage: Stage
    shop: Shop
    product: Made
    start: PlacementStart
    handle: Handle
    owner: User | None = None
    """Who may approve it."""

    @property
    def token(self) -> str:
        return self.start.token

    async def standing(self) -> RunStatus:
        return await self.handle.query(PlacementWorkflow.standing)

    async def moving(self) -> PlacementProgress:
        return await self.handle.query(PlacementWorkflow.view)

    async def until(self, *states: str, within: float = 60.0) -> str:
        return await until_published(self.standing, *states, within=within)

    async def send_update(self, update_: Any, *, by: User | None = None, **ask: Any) -> str | None:
        """The code of the refusal, if it was refused. The buyer asks, or `by`."""
        person = by or self.shop.buyer
        message = PlacementMessage(actor_id=person.id, actor=person.name, **ask)
        try:
            await send_update(self.handle, update_, message, update_id=uuid.uuid4().hex)
        except WorkflowUpdateFailedError as error:
            return error.cause.type if isinstance(error.cause, ApplicationError) else "unexpected"
        return None

    async def choose(self, card: str | None = None, type_: str = "CARD") -> str | None:
        """Another card by the name of its behaviour, or another type."""
        choice = PaymentChoice(type=PaymentType(type_))
        if card is not None:
            method = await a_method(self.stage.sessions, card=card, partner_code=self.shop.code)
            choice = PaymentChoice(type=PaymentType.CARD, method_id=method.id)
        return await self.send_update(PlacementWorkflow.choose_payment, payment=choice, shown=type_)

    async def cancel(self, reason: str = "") -> str | None:
        return await self.send_update(PlacementWorkflow.cancel, reason=reason)

    async def approve(self, by: User | None = None) -> str | None:
        """The owner says yes, or `by`."""
        return await self.send_update(
            PlacementWorkflow.approve_order, by=by or self.owner, reason="Go ahead"
        )

    async def reject(self) -> str | None:
        return await self.send_update(PlacementWorkflow.reject, by=self.owner, reason="Too many")

    async def agree(self, quote_hash: str | None = None) -> str | None:
        """The buyer agrees to the figures that are frozen now."""
        if quote_hash is None:
            async with self.stage.sessions() as session:
                snapshot = await placements.snapshot_of(session, self.token, 1)
            quote_hash = snapshot.quote.quote_hash
        return await self.send_update(PlacementWorkflow.agree, quote_hash=quote_hash)

    async def resolve(self, how: How) -> str | None:
        return await self.send_update(
            PlacementWorkflow.resolve_by_hand, how=how, reason="Looked after."
        )

    async def prove(self, *, agreed: bool = True) -> None:
        """The payer answers their bank."""
        url = (await self.moving()).payment.action_url
        assert url is not None
        page, _, query = url.partition("?")
        secret = dict(part.split("=", 1) for part in query.split("&"))["secret"]
        said = {"secret": secret, "answer": "agree" if agreed else "refuse"}
        answer = await self.stage.http.post(page, data=said)
        assert answer.status_code < 400, answer.text

    async def kept(self, system: str = "cards") -> int:
        """Cents that were taken and not given back."""
        answer = await self.stage.http.get(
            f"{SIMULATED}/{system}/_ledger", params={"flow_id": self.token}
        )
        sums = answer.json()["sums"]
        return sums.get("captured", 0) - sums.get("refunded", 0)


async def submitted(
    stage: Stage,
    *,
    card: str | None = "visa",
    bank: str | None = None,
    bank_at: Provider = Provider.GATEWAY,
    type_: str = "CARD",
    po_number: str | None = None,
    policy: PlacementPolicy = PATIENT,
    limit: str = "5000",
    quantity: int = 2,
    lines: int = 1,
    approval: timedelta | None = None,
    held: bool = False,
) -> Run:
    """Kept, and not begun. With `approval` it waits so long for the owner of its purchaser's business; `held` as a submit
    does."""
    shop, owner = await a_shop(stage.sessions, limit=limit), None
    if approval is not None:
        owner, dealer = shop.buyer, Dealer(id=shop.buyer.dealer_id or "", partner_code=shop.code)
        buyer = await an_installer(stage.sessions, dealer, is_purchaser=True)
        shop = replace(shop, buyer=buyer)
    products = [await a_product(stage.sessions, msrp="100.00") for _ in range(lines)]
    choice = PaymentChoice(type=PaymentType(type_))
    if type_ == "CARD":
        method = await a_method(
            stage.sessions, card=card or "visa", bank=bank, bank_at=bank_at, partner_code=shop.code
        )
        choice = PaymentChoice(type=PaymentType(method.type), method_id=method.id)
    async with stage.sessions.begin() as session:
        site = next(one for one in await load_sites(session) if one.country == "CA")
        actor = Actor(request_id="test", site=site, user=shop.buyer)
        cart = await open_cart(session, shop.buyer.id, shop.code)
        await add_pieces(session, cart.token, {one.variant_id: quantity for one in products})
        await write_po_number(session, cart.token, po_number)
        quote = await quoted(session, actor, cart.token, choice, cards=True)
        assert quote.payment is not None, quote.refusals
        start = PlacementStart(
            token=cart.token,
            path=PATH,
            quote_hash=quote.quote_hash,
            partner_code=shop.code,
            partner_name=quote.partner_name,
            owner_id=shop.buyer.id,
            owner_name=shop.buyer.name,
            dealer_id=shop.buyer.dealer_id,
            site=site.code,
            total=quote.total,
            po_number=po_number,
            payment=choice,
            shown=quote.payment.shown,
            approval=asked_for(approval) if approval else None,
            policy=policy,
            portal_url="http://portal.test",
        )
        await placements.submit(
            session,
            Snapshot(
                workflow_id=ids.placement_id(cart.token),
                start=start,
                quote=quote,
                created_at=datetime.now(UTC),
            ),
        )
        if held:
            on_terms = quote.total if type_ == "TERMS" else None
            await reservations.hold(
                session, cart.token, shop.code, pieces_now(quote), on_terms=on_terms
            )
            start = start.model_copy(update={"held": True})
    handle: Handle = stage.client.get_workflow_handle(ids.placement_id(cart.token))
    return Run(stage, shop, products[0], start, handle, owner)


def asked_for(approval: timedelta) -> ApprovalAsked:
    return ApprovalAsked(
        reason="For the van", above=Decimal(100), until=datetime.now(UTC) + approval
    )


async def begun(stage: Stage, **more: Any) -> Run:
    run = await submitted(stage, **more)
    await start(run)
    return run


async def start(run: Run) -> None:
    run.handle = await run.stage.client.start_workflow(  # pyright: ignore[reportUnknownMemberType]
        PlacementWorkflow.run,
        run.start,
        id=ids.placement_id(run.token),
        task_queue=run.stage.task_queue,
        **begun_as(PLACEMENT, run.start),
    )


async def ended(run: Run, state: str) -> Handle:
    """Its end, which is this one."""
    ends = [name for name, to in transitions.PLACEMENT.items() if not to]
    assert await run.until(*ends) == state
    await run.handle.result()
    return run.handle


async def priced(run: Run, msrp: str) -> None:
    """Its price changed."""
    async with run.stage.sessions.begin() as session:
        await session.execute(
            update(VariantRow)
            .where(VariantRow.id == run.product.variant_id)
            .values(msrp=Decimal(msrp))
        )


async def sold_out(run: Run) -> None:
    """To somebody else, between the quote and the reservation."""
    async with run.stage.sessions.begin() as session:
        await session.execute(
            update(StockRow).where(StockRow.variant_id == run.product.variant_id).values(on_hand=0)
        )
