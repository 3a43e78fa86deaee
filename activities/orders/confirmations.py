"""The mail that confirms an order: of the loop of `workers/orders/mailing.py`, and of runs that send it themselves."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncSession

from activities.identity.rights import recipients_of
from db.base import Sessions, reading
from db.checkout import placements
from db.orders.orders import order_of_token
from db.partners.businesses import buyer_of_code
from domain.orders.orders import Order, OrderMissing
from domain.paper.buyer import Buyer
from domain.paper.mails import ALREADY_SENT, ORDER, order_mail
from domain.paper.orders import confirmation, packing_list
from domain.paper.seller import Seller
from providers.messages.letter import Paper
from providers.messenger import Messenger


class Confirmations:
    def __init__(self, sessions: Sessions, messenger: Messenger, seller: Seller) -> None:
        self._sessions = sessions
        self._messenger = messenger
        self._seller = seller

    async def mail(self, token: str, portal_url: str) -> None:
        """Confirms the order of this cart to whoever placed it, or to the owners of the business where they may not see it any
        more, with its papers; they look at it at `portal_url`. One mail to each for each order. Raises OrderMissing."""
        async with reading(self._sessions) as session:
            order = await known_order(session, token)
            recipients = await recipients_of(session, order.placed_by, order.partner_code)
            buyer = await buyer_of_code(session, order.partner_code)
            stands = await placements.stands(session, token)
        if not recipients:
            return
        await self._messenger.write_to_each(
            recipients,
            lambda language: (
                ORDER(language, number=order.number),
                order_mail(
                    order,
                    buyer.name,
                    portal_url,
                    ALREADY_SENT(language) if stands else None,
                    language,
                ),
            ),
            key=f"order-{order.id}",
            papers=lambda: asyncio.to_thread(_papers, order, buyer, self._seller),
        )


async def known_order(session: AsyncSession, token: str) -> Order:
    """The order of this cart. Raises OrderMissing."""
    order = await order_of_token(session, token)
    if order is None:
        raise OrderMissing
    return order


def _papers(order: Order, buyer: Buyer, seller: Seller) -> list[Paper]:
    """What the buyer's books want, and what their receiving dock wants, without prices."""
    return [
        Paper(name=f"order-{order.number}", content=confirmation(order, buyer, seller)),
        Paper(name=f"packing-list-{order.number}", content=packing_list(order, buyer, seller)),
    ]
