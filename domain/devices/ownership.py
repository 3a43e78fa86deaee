"""Whose a device is, and who may therefore access it: the one rule behind every door (rulings "Later rulings"; decision 34).

A device is of the dealer that the device network names; else of whoever pays a live plan for it; else of whoever last
finished an activation that installed it; else nobody's. A service visit changes nothing.
"""

from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum

from domain.base import Frozen
from domain.devices.activation_type import ActivationType
from domain.errors import Conflict
from domain.identity.people import Actor, Role, User, roles_of

INSTALLING = frozenset(
    {ActivationType.NEW_DEVICE, ActivationType.REPLACE_DEVICE, ActivationType.VERIZON_SIM}
)
"""Activations that make a device one's own once they are completed."""
GIVEN_UP_AFTER = timedelta(days=1)
"""How long somebody who has done nothing to a device keeps it from others."""


class Party(Frozen):
    """A business with the person who worked for it; a person alone has neither dealer nor business. All None: a guest."""

    dealer_id: str | None = None
    partner_code: str | None = None
    person_id: str | None = None

    @property
    def is_guest(self) -> bool:
        return self.person_id is None and self.dealer_id is None


class Asker(Party):
    """Who is at the door. `everywhere`: administrators, who may access every device."""

    everywhere: bool = False


class LiveRun(Frozen):
    """The unfinished activation that holds the device. `given_up`: it has done nothing to the device but ask it
    something, and nobody has touched it for a day."""

    id: str
    party: Party
    given_up: bool = False


class DeviceFacts(Frozen):
    """All that says whose a device is. `network_owner` is a dealer's id; None where the network names none, or was not
    asked."""

    network_owner: str | None = None
    payer: Party | None = None
    finisher: Party | None = None
    run: LiveRun | None = None

    @property
    def are_none(self) -> bool:
        """Nobody has had to do with such a device: of what may be the number of a card instead nothing is kept or told until
        the device network knows it (decision 37)."""
        return self == DeviceFacts()

    def with_network_owner(self, dealer_id: str | None) -> "DeviceFacts":
        return self.model_copy(update={"network_owner": dealer_id})

    def apart_from_runs(self) -> "DeviceFacts":
        """For a run itself: another one on its device makes that foreign to nobody."""
        return self.model_copy(update={"run": None})


class StillPaid(Conflict):
    code = "device_still_paid"
    detail = "This device has a plan. It can be given up once the plan has ended."


class StillInWork(Conflict):
    code = "device_still_in_work"
    detail = "Something is under way on this device. It can be given up once that has ended."


class Ownership(StrEnum):
    """How somebody stands to a device. What is nobody's may be begun by whoever may activate at all."""

    OWN = "own"
    NOBODYS = "nobody's"
    FOREIGN = "foreign"


def asker_of(actor: Actor) -> Asker:
    """The caller. Who is retired speaks for no business any more; nor does an outside rep, who impersonates nobody."""
    user = actor.user
    if user is None:
        return Asker()
    if user.is_retired:
        return Asker(person_id=user.id)
    return Asker(
        dealer_id=actor.dealer_id,
        partner_code=None if user.is_outside_rep else actor.business_code,
        person_id=user.id,
        everywhere=Role.ADMIN in actor.roles,
    )


def asker_of_run(party: Party, owner: User | None) -> Asker:
    """The people of a run; `owner` is the person of the party, where the portal knows them still."""
    return Asker(
        dealer_id=party.dealer_id,
        partner_code=None if owner is not None and owner.is_outside_rep else party.partner_code,
        person_id=party.person_id,
        everywhere=owner is not None and Role.ADMIN in roles_of(owner),
    )


def whose_device(asker: Asker, facts: DeviceFacts, *, in_hand: bool = False) -> Ownership:
    """The rule. While somebody activates what is nobody's it is foreign to everybody else, until they give it up. A
    guest's activation is left to other guests, who prove possession again (decision 8), and to whoever signs in and
    proves it: `in_hand`."""
    if asker.everywhere:
        return Ownership.OWN
    owner = owner_of(facts)
    if owner is not None:
        return Ownership.OWN if is_of(asker, owner) else Ownership.FOREIGN
    if facts.run is None:
        return Ownership.NOBODYS
    if facts.run.given_up and not _works_with(asker, facts.run.party):
        return Ownership.NOBODYS
    worker = facts.run.party
    if worker.is_guest:
        return Ownership.NOBODYS if asker.is_guest or in_hand else Ownership.FOREIGN
    return Ownership.OWN if _works_with(asker, worker) else Ownership.FOREIGN


def owner_of(facts: DeviceFacts) -> Party | None:
    """Whose the device is; None for nobody's."""
    if facts.network_owner is not None:
        return Party(dealer_id=facts.network_owner)
    return facts.payer or facts.finisher


def is_of(asker: Asker, owner: Party) -> bool:
    """A business's people, and those who act for it; the person only where no business is."""
    if owner.dealer_id is not None and asker.dealer_id == owner.dealer_id:
        return True
    if owner.partner_code is not None and asker.partner_code == owner.partner_code:
        return True
    is_alone = owner.dealer_id is None and owner.partner_code is None
    return is_alone and _is_same_person(asker, owner)


def is_somebodys_own(asker: Asker, facts: DeviceFacts) -> bool:
    """Whether the device is somebody's, and the caller speaks for them: what is nobody's cannot be given up."""
    owner = owner_of(facts)
    return owner is not None and (asker.everywhere or is_of(asker, owner))


def may_give_up(roles: Collection[Role], facts: DeviceFacts) -> bool:
    """Of a device that one may access: what is a business's is given up by its owners and by administrators, what is a person's
    alone by them."""
    owner = owner_of(facts)
    is_alone = owner is None or (owner.dealer_id is None and owner.partner_code is None)
    return is_alone or Role.OWNER in roles or Role.ADMIN in roles


def refusal_to_release(facts: DeviceFacts, *, is_held: bool) -> Conflict | None:
    """Why a device stays whose it is. `is_held`: by firmware or a purchase, now."""
    if facts.payer is not None:
        return StillPaid()
    return StillInWork() if facts.run is not None or is_held else None


def is_paid_by_another(asker: Asker, facts: DeviceFacts) -> bool:
    """Whether a plan that is bought now would end one that somebody else has paid for: not even an owner may."""
    return facts.payer is not None and not asker.everywhere and not is_of(asker, facts.payer)


def _works_with(asker: Asker, worker: Party) -> bool:
    """Colleagues go on with each other's runs, and everybody with their own."""
    is_colleague = asker.dealer_id is not None and asker.dealer_id == worker.dealer_id
    return is_colleague or _is_same_person(asker, worker)


def _is_same_person(asker: Asker, party: Party) -> bool:
    return asker.person_id is not None and asker.person_id == party.person_id
