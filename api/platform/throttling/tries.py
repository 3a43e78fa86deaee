"""How tries are counted, whatever is tried."""

from datetime import timedelta

from db.base import Sessions, one_statement
from db.platform.throttles import Limit, count_tries
from domain.errors import Throttled

QUARTER = timedelta(minutes=15)
DAY = timedelta(days=1)

EVERYBODY = "all"


class Tries:
    """Counts each try before it is made and gives it back when it was right: only wrong ones use up a limit."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def _count(
        self, *limited: tuple[Limit, str], refusal: type[Throttled] = Throttled
    ) -> None:
        async with one_statement(self._sessions) as connection:
            wait = await count_tries(connection, limited)
        if wait is not None:
            raise refusal(retry_after=wait)
