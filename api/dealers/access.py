"""Which dealer a call is about, and who may see which installer's rewards (devices spec 6; promise 35)."""

from typing import Annotated

from fastapi import Query
from pydantic import StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.schemas import Id, PathId
from db.dealers.dealers import find_dealer
from domain.base import ID_PATTERN
from domain.dealers.dealers import Dealer, check_dealer_access
from domain.errors import NotFound
from domain.identity.people import Actor

DealerId = PathId
InstallerId = PathId
PersonId = Id
SubscriberId = Annotated[
    Annotated[str, StringConstraints(strip_whitespace=True, max_length=80, pattern=ID_PATTERN)]
    | None,
    Query(),
]
"""A person by their account at the device network; whoever it is not the account of has nothing."""


async def authorize_dealer(session: AsyncSession, actor: Actor, dealer_id: str) -> Dealer:
    """The dealer, if the caller works for it or is an administrator. Raises NotFound."""
    check_dealer_access(actor, dealer_id)
    dealer = await find_dealer(session, dealer_id)
    if dealer is None:
        raise NotFound
    return dealer
