"""A dealer, its installers, and who may change them (devices spec 3, 5 and 6; rulings "People and rights")."""

from collections.abc import Collection
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StrictBool, StringConstraints

from domain.base import Body, Frozen, Utc
from domain.contact import CompanyName
from domain.errors import Conflict, NotFound
from domain.identity.people import Actor, Role
from domain.identity.second_factor import dialled
from domain.letters.text import Text
from domain.validation import url

INSTALLER_LIMIT = 80
"""Devices spec 9, "Installer list limit"."""

MAX_PERMISSIONS = 100
"""Entries of one permissions call; lists are capped (promise 25)."""

NAMED_TWICE = "Names somebody twice"

NEW_OWNER = Text(
    "{name} is an owner of {dealer} now, by {by}.",
    "{name} est maintenant propriétaire de {dealer}, par décision de {by}.",
)
"""What the owners of a business are told by mail, the new one among them."""


def _web_address(text: str) -> str:
    """As in the forms (shell spec 5)."""
    if fault := url(text):
        raise ValueError(fault)
    return text


WebAddress = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200),
    AfterValidator(_web_address),
]


def _phone(text: str) -> str:
    """Before a number without a country's code stands that of the United States and Canada."""
    return text and dialled(text if text.startswith("+") else f"+1{text}")


Phone = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=40), AfterValidator(_phone)
]
"""As that of a person, `+16045550100`; empty for none."""


class DealerProfile(Body):
    """What the dealer locator shows of a dealer that is public. USCA, AU and MX are the countries in which it shows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[CompanyName, Field(max_length=80)] = ""
    phone: Phone = ""
    website: WebAddress = ""
    about: Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)] = ""
    USCA: StrictBool = False
    AU: StrictBool = False
    MX: StrictBool = False


class Dealer(Frozen):
    """A dealer's account. `name` is the dealer's own, which the profile may replace in public."""

    id: str
    name: str
    partner_code: str | None
    is_public_profile: bool
    dealer_profile: DealerProfile


class Installer(Frozen):
    """A person of a dealer. `last_seen_at` is None for who never signed in; `open_activations` are those begun or taken
    over and not ended."""

    id: str
    dealer_id: str
    first_name: str
    last_name: str
    email: str
    is_owner: bool
    is_purchaser: bool
    is_retired: bool
    last_seen_at: Utc | None
    open_activations: int


class LastOwner(Conflict):
    """A dealer is never without an owner."""

    code = "last_owner"
    detail = "A business needs an owner. Make somebody else an owner first."


class RetiredOwner(Conflict):
    code = "retired_owner"
    detail = "Somebody who is retired cannot become an owner."


def may_access_dealer(actor: Actor, dealer_id: str) -> bool:
    """Those who work for the dealer may, and administrators."""
    return dealer_id == actor.dealer_id or Role.ADMIN in actor.roles


def check_dealer_access(actor: Actor, dealer_id: str) -> None:
    """Raises NotFound, as for a dealer that never was."""
    if not may_access_dealer(actor, dealer_id):
        raise NotFound


def check_leaves_an_owner(installer: Installer, present_owners: frozenset[str]) -> None:
    """Whether this person may retire. `present_owners` are the ids of the dealer's owners who are not retired. Raises
    LastOwner."""
    if installer.is_owner and present_owners <= {installer.id}:
        raise LastOwner


def leaves_others_an_owner(
    person_id: str, present_owners: Collection[str], at_work: Collection[str]
) -> bool:
    """Whether this person may go for good: where nobody else works, nobody needs an owner. `at_work` are the ids of the
    dealer's people who are not retired, `present_owners` the owners among them."""
    return set(present_owners) != {person_id} or set(at_work) == {person_id}
