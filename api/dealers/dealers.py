"""Dealers, their installers, and what an owner may change (devices spec 6 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import StrictBool
from sqlalchemy.ext.asyncio import AsyncSession

from api.dealers.access import DealerId, InstallerId, PersonId, SubscriberId, authorize_dealer
from api.dealers.answers import (
    DealerOut,
    DealersPage,
    InstallerOut,
    InstallersPage,
    dealer_out,
    installer_out,
)
from api.identity.mailing import send_word
from api.identity.signing_in.sessions import record_refusal
from api.platform.border.queries import counted
from api.platform.deps import Portal, PortalDep, SignedIn, Transaction, address_of
from api.platform.throttling.accounts import AccountTries
from db.base import reading
from db.dealers.dealers import (
    change_dealer,
    find_installers,
    list_dealers,
    list_installers,
    lock_dealer,
    make_owner,
    present_owners,
    set_purchaser,
    set_retired,
)
from db.identity.people import find_account_of, reader_of
from db.operations.audit import record_by
from domain.base import Body
from domain.dealers.dealers import (
    INSTALLER_LIMIT,
    NEW_OWNER,
    DealerProfile,
    Installer,
    RetiredOwner,
    check_dealer_access,
    check_leaves_an_owner,
)
from domain.errors import NotFound
from domain.identity.passwords import TypedPassword, WrongPassword
from domain.identity.people import Actor, Role
from domain.partners.partners import NoUpdates

router = APIRouter(prefix="/v1", tags=["dealers"])

Limit = Annotated[
    int, Query(ge=1, le=INSTALLER_LIMIT), counted(INSTALLER_LIMIT, most=INSTALLER_LIMIT)
]
Offset = Annotated[int, Query(ge=0, le=100_000), counted(0, least=0, most=100_000)]


class DealerChange(Body):
    """The changed fields. The profile is replaced as a whole."""

    is_public_profile: StrictBool | None = None
    dealer_profile: DealerProfile | None = None


class InstallerChange(Body):
    """The changed fields. Who owns the business is said by a call of its own."""

    is_retired: StrictBool | None = None
    is_purchaser: StrictBool | None = None


class NewOwner(Body):
    """`password` is the caller's own."""

    user_id: PersonId
    password: TypedPassword


@router.get("/dealers", operation_id="list_dealers")
async def get_dealers(
    portal: PortalDep,
    actor: SignedIn,
    subscriber_id: SubscriberId = None,
    limit: Limit = INSTALLER_LIMIT,
    offset: Offset = 0,
) -> DealersPage:
    """The dealer that the caller works for; all of them for an administrator. Of a subscriber where that person works."""
    everything = Role.ADMIN in actor.roles
    async with reading(portal.sessions) as session:
        dealers, count = await list_dealers(
            session,
            None if everything else actor.dealer_id or "",
            subscriber_id=subscriber_id,
            limit=limit,
            offset=offset,
        )
    return DealersPage(results=[dealer_out(dealer) for dealer in dealers], count=count)


@router.get("/dealers/{id}")
async def get_dealer(portal: PortalDep, actor: SignedIn, id: DealerId) -> DealerOut:
    """The caller's dealer, or any for an administrator."""
    async with reading(portal.sessions) as session:
        return dealer_out(await authorize_dealer(session, actor, id))


@router.get("/dealers/{id}/installers", operation_id="list_installers")
async def get_installers(
    portal: PortalDep,
    actor: SignedIn,
    id: DealerId,
    subscriber_id: SubscriberId = None,
    limit: Limit = INSTALLER_LIMIT,
    offset: Offset = 0,
) -> InstallersPage:
    """The dealer's people, owners first, the retired last. Of a subscriber that person alone."""
    async with reading(portal.sessions) as session:
        await authorize_dealer(session, actor, id)
        people, count = await list_installers(
            session, id, subscriber_id=subscriber_id, limit=limit, offset=offset
        )
    return InstallersPage(results=[installer_out(one) for one in people], count=count)


@router.patch("/dealer/{id}")
async def update_dealer(
    session: Transaction, actor: SignedIn, id: DealerId, body: DealerChange
) -> DealerOut:
    """Changes what the dealer locator shows. Raises NotFound, NoUpdates."""
    await authorize_dealer(session, actor, id)
    changed = body.model_dump(exclude_none=True)
    if not changed:
        raise NoUpdates
    await change_dealer(session, id, changed)
    await record_by(
        session, actor, "changed a dealer", on=("dealer", id), more={"fields": sorted(changed)}
    )
    return dealer_out(await authorize_dealer(session, actor, id))


@router.patch("/installer/{id}")
async def update_installer(
    session: Transaction, actor: SignedIn, id: InstallerId, body: InstallerChange
) -> InstallerOut:
    """Retires or brings back, gives or takes the right to buy; it acts at that person's next request. Raises NotFound,
    NoUpdates, LastOwner."""
    changed = body.model_dump(exclude_none=True)
    if not changed:
        raise NoUpdates
    await lock_dealer(session, actor.dealer_id or "")
    installer = await _colleague(session, actor, id)
    if body.is_retired:
        owners = await present_owners(session, installer.dealer_id)
        check_leaves_an_owner(installer, frozenset(owner.id for owner in owners))
    if body.is_retired is not None:
        await set_retired(session, id, is_retired=body.is_retired)
    if body.is_purchaser is not None:
        await set_purchaser(session, id, is_purchaser=body.is_purchaser)
    await record_by(session, actor, "changed an installer", on=("person", id), more=changed)
    return installer_out(await _colleague(session, actor, id))


@router.post("/dealers/{id}/owners")
async def add_owner(
    portal: PortalDep, actor: SignedIn, request: Request, id: DealerId, body: NewOwner
) -> InstallerOut:
    """Makes an installer an owner. Needs the caller's own password; every owner is told by mail. Idempotent. Raises
    NotFound, WrongPassword, TooManyChanges, RetiredOwner."""
    check_dealer_access(actor, id)
    await _check_own_password(portal, actor, request, body.password)
    async with portal.sessions.begin() as session:
        dealer = await authorize_dealer(session, actor, id)
        await lock_dealer(session, id)
        installer = await _colleague(session, actor, body.user_id)
        if installer.is_retired:
            raise RetiredOwner
        if installer.is_owner:
            return installer_out(installer)
        await make_owner(session, installer.id)
        await record_by(
            session,
            actor,
            "made an owner",
            on=("person", installer.id),
            address=address_of(request),
        )
        owners = [reader_of(one) for one in await present_owners(session, id)]
        now = await _colleague(session, actor, installer.id)
    name = f"{now.first_name} {now.last_name}"
    said = {"name": name, "dealer": dealer.name, "by": actor.person.name}
    for owner in owners:
        portal.errands.begin("tell an owner", send_word(portal, owner, NEW_OWNER, **said))
    return installer_out(now)


async def _check_own_password(
    portal: Portal, actor: Actor, request: Request, password: str
) -> None:
    """Raises WrongPassword or, after too many wrong ones, TooManyChanges."""
    person, tries = actor.person, AccountTries(portal.sessions)
    await tries.count_password_change(person.id)
    async with reading(portal.sessions) as session:
        account = await find_account_of(session, person.id)
    known = account.password_hash if account else None
    if not await portal.passwords.verify(known, password):
        code = WrongPassword.code
        await record_refusal(portal, request, "making an owner refused", person.id, code)
        raise WrongPassword
    await tries.give_back_password_change(person.id)


async def _colleague(session: AsyncSession, actor: Actor, id_: str) -> Installer:
    """The installer of the caller's dealer. Raises NotFound."""
    found = await find_installers(session, [id_], actor.dealer_id or "")
    if not found:
        raise NotFound
    return found[0]
