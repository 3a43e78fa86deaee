"""Who has no account and is known by an address all the same: a car's owner, who wrote to us. What is known of them, and that it
is forgotten. What is asked stands in a body as well: an address in a URL is kept by every proxy on its way."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.forgetting.common import OpenRuns, handed_out, take_long
from api.platform.deps import PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.runs.messages import RequiredKey
from db.identity.erasure import erase, open_runs_of
from db.identity.people import find_account
from db.operations.audit import record_by
from domain.base import EXACT, Body
from domain.contact import Email
from domain.identity.erasure import Erased, HasAccount, Known, NotThatPerson, StillAtWork, stranger
from domain.identity.people import User

router = APIRouter(prefix="/v1/operations/address", tags=["identity"])

_OF = ("person", "without an account")
"""The audit cannot be changed, so it names no address."""


class AskedAddress(Body):
    email: Email


class EraseAddress(Body):
    """`email` is the address typed again by whoever does it, `reason` who asked for it and how."""

    address: Email
    email: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=320), EXACT
    ]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


@router.post("/open-runs")
async def list_open_runs_of_address(portal: PortalDep, asked: AskedAddress) -> OpenRuns:
    """Runs under way that name the address. Raises HasAccount."""
    async with portal.sessions.begin() as session:
        user = await _stranger(session, asked.email)
        return OpenRuns(results=list(await open_runs_of(session, user)))


@router.post("/erase", response_model=Erased)
async def erase_address(
    portal: PortalDep, actor: SignedIn, body: EraseAddress, key: RequiredKey
) -> Response:
    """Replaces the address by a token wherever it stands, and deletes what was written to us from it. Raises HasAccount,
    StillAtWork, NotThatPerson."""

    async def work() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            user = await _stranger(session, body.address)
            if user.email != body.email.lower():
                raise NotThatPerson
            if await open_runs_of(session, user):
                raise StillAtWork
            erased = await erase(session, user)
            await record_by(
                session,
                actor,
                "person erased",
                on=_OF,
                more={"token": erased.token, "rows": erased.rows, "reason": body.reason},
            )
        return 200, erased

    return await answer_once(portal.sessions, actor, key, "erase_address", body, work)


@router.post("/known", response_model=Known)
async def get_known_of_address(portal: PortalDep, actor: SignedIn, asked: AskedAddress) -> Response:
    """Everything that the portal holds of somebody without an account, to be handed to them. Audited. Raises HasAccount."""
    async with portal.sessions.begin() as session:
        user = await _stranger(session, asked.email)
        await record_by(session, actor, "person exported", on=_OF)
    return handed_out(portal.sessions, user)


async def _stranger(session: AsyncSession, email: str) -> User:
    """Raises HasAccount."""
    await take_long(session)
    if await find_account(session, email) is not None:
        raise HasAccount
    return stranger(email)
