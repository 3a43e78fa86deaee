"""The bot check of register, dealer request, contact us and forgot password (shell spec 1)."""

from fastapi import APIRouter

from api.platform.deps import PortalDep
from domain.errors import Unavailable
from domain.identity.bot_check import BotChallenge

router = APIRouter(prefix="/v1/auth/bot-check", tags=["identity"])


@router.get("")
async def get_bot_check(portal: PortalDep) -> BotChallenge:
    """A puzzle for one form. None while the check is off or its verifier is away."""
    try:
        return await portal.bot_check.challenge()
    except Unavailable:
        return BotChallenge()
