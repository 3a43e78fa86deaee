"""Whose plans a caller sees."""

from db.plans.plans import Holders
from domain.identity.people import Actor, Role, purchasing_rights


def holders_of(actor: Actor) -> Holders:
    """Whose subscriptions and receipts the caller sees: those of the business that they are of or act for."""
    return Holders(
        partner_code=actor.business_code,
        owner_id=actor.person.id,
        everybodys=Role.ADMIN in actor.roles,
    )


def receipt_holders(actor: Actor) -> Holders:
    """The receipts of the business are for those who may buy for it; anybody else sees their own alone."""
    user = actor.person
    if Role.ADMIN in actor.roles or purchasing_rights(user) or user.is_b2c:
        return holders_of(actor)
    return Holders(owner_id=user.id)
