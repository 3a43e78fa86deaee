"""Forms that anybody may send are sent by humans (shell spec 1)."""

from typing import Annotated

import structlog
from fastapi import Depends, Header, Request

from api.platform.deps import Portal, PortalDep, address_of
from domain.errors import Unavailable
from domain.identity.bot_check import LONGEST_ANSWER, NotHuman

log = structlog.stdlib.get_logger()


async def checked_human(
    request: Request,
    portal: PortalDep,
    x_bot_check: Annotated[str, Header(max_length=LONGEST_ANSWER)] = "",
) -> bool:
    """Asked before a form that anybody may send; answers whether a puzzle was solved for it. Raises NotHuman.

    While the verifier is away nobody is turned away for it: the limits per address and account hold all the same
    (docs/decisions/0011-bot-check.md).
    """
    if not portal.bot_check.is_on:
        return False
    try:
        is_human = await portal.bot_check.verify(x_bot_check, address_of(request))
    except Unavailable:
        log.warning("bot check was left out")
        return False
    if not is_human:
        raise NotHuman
    return True


async def solved(portal: Portal, request: Request) -> bool:
    """Whether the request carries the answer to a puzzle. While the check is off or its verifier away nobody has one."""
    answer = request.headers.get("x-bot-check", "")
    if not portal.bot_check.is_on or not answer or len(answer) > LONGEST_ANSWER:
        return False
    try:
        return await portal.bot_check.verify(answer, address_of(request))
    except Unavailable:
        return False


Human = Depends(checked_human)
Solved = Annotated[bool, Human]
"""Whether a puzzle was solved for the form."""
