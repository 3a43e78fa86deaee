"""Forgetting a person on request, for administrators; and what is known of somebody, for them and for the person."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.forgetting.common import OpenRuns, handed_out, take_long
from api.identity.mailing import send_word
from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.runs.messages import RequiredKey
from db.dealers.dealers import at_work, lock_dealer, make_owner, present_owners
from db.identity.erasure import erase, open_runs_of
from db.identity.people import find_account, find_user
from db.identity.security_stamp import lock_stamp
from db.identity.sign_ins import renew_stamp
from db.operations.audit import record_by
from db.partner_tables import name_of_dealer
from db.partners.reps import ensure_primary
from domain.base import EXACT, Body
from domain.dealers.dealers import NEW_OWNER, LastOwner, leaves_others_an_owner
from domain.errors import NotFound
from domain.identity.erasure import (
    ERASED_ADDRESS,
    AlreadyErased,
    Erased,
    Known,
    NotOneself,
    NotThatPerson,
    StillAtWork,
)
from domain.identity.people import Role, SignedOut, User, roles_of

router = APIRouter(tags=["identity"])


class EraseBody(Body):
    """`email` is typed again by whoever does it, `reason` who asked for it and how; `next_owner` is the address of the
    colleague who owns the business from then on, where the person is its last owner."""

    email: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=320), EXACT
    ]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
    next_owner: Annotated[
        str | None, StringConstraints(strip_whitespace=True, max_length=320), EXACT
    ] = None


@router.get("/v1/operations/account/{id}/open-runs")
async def list_open_runs_of_account(portal: PortalDep, id: str) -> OpenRuns:
    """Runs under way that name the person."""
    async with portal.sessions.begin() as session:
        user = await _person(session, id)
        return OpenRuns(results=list(await open_runs_of(session, user)))


@router.post("/v1/operations/account/{id}/erase", response_model=Erased)
async def erase_person(
    portal: PortalDep, actor: SignedIn, id: str, body: EraseBody, key: RequiredKey
) -> Response:
    """Replaces name, address, number and sign-in by a token, for good; what they bought and did stays with it. Whoever owns the
    business from then on is told by mail. Raises StillAtWork, NotThatPerson, NotOneself, AlreadyErased, LastOwner."""

    async def work() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            user = await _locked(session, id, by=actor.person)
            if user.id == actor.person.id:
                raise NotOneself
            if user.email.endswith(f"@{ERASED_ADDRESS}"):
                raise AlreadyErased
            if user.email != body.email.lower():
                raise NotThatPerson
            if await open_runs_of(session, user):
                raise StillAtWork
            heir = await _heir(session, user, body.next_owner)
            if heir is not None:
                await make_owner(session, heir.id)
                await record_by(session, actor, "made an owner", on=("person", heir.id))
            await renew_stamp(session, user.id, "erased")
            erased = await erase(session, user)
            for owner in (await present_owners(session, user.dealer_id or ""))[:1]:
                await ensure_primary(session, owner.id)
            await record_by(
                session,
                actor,
                "person erased",
                on=("person", user.id),
                more={"token": erased.token, "rows": erased.rows, "reason": body.reason},
            )
            business = await name_of_dealer(session, user.dealer_id or "") if heir else ""
        if heir is not None:  # nobody else is left to be told; who that was is not said
            said = {"name": heir.name, "dealer": business, "by": actor.person.name}
            portal.errands.begin("tell an owner", send_word(portal, heir, NEW_OWNER, **said))
        return 200, erased

    return await answer_once(portal.sessions, actor, key, f"erase_person {id}", body, work)


@router.post("/v1/operations/account/{id}/known", response_model=Known)
async def get_known_of_account(portal: PortalDep, actor: SignedIn, id: str) -> Response:
    """Everything that the portal holds of a person, to be handed to them. Audited."""
    async with portal.sessions.begin() as session:
        user = await _person(session, id)
        await record_by(session, actor, "person exported", on=("person", user.id))
    return handed_out(portal.sessions, user)


async def _person(session: AsyncSession, id_: str) -> User:
    """Raises NotFound."""
    await take_long(session)
    user = await find_user(session, id_)
    if user is None:
        raise NotFound
    return user


async def _locked(session: AsyncSession, id_: str, *, by: User) -> User:
    """The person, whom nobody else changes now, nor who owns their business, nor who erases them: of two administrators who
    erase each other the later one is nobody any more, so one always stays. Raises NotFound and SignedOut."""
    user = await _person(session, id_)
    if user.dealer_id is not None:
        await lock_dealer(session, user.dealer_id)
    for one in sorted({user.id, by.id}):
        await lock_stamp(session, one)
    if Role.ADMIN not in roles_of(await _person(session, by.id)):
        raise SignedOut
    return await _person(session, id_)


async def _heir(session: AsyncSession, user: User, next_owner: str | None) -> User | None:
    """The colleague who owns the business from now on, where somebody has to. Raises LastOwner where nobody who works there is
    named."""
    if user.dealer_id is None:
        return None
    owners = await present_owners(session, user.dealer_id)
    people = await at_work(session, user.dealer_id)
    if leaves_others_an_owner(user.id, [owner.id for owner in owners], people):
        return None
    account = await find_account(session, next_owner.lower()) if next_owner else None
    if account is None or account.user.id == user.id or account.user.id not in people:
        raise LastOwner
    return account.user
