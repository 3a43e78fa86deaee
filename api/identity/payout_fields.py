"""What the user's record says of the payout account: to owners of the dealer, and to nobody else (decision 65)."""

from pydantic import BaseModel

from api.platform.deps import Portal
from db.base import reading
from db.dealers.payout_accounts import StoredAccount, account_of_dealer
from domain.base import Utc
from domain.dealers.payout_account import Onboarding
from domain.identity.people import Actor, Role


class StripeFields(BaseModel):
    """The payout account is not set up while all of its fields are empty. An address opens once, and not after its expiry."""

    stripe_onboarding_complete: bool = False
    stripe_onboarding_url: str | None = None
    stripe_onboarding_url_expires_at: Utc | None = None
    stripe_login_link: str | None = None


def is_shown(actor: Actor, dealer_id: str | None) -> bool:
    """To an owner of this dealer who signed in as such: nobody who acts for a business, or looks after all of them, sees what
    opens its account."""
    is_owner = Role.OWNER in actor.roles and actor.impersonated is None
    return is_owner and dealer_id is not None and actor.dealer_id == dealer_id


def purpose_of(dealer_id: str) -> str:
    """Of the seal."""
    return f"payout-account:{dealer_id}"


async def stripe_fields(portal: Portal, dealer_id: str | None) -> StripeFields:
    """As they were last made; asks nobody."""
    if dealer_id is None:
        return StripeFields()
    async with reading(portal.sessions) as session:
        stored = await account_of_dealer(session, dealer_id)
    return fields_of(portal, stored)


def fields_of(portal: Portal, stored: StoredAccount | None) -> StripeFields:
    if stored is None:
        return StripeFields()

    def opened(sealed: bytes | None) -> str | None:
        return portal.vault.open(sealed, purpose=purpose_of(stored.dealer_id)) if sealed else None

    is_complete = stored.account.onboarding is Onboarding.COMPLETE
    return StripeFields(
        stripe_onboarding_complete=is_complete,
        stripe_onboarding_url=None if is_complete else opened(stored.link),
        stripe_onboarding_url_expires_at=None if is_complete else stored.link_expires_at,
        stripe_login_link=opened(stored.login_link) if is_complete else None,
    )
