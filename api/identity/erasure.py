"""Forgetting a person on request, for administrators; and what is known of somebody, for them and for the person."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, StringConstraints
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.runs.flows import RequiredKey
from db.identity.erasure import erase, known_of, open_runs_of
from db.identity.people import find_user
from db.identity.security_stamp import lock_stamp
from db.identity.sign_ins import renew_stamp
from db.operations.audit import record_by
from domain.base import EXACT, Body
from domain.errors import NotFound
from domain.identity.erasure import (
    ERASED_ADDRESS,
    AlreadyErased,
    Erased,
    Known,
    NotOneself,
    NotThatPerson,
    OpenRun,
    StillAtWork,
)
from domain.identity.people import User

router = APIRouter(tags=["identity"])

SECONDS = 120
"""For what goes through everything that names somebody; whoever waits is told that it goes on (decision 71)."""


class EraseBody(Body):
    """`email` is typed again by whoever does it, `reason` who asked for it and how."""

    email: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=320), EXACT
    ]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class OpenRuns(BaseModel):
    """What has to end, or go to somebody else, before the person can be erased; at most twenty."""

    results: list[OpenRun]


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
    """Replaces name, address, number and sign-in by a token, for good; what they bought and did stays with it. Raises
    StillAtWork, NotThatPerson, NotOneself, AlreadyErased."""

    async def work() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            user = await _person(session, id, locked=True)
            if user.id == actor.person.id:
                raise NotOneself
            if user.email.endswith(f"@{ERASED_ADDRESS}"):
                raise AlreadyErased
            if user.email != body.email.lower():
                raise NotThatPerson
            if await open_runs_of(session, user):
                raise StillAtWork
            await renew_stamp(session, user.id, "erased")
            erased = await erase(session, user)
            await record_by(
                session,
                actor,
                "person erased",
                on=("person", user.id),
                more={"token": erased.token, "rows": erased.rows, "reason": body.reason},
            )
        return 200, erased

    return await answer_once(portal.sessions, actor, key, f"erase_person {id}", body, work)


@router.get("/v1/operations/account/{id}/known")
async def get_known_of_account(
    portal: PortalDep, actor: SignedIn, id: str, response: Response
) -> Known:
    """Everything that the portal holds of a person, to be handed to them. Audited."""
    async with portal.sessions.begin() as session:
        user = await _person(session, id)
        known = await known_of(session, user)
        await record_by(session, actor, "person exported", on=("person", user.id))
    response.headers["Content-Disposition"] = 'attachment; filename="known.json"'
    return known


async def _person(session: AsyncSession, id_: str, *, locked: bool = False) -> User:
    """Raises NotFound."""
    await session.execute(text(f"set local statement_timeout = '{SECONDS}s'"))
    if locked and await lock_stamp(session, id_) is None:
        raise NotFound
    user = await find_user(session, id_)
    if user is None:
        raise NotFound
    return user
