"""The check that keeps robots from forms which anybody may send (shell spec 1: "a bot-check key is configured")."""

from domain.base import Frozen
from domain.errors import Forbidden


class BotChallenge(Frozen):
    """A puzzle that costs a browser a moment: find a whole number so that the SHA-256 of `<challenge>.<number>` begins
    with `difficulty` zero bits. The answer is `<challenge>.<number>`. Without a challenge nothing is to be solved."""

    challenge: str | None = None
    difficulty: int = 0


class NotHuman(Forbidden):
    code = "bot_check_failed"
    detail = "We could not confirm that you are not a robot. Please try again."
