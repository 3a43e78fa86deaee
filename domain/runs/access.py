"""Whose a run is: the one rule behind every look at a run and every command on one.

Whoever it is not of sees nothing of it: it is answered as absent.
"""

from collections.abc import Callable, Mapping

from domain.devices.ownership import asker_of, is_of
from domain.identity.people import Actor, Role, may_manage_methods, purchasing_rights
from domain.partners.partners import reads_documents
from domain.runs.projection import RunOwner

INVITING = frozenset({Role.OWNER, Role.INSIDE_REP})
"""Who may take an invitation of their business back."""


def may_access(actor: Actor, run: RunOwner, *, opens: bool = False) -> bool:
    """Whether the run is the actor's. `opens`: it is the one that a guest's capability is for."""
    if actor.capability_hash is not None:
        return opens
    return actor.user is not None and _RULES[run.kind](actor, run)


def may_read_case(actor: Actor, run: RunOwner) -> bool:
    """Whether a case is the actor's to read, as its buyer does: whose money it is, whoever reads the documents of the business,
    and administrators."""
    if actor.user is None or actor.user.is_retired:
        return False
    reads = reads_documents(actor.user) and _is_of_business(actor, run)
    return reads or _is_admin(actor) or _is_own(actor, run)


def _works(actor: Actor, run: RunOwner) -> bool:
    """Work on devices: whoever does it, their colleagues at the dealer, and administrators."""
    is_colleague = actor.dealer_id is not None and run.dealer_id == actor.dealer_id
    return _is_admin(actor) or _is_own(actor, run) or is_colleague


def _buys(actor: Actor, run: RunOwner) -> bool:
    """What somebody buys: its buyer, whoever may buy for the same business, and administrators."""
    if _is_admin(actor) or _is_own(actor, run):
        return True
    return purchasing_rights(actor.person) and _is_of_business(actor, run)


def _visits(actor: Actor, run: RunOwner) -> bool:
    """A service visit: the visitor, and the people of the business that was asked."""
    return _is_own(actor, run) or (run.asked is not None and is_of(asker_of(actor), run.asked))


def _invites(actor: Actor, run: RunOwner) -> bool:
    """An invitation: those of the dealer who may invite."""
    is_of_dealer = actor.dealer_id is not None and run.dealer_id == actor.dealer_id
    return bool(actor.roles & INVITING) and is_of_dealer


def _manages(actor: Actor, run: RunOwner) -> bool:
    """A bank account: whoever manages what the business pays with."""
    return may_manage_methods(actor) and _is_of_business(actor, run)


def _operates(actor: Actor, run: RunOwner) -> bool:
    """A case: administrators. Whoever it is about sees it on their order, purchase or payment."""
    return _is_admin(actor)


def _is_admin(actor: Actor) -> bool:
    return Role.ADMIN in actor.roles


def _is_own(actor: Actor, run: RunOwner) -> bool:
    return run.owner_id is not None and run.owner_id == actor.person.id


def _is_of_business(actor: Actor, run: RunOwner) -> bool:
    return run.partner is not None and run.partner == actor.business_code


_RULES: Mapping[str, Callable[[Actor, RunOwner], bool]] = {
    "activation": _works,
    "firmware": _works,
    "placement": _buys,
    "purchase": _buys,
    "invoice_payment": _buys,
    "visit": _visits,
    "invitation": _invites,
    "bank_verification": _manages,
    "case": _operates,
}
