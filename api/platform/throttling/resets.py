"""Asking for the code that sets a new password, and trying one."""

from api.platform.deps import CountedAddress
from api.platform.throttling.tries import EVERYBODY, QUARTER, Tries
from db.base import one_statement
from db.platform.throttles import Limit, give_back

RESET_ACCOUNT = Limit(kind="reset-account", tries=10, window=QUARTER)
RESET_KNOWN = Limit(kind="reset-known", tries=10, window=QUARTER)
RESET_ADDRESS = Limit(kind="reset-address", tries=50, window=QUARTER)
RESET_ASK_SOLVED_ADDRESS = Limit(kind="reset-ask-solved-address", tries=10, window=QUARTER)
RESET_ASK_SOLVED_ACCOUNT = Limit(kind="reset-ask-solved-account", tries=20, window=QUARTER)
RESET_ALL = Limit(kind="reset-all", tries=1000, window=QUARTER)
RESET_TRY_ADDRESS = Limit(kind="reset-try-address", tries=50, window=QUARTER)
RESET_TRY_ALL = Limit(kind="reset-try-all", tries=3000, window=QUARTER)
RESET_TRY_KNOWN = Limit(kind="reset-try-known", tries=10, window=QUARTER)
RESET_SOLVED_ADDRESS = Limit(kind="reset-solved-address", tries=30, window=QUARTER)


class ResetTries(Tries):
    async def count_reset_ask(
        self, username: str, address: CountedAddress, place: str | None, *, is_solved: bool
    ) -> None:
        """Asking for a reset code: apart from sign-in and from trying a code. Whoever solved a puzzle is not counted with
        everybody. Raises Throttled."""
        if place:
            await self._count((RESET_KNOWN, f"{username} {place}"))
            return
        everybody = () if is_solved else ((RESET_ALL, EVERYBODY),)
        await self._count(*everybody, (RESET_ADDRESS, address), (RESET_ACCOUNT, username))

    async def count_solved_reset_ask(self, username: str, address: CountedAddress) -> None:
        """A stranger's asking beyond the limits, with a puzzle solved for it; never given back. Raises Throttled."""
        await self._count((RESET_ASK_SOLVED_ADDRESS, address), (RESET_ASK_SOLVED_ACCOUNT, username))

    async def count_reset_try(
        self, username: str, address: CountedAddress, place: str | None
    ) -> None:
        """Trying a reset code. For the account wrong ones count against its live code alone; a known place has tries of its
        own, that nobody else uses up. Raises Throttled."""
        await self._count(*_reset_try(username, address, place))

    async def count_solved_reset_try(self, address: CountedAddress) -> None:
        """A stranger's try beyond the limits, with a puzzle solved for it; never given back. Raises Throttled."""
        await self._count((RESET_SOLVED_ADDRESS, address))

    async def give_back_reset_try(
        self, username: str, address: CountedAddress, place: str | None
    ) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_reset_try(username, address, place))


def _reset_try(
    username: str, address: CountedAddress, place: str | None
) -> tuple[tuple[Limit, str], ...]:
    if place:
        return ((RESET_TRY_KNOWN, f"{username} {place}"),)
    return (RESET_TRY_ALL, EVERYBODY), (RESET_TRY_ADDRESS, address)
