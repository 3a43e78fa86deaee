"""An order's way to the ERP: stored once, handed over once, cancelled, and told to the buyer."""

import asyncio
from datetime import UTC, datetime, timedelta

from temporalio import activity

from activities.orders.confirmations import Confirmations, known_order
from activities.runs.intents import Call
from db.base import Sessions, reading
from db.checkout import placements
from db.orders.progress import mark_cancelled, mark_handed_over, store, store_new
from db.partners.businesses import tax_number_of
from domain.base import Frozen
from domain.billing.payments import PaymentType
from domain.checkout.placement import OrderRef, OrderRefused
from domain.checkout.placement_snapshot import order_of
from domain.orders.orders import Order, OrderStatus
from providers.erp import ErpOrders
from providers.erp.orders import AlreadyShipped
from providers.errors import Refused, Unavailable

AT_ONCE = timedelta(seconds=2)
"""How long the ERP is waited for where nobody can cancel meanwhile."""


class Storing(Call):
    """Which snapshot becomes an order, and how it is paid."""

    turn: int
    type: PaymentType
    shown: str


class Recorded(Frozen):
    """The order as it is stored, with the ERP's number if it took it at once; `refused` says why it did not. Without either the
    ERP has not answered yet."""

    order: OrderRef
    refused: str | None = None


class HandingOver(Frozen):
    """`key` is the idempotency key of the effect; the ERP takes each order once by our number in any case."""

    token: str
    key: str


class OrderHandOff(Frozen):
    """`order` with the ERP's number, or why the ERP refused it."""

    order: OrderRef | None = None
    refused: str | None = None


class Cancelling(Frozen):
    """`stands_if_sent`: what has left already is answered as an order that stands, and no error."""

    token: str
    reason: str
    stands_if_sent: bool = False


class OrderMail(Frozen):
    """`portal_url` is where the buyer looks at it."""

    token: str
    portal_url: str


class _Stored(Frozen):
    """`is_new`: this try has stored it. `tax_number` is the buyer's."""

    order: Order
    is_new: bool
    tax_number: str | None


class OrderActivities:
    def __init__(self, sessions: Sessions, erp: ErpOrders, confirmations: Confirmations) -> None:
        self._sessions = sessions
        self._erp = erp
        self._confirmations = confirmations

    @activity.defn(name="store_order")
    async def store(self, storing: Storing) -> OrderRef:
        """Stores the order of the cart; it takes the place of the cart, and of the credit that was held. Idempotent by the
        token."""
        return _ref((await self._stored(storing)).order)

    @activity.defn(name="record_order")
    async def record(self, storing: Storing) -> Recorded:
        """Stores the order as above, and hands it over if the ERP answers at once: one that is away or slow is the run's to
        wait for. Idempotent: of an order that an earlier try has stored the ERP is asked for our number first."""
        stored = await self._stored(storing)
        order = stored.order
        try:
            handed = await self._handed_over(
                order,
                stored.tax_number,
                is_new=stored.is_new,
                within=AT_ONCE.total_seconds(),
            )
        except (TimeoutError, Unavailable):
            return Recorded(order=_ref(order))
        return Recorded(order=handed.order or _ref(order), refused=handed.refused)

    @activity.defn(name="hand_order_over")
    async def hand_over(self, handing: HandingOver) -> OrderHandOff:
        """Hands the order to the ERP, which takes it once by its number: asked again it answers the same."""
        async with reading(self._sessions) as session:
            order = await known_order(session, handing.token)
            tax_number = await tax_number_of(session, order.partner_code)
        return await self._handed_over(order, tax_number)

    @activity.defn(name="cancel_order")
    async def cancel(self, cancelling: Cancelling) -> OrderRef | None:
        """Cancels the order at the ERP, should it have got there, and here. Idempotent. When it has been shipped, the order
        as the ERP has it, or AlreadyShipped where that is no answer."""
        async with reading(self._sessions) as session:
            order = await known_order(session, cancelling.token)
        if order.status is OrderStatus.CANCELLED:
            return None
        try:
            await self._erp.cancel_order(
                order.number,
                cancelling.reason,
                partner_code=order.partner_code,
                token=order.token,
            )
        except AlreadyShipped as shipped:
            if not cancelling.stands_if_sent:
                raise
            return await self._known_as(order, shipped.receipt.erp_number)
        async with self._sessions.begin() as session:
            await mark_cancelled(session, order.id, cancelling.reason, datetime.now(UTC))
        return None

    @activity.defn(name="mail_order")
    async def mail(self, mail: OrderMail) -> None:
        """Confirms the order to its buyer. One mail to each for each order."""
        await self._confirmations.mail(mail.token, mail.portal_url)

    async def _stored(self, storing: Storing) -> _Stored:
        async with self._sessions.begin() as session:
            snapshot = await placements.snapshot_of(session, storing.flow_id, storing.turn)
            new = order_of(snapshot, storing.type, storing.shown)
            order = await store_new(session, new)
            stored = _Stored(
                order=order or await store(session, new),
                is_new=order is not None,
                tax_number=await tax_number_of(session, new.partner_code),
            )
            await placements.close_stored(session, storing.flow_id)
        return stored

    async def _handed_over(
        self,
        order: Order,
        tax_number: str | None,
        *,
        is_new: bool = False,
        within: float | None = None,
    ) -> OrderHandOff:
        """`is_new`: nobody can have handed it over before. Raises TimeoutError when the ERP has not answered `within` so many
        seconds."""
        if order.erp_number is not None:
            return OrderHandOff(order=_ref(order))
        try:
            async with asyncio.timeout(within):
                receipt = await self._erp.hand_over(order, tax_number, is_new=is_new)
        except Refused as refusal:
            return OrderHandOff(refused=refusal.detail)
        if receipt.is_cancelled:
            return OrderHandOff(refused=OrderRefused.detail)
        return OrderHandOff(order=await self._known_as(order, receipt.erp_number))

    async def _known_as(self, order: Order, erp_number: str) -> OrderRef:
        async with self._sessions.begin() as session:
            await mark_handed_over(session, order.id, erp_number, datetime.now(UTC))
        return _ref(order, erp_number)


def _ref(order: Order, erp_number: str | None = None) -> OrderRef:
    return OrderRef(id=order.id, number=order.number, erp_number=erp_number or order.erp_number)
