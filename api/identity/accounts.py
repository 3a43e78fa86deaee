"""The accounts of people as administrators see them, to lock one that may be in wrong hands (decision 38)."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, StringConstraints

from api.platform.deps import PortalDep
from db.base import reading
from db.identity.people import find_account, find_account_of
from domain.base import EXACT
from domain.errors import NotFound
from domain.identity.people import Account

router = APIRouter(prefix="/v1/operations", tags=["operations"])

Who = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=320, pattern=r"^[^\x00]*$"),
    Query(),
    EXACT,
]
"""An e-mail address, or the id of a person."""


class AccountAnswer(BaseModel):
    """`is_locked`: nobody signs in before the password is reset. `awaits_password`: registered, and never completed."""

    id: str
    name: str
    email: str
    business_code: str | None
    is_locked: bool
    is_retired: bool
    awaits_password: bool


@router.get("/account")
async def get_account(portal: PortalDep, who: Who) -> AccountAnswer:
    """One person's account, by e-mail address or id. `POST /v1/user/{id}/lock` locks it."""
    async with reading(portal.sessions) as session:
        account = await find_account(session, who) or await find_account_of(session, who)
    if account is None:
        raise NotFound
    return _answer(account)


def _answer(account: Account) -> AccountAnswer:
    user = account.user
    return AccountAnswer(
        id=user.id,
        name=user.name,
        email=user.email,
        business_code=user.partner_code,
        is_locked=account.reset_required,
        is_retired=user.is_retired,
        awaits_password=account.awaits_password,
    )
