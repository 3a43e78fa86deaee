"""What begins a run, or is told of one."""

from api.platform.throttling.tries import EVERYBODY, QUARTER, Tries
from db.base import one_statement
from db.platform.throttles import HOUR, Limit, give_back
from domain.billing.reconciliation.differences import TooManyRounds

MOCK_PURCHASE = Limit(kind="mock-purchase", tries=120, window=QUARTER)
DRIFT = Limit(kind="drift", tries=30, window=QUARTER)
RECONCILIATION = Limit(kind="reconciliation", tries=6, window=HOUR)


class RunTries(Tries):
    async def count_opening(self, person_id: str, per_hour: int) -> None:
        """A device that a person begins, or changes to. Raises Throttled."""
        await self._count((_opening(per_hour), person_id))

    async def give_back_opening(self, person_id: str, per_hour: int) -> None:
        """Going on with what is under way begins nothing."""
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (_opening(per_hour), person_id))

    async def count_mock_purchase(self, caller: str) -> None:
        """Figures of plans, which begin a run and ask the device network; never given back. Raises Throttled."""
        await self._count((MOCK_PURCHASE, caller))

    async def count_drift(self, caller: str) -> None:
        """A page that finds itself older than a run; never given back. `caller` is as of `counted_as`. Raises Throttled."""
        await self._count((DRIFT, caller))

    async def count_reconciliation(self) -> None:
        """A round of all books, whoever asks for it; never given back. Raises TooManyRounds."""
        await self._count((RECONCILIATION, EVERYBODY), refusal=TooManyRounds)


def _opening(per_hour: int) -> Limit:
    return Limit(kind="opening", tries=per_hour, window=HOUR)
