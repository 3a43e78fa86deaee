"""Passwords and codes of somebody who is signed in."""

from api.platform.throttling.tries import QUARTER, Tries
from db.base import one_statement
from db.platform.throttles import Limit, give_back
from domain.identity.passwords import TooManyChanges

CODE = Limit(kind="code", tries=10, window=QUARTER)
PASSWORD_CHANGE = Limit(kind="password-change", tries=10, window=QUARTER)


class AccountTries(Tries):
    async def count_code(self, person_id: str) -> None:
        """A code of a second factor or of a phone, of somebody who is signed in. Raises Throttled."""
        await self._count((CODE, person_id))

    async def give_back_codes(self, person_id: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (CODE, person_id), clear=CODE)

    async def count_password_change(self, person_id: str) -> None:
        """Raises TooManyChanges."""
        await self._count((PASSWORD_CHANGE, person_id), refusal=TooManyChanges)

    async def give_back_password_change(self, person_id: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (PASSWORD_CHANGE, person_id), clear=PASSWORD_CHANGE)
