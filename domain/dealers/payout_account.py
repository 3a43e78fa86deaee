"""A dealer's account at the card provider, to which its rewards are paid (decision 65)."""

from enum import StrEnum

from domain.base import Frozen, Utc
from domain.errors import Forbidden


class Onboarding(StrEnum):
    """`more_needed`: it was complete, and the provider asks for more."""

    NOT_BEGUN = "not_begun"
    INCOMPLETE = "incomplete"
    MORE_NEEDED = "more_needed"
    COMPLETE = "complete"


class ProviderAccount(Frozen):
    """An account as the provider tells it. `due` names what it wants to know now."""

    id: str
    details_submitted: bool
    can_be_paid: bool
    due: tuple[str, ...] = ()

    @property
    def onboarding(self) -> Onboarding:
        if not self.details_submitted:
            return Onboarding.INCOMPLETE
        return Onboarding.MORE_NEEDED if self.due or not self.can_be_paid else Onboarding.COMPLETE


class AccountLink(Frozen):
    """Where an owner gives the provider what it asks for. It opens once, and not for long."""

    url: str
    expires_at: Utc


class OwnersOnly(Forbidden):
    code = "owners_only"
    detail = "Only an owner of the business may do this."
