"""The account at the card provider to which a dealer's rewards are paid (shell spec 3; decision 65)."""

from fastapi import APIRouter

from api.dealers.access import DealerId, authorize_dealer
from api.identity.payout_fields import StripeFields, fields_of, is_shown, purpose_of
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.throttling.money import MoneyTries
from db.base import reading
from db.dealers.payout_accounts import (
    StoredAccount,
    account_of_dealer,
    save_account,
    save_link,
    save_login_link,
)
from db.operations.audit import record_by
from db.partners.businesses import partner_summary
from db.platform.clock import database_now
from domain.dealers.dealers import Dealer
from domain.dealers.payout_account import Onboarding, OwnersOnly
from domain.identity.people import Actor
from providers.cards.connect import Connect

router = APIRouter(prefix="/v1/dealers", tags=["rewards"])


class PayoutAccountOut(StripeFields):
    """`due` counts what the provider wants to know. The addresses are told to owners alone."""

    state: Onboarding
    can_be_paid: bool
    due: int


@router.get("/{id}/payout-account")
async def get_payout_account(portal: PortalDep, actor: SignedIn, id: DealerId) -> PayoutAccountOut:
    """How far it is set up, as the provider last said. Raises NotFound."""
    async with reading(portal.sessions) as session:
        await authorize_dealer(session, actor, id)
        stored = await account_of_dealer(session, id)
    return _shown(portal, actor, id, stored)


@router.post("/{id}/payout-account")
async def open_payout_account(portal: PortalDep, actor: SignedIn, id: DealerId) -> PayoutAccountOut:
    """Asks the provider how far the account is, opens one where there is none, and brings a new page: to set it up, or to look
    into one that is complete. Raises NotFound, OwnersOnly, Throttled, Unavailable."""
    async with reading(portal.sessions) as session:
        dealer = await authorize_dealer(session, actor, id)
        stored = await account_of_dealer(session, id)
    if not is_shown(actor, id):
        raise OwnersOnly
    await MoneyTries(portal.sessions).count_payout_account(id)
    stored = await _asked(portal, actor, dealer, stored)
    connect, purpose = Connect(portal.cards), purpose_of(id)
    if stored.account.onboarding is Onboarding.COMPLETE:
        login = await connect.login_url(stored.account.id)
        async with portal.sessions.begin() as session:
            await save_login_link(session, id, portal.vault.seal(login, purpose=purpose))
    else:
        page = f"{portal.url_of(actor.site)}/my-business?payouts="
        link = await connect.link(
            stored.account.id, refresh_url=f"{page}expired", return_url=f"{page}back"
        )
        async with portal.sessions.begin() as session:
            sealed = portal.vault.seal(link.url, purpose=purpose)
            await save_link(session, id, sealed, link.expires_at)
    async with reading(portal.sessions) as session:
        return _shown(portal, actor, id, await account_of_dealer(session, id))


async def _asked(
    portal: Portal, actor: Actor, dealer: Dealer, stored: StoredAccount | None
) -> StoredAccount:
    """As the provider says now. Of two who open one at once both get the same."""
    connect = Connect(portal.cards)
    async with reading(portal.sessions) as session:
        now = await database_now(session)
    if stored is not None:
        account = await connect.account(stored.account.id)
    else:
        async with reading(portal.sessions) as session:
            code = dealer.partner_code
            business = await partner_summary(session, code) if code else None
        country = business.country if business else None
        account = await connect.create_account(dealer.id, dealer.name, country)
    async with portal.sessions.begin() as session:
        await save_account(session, dealer.id, account, now)
        if stored is None:
            await record_by(session, actor, "opened a payout account", on=("dealer", dealer.id))
    async with reading(portal.sessions) as session:
        found = await account_of_dealer(session, dealer.id)
    assert found is not None
    return found


def _shown(
    portal: Portal, actor: Actor, dealer_id: str, stored: StoredAccount | None
) -> PayoutAccountOut:
    account = stored.account if stored else None
    fields = fields_of(portal, stored) if is_shown(actor, dealer_id) else StripeFields()
    state = account.onboarding if account else Onboarding.NOT_BEGUN
    return PayoutAccountOut(
        **fields.model_dump(exclude={"stripe_onboarding_complete"}),
        stripe_onboarding_complete=state is Onboarding.COMPLETE,
        state=state,
        can_be_paid=account is not None and account.can_be_paid,
        due=len(account.due) if account else 0,
    )
