"""Whose plans a caller sees."""

from db.plans.plans import Holders
from domain.identity.people import Actor, Role


def holders_of(actor: Actor) -> Holders:
    """Whose subscriptions and receipts the caller sees: those of the business that they are of or act for."""
    return Holders(
        partner_code=actor.business_code,
        owner_id=actor.person.id,
        everybodys=Role.ADMIN in actor.roles,
    )
