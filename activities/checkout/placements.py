"""What a placement does in our own database: look again at rights, hold stock and credit, end. Run as local activities."""

from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity

from activities.identity.rights import is_linked
from activities.runs.intents import Call
from db.base import Sessions, reading
from db.checkout import placements, reservations
from db.checkout.approvals import approval_status
from db.identity.people import find_user
from db.orders.mails import queue_mail
from db.orders.orders import order_of_token
from db.runs import projections
from domain.base import Frozen
from domain.billing.payments import PaymentType
from domain.checkout.cart import NoPurchasingRights
from domain.checkout.draft import PaymentChoice
from domain.checkout.placement import (
    BusinessChanged,
    OrderSpent,
    PlacementStart,
    Problem,
    StockChanged,
)
from domain.checkout.placement_snapshot import pieces_now
from domain.errors import PortalError
from domain.identity.people import User, purchasing_rights
from domain.orders.orders import OrderStatus
from domain.runs.projection import Projection
from providers.instrumentation import request_behind


class Checking(Call):
    """Whether the buyer may still order for the business."""

    start: PlacementStart


class Reserving(Call):
    """What the run is to hold, if it is paid like this."""

    start: PlacementStart
    payment: PaymentChoice


class PlacementCheck(Frozen):
    """`refused` says why it does not go on; `over_limit` that it does with another way to pay; `needs_approval` that an
    owner must say yes first; `is_checked` that nothing but the reservation was refused."""

    refused: Problem | None = None
    is_checked: bool = False
    over_limit: bool = False
    needs_approval: bool = False


class Ending(Frozen):
    """The last word of a run. `placed`: the order is on its way. `next_token` names the cart in which the lines of a spent
    one go on. With `portal_url`, where the buyer looks at the order, its confirmation is to be mailed."""

    projection: Projection
    turn: int
    placed: bool
    next_token: str | None = None
    portal_url: str | None = None


class PlacementActivities:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @activity.defn(name="check_placement")
    async def check(self, checking: Checking) -> PlacementCheck:
        """Reads rights, retirement and the link to the business again (promise 12). Read only."""
        async with reading(self._sessions) as session:
            return await _checked(session, checking.start)

    @activity.defn(name="reserve_placement")
    async def reserve(self, reserving: Reserving) -> PlacementCheck:
        """Holds the pieces that can be sent at once, and credit for TERMS; any other way to pay gives the credit up. All or
        nothing, and once for each run."""
        async with self._sessions.begin() as session:
            return await _reserved(session, reserving)

    @activity.defn(name="check_and_reserve_placement")
    async def check_and_reserve(self, reserving: Reserving) -> PlacementCheck:
        """Both, in one transaction: nothing is held of what may not be ordered, or waits for an owner."""
        async with self._sessions.begin() as session:
            judged = await _checked(session, reserving.start)
            if judged.refused or judged.needs_approval:
                return judged
            return await _reserved(session, reserving)

    @activity.defn(name="release_placement")
    async def release(self, token: str) -> None:
        """Gives up stock and credit. Idempotent."""
        async with self._sessions.begin() as session:
            await reservations.release(session, token)

    @activity.defn(name="end_placement")
    async def end(self, ending: Ending) -> None:
        """Shows the end, and with it puts the cart away or gives it back, and has the buyer mailed. Idempotent: one
        transaction."""
        projection = ending.projection
        token = projection.id
        async with self._sessions.begin() as session:
            if ending.placed:
                await placements.close_placed(session, token, ending.turn)
                if ending.portal_url is not None:
                    await queue_mail(session, token, ending.portal_url, request_id=request_behind())
            else:
                moved = await placements.close_undone(
                    session, token, ending.turn, next_token=ending.next_token
                )
                if not moved:
                    view = {**projection.view, "next_token": None}
                    projection = projection.model_copy(update={"view": view})
            await projections.save_projection(session, projection)


async def _checked(session: AsyncSession, start: PlacementStart) -> PlacementCheck:
    buyer = await buyer_of(session, start)
    if isinstance(buyer, Problem):
        return PlacementCheck(refused=buyer)
    order = await order_of_token(session, start.token)
    if order is not None and order.status is OrderStatus.CANCELLED:
        return PlacementCheck(refused=problem_of(OrderSpent))
    if start.approval is None:
        return PlacementCheck()
    status = await approval_status(session, start.token, start.turn)
    return PlacementCheck(needs_approval=status.approved_at is None)


async def _reserved(session: AsyncSession, reserving: Reserving) -> PlacementCheck:
    start = reserving.start
    snapshot = await placements.snapshot_of(session, start.token, start.turn)
    is_on_terms, has_credit = reserving.payment.type is PaymentType.TERMS, False
    if is_on_terms:
        # Before the stock, as everywhere: two that held both in another order would wait for each other.
        has_credit = await reservations.reserve_credit(
            session, start.token, start.partner_code, start.total
        )
    short = await reservations.reserve_stock(session, start.token, pieces_now(snapshot.quote))
    if short or not is_on_terms:
        await reservations.release_credit(session, start.token)
    if short:
        return PlacementCheck(refused=problem_of(StockChanged), is_checked=True)
    return PlacementCheck(over_limit=is_on_terms and not has_credit)


async def buyer_of(session: AsyncSession, start: PlacementStart) -> User | Problem:
    """Who ordered, if they may still order for the business; else why not."""
    buyer = await find_user(session, start.owner_id)
    if buyer is None or not purchasing_rights(buyer):
        return problem_of(NoPurchasingRights)
    if not await is_linked(session, buyer, start.partner_code):
        return problem_of(BusinessChanged)
    return buyer


def problem_of(error: type[PortalError]) -> Problem:
    """How a run says it."""
    return Problem(code=error.code, detail=error.detail)
