"""The bot check of register, dealer request, contact us and forgot password (shell spec 1)."""

from typing import Annotated

import structlog
from fastapi import APIRouter, Depends, Header, Request

from api.platform.deps import Portal, PortalDep, address_of
from domain.errors import Unavailable
from domain.identity.bot_check import BotChallenge, NotHuman

router = APIRouter(prefix="/v1/auth/bot-check", tags=["identity"])
log = structlog.stdlib.get_logger()


@router.get("")
async def get_bot_check(portal: PortalDep) -> BotChallenge:
    """A puzzle for one form. None while the check is off or its verifier is away."""
    try:
        return await portal.bot_check.challenge()
    except Unavailable:
        return BotChallenge()


async def solved(portal: Portal, request: Request) -> bool:
    """Whether the request carries the answer to a puzzle. While the check is off or its verifier away nobody has one."""
    answer = request.headers.get("x-bot-check", "")
    if not portal.bot_check.is_on or not answer or len(answer) > 1000:
        return False
    try:
        return await portal.bot_check.verify(answer, address_of(request))
    except Unavailable:
        return False


async def checked_human(
    request: Request,
    portal: PortalDep,
    x_bot_check: Annotated[str, Header(max_length=1000)] = "",
) -> None:
    """Asked before a form that anybody may send. Raises NotHuman.

    While the verifier is away nobody is turned away for it: the limits per address and account hold all the same
    (docs/decisions/0011-bot-check.md).
    """
    if not portal.bot_check.is_on:
        return
    try:
        is_human = await portal.bot_check.verify(x_bot_check, address_of(request))
    except Unavailable:
        log.warning("bot check was left out")
        return
    if not is_human:
        raise NotHuman


Human = Depends(checked_human)
