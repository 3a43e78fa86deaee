"""The check that keeps robots from forms which anybody may send (shell spec 1: "a bot-check key is configured")."""

from domain.base import Frozen
from domain.errors import Forbidden


class BotChallenge(Frozen):
    """What comes before a form: a puzzle or the verifier's own widget. With neither nothing is to be solved.

    The puzzle costs a browser a moment: find a whole number so that the SHA-256 of `<challenge>.<number>` begins with
    `difficulty` zero bits; the answer is `<challenge>.<number>`. The widget is made by `script` with `site_key`, and
    the token that it hands out is the answer."""

    challenge: str | None = None
    difficulty: int = 0
    site_key: str | None = None
    script: str | None = None


LONGEST_ANSWER = 2048
"""Of a token, by the verifier's own word."""


class NotHuman(Forbidden):
    code = "bot_check_failed"
    detail = "We could not confirm that you are not a robot. Please try again."
