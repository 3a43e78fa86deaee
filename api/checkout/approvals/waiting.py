"""Orders and purchases of plans that wait for an owner, as one caller may see them."""

from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.approvals import Waiting, list_waiting
from db.plans import agreements
from domain.identity.people import Actor, Role

STATES = ("waiting_for_approval", "requoted")


class WaitingOrder(Waiting):
    """An order or a purchase of plans. `mine`: the caller ordered it, and somebody else approves it."""

    mine: bool


async def waiting_for(session: AsyncSession, actor: Actor, *, limit: int) -> list[WaitingOrder]:
    """The oldest first: an owner sees all of the dealer, anybody else their own."""
    person = actor.person
    if actor.dealer_id is None or actor.is_acting:
        return []
    only = None if Role.OWNER in actor.roles else person.id
    orders = await list_waiting(session, actor.dealer_id, STATES, owner_id=only, limit=limit)
    purchases = await agreements.list_waiting(session, actor.dealer_id, owner_id=only, limit=limit)
    found = sorted((*orders, *purchases), key=lambda one: (one.asked_at, one.token))
    return [WaitingOrder(**dict(one), mine=one.requester_id == person.id) for one in found[:limit]]
