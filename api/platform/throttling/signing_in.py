"""Passwords and codes that open a sign-in."""

from api.platform.deps import CountedAddress
from api.platform.throttling.tries import EVERYBODY, QUARTER, Tries
from db.base import Executes, one_statement
from db.platform.throttles import Limit, give_back
from domain.identity.people import TooManySignIns, User

SIGN_IN_ACCOUNT = Limit(kind="sign-in-account", tries=10, window=QUARTER)
SIGN_IN_ADDRESS = Limit(kind="sign-in-address", tries=100, window=QUARTER)
SIGN_IN_ALL = Limit(kind="sign-in-all", tries=3000, window=QUARTER)
SIGN_IN_KNOWN = Limit(kind="sign-in-known", tries=10, window=QUARTER)
SOLVED_ACCOUNT = Limit(kind="sign-in-solved-account", tries=50, window=QUARTER)
SOLVED_ADDRESS = Limit(kind="sign-in-solved-address", tries=30, window=QUARTER)
CHALLENGE_CODE = Limit(kind="challenge-code", tries=10, window=QUARTER)
CHALLENGE_CODE_KNOWN = Limit(kind="challenge-code-known", tries=10, window=QUARTER)
CHALLENGE_CODE_PERSON = Limit(kind="challenge-code-person", tries=40, window=QUARTER)
CHALLENGE_SENDING = Limit(kind="challenge-sending", tries=5, window=QUARTER)
CHALLENGE_SENDING_KNOWN = Limit(kind="challenge-sending-known", tries=5, window=QUARTER)
CHALLENGE_SENDING_PERSON = Limit(kind="challenge-sending-person", tries=20, window=QUARTER)


async def lift_sign_in(session: Executes, user: User, place: str) -> None:
    """Within what sets a new password: strangers' passwords count anew, and at this place the second factor does."""
    await give_back(session, (SIGN_IN_ACCOUNT, user.email), clear=SIGN_IN_ACCOUNT)
    for limit, subject in (_challenge_code(user.id, place), _challenge_sending(user.id, place)):
        await give_back(session, (limit, subject), clear=limit)


class SignInTries(Tries):
    async def count_sign_in(
        self, username: str, address: CountedAddress, place: str | None
    ) -> None:
        """A known place (`api.identity.signing_in.sessions.known_place`) has tries of its own, that nobody else uses up. Raises
        TooManySignIns."""
        await self._count(*_sign_in(username, address, place), refusal=TooManySignIns)

    async def count_solved_sign_in(self, username: str, address: CountedAddress) -> None:
        """A stranger's try beyond the limits, with a puzzle solved for it; never given back. Raises TooManySignIns."""
        limited = ((SOLVED_ADDRESS, address), (SOLVED_ACCOUNT, username))
        await self._count(*limited, refusal=TooManySignIns)

    async def give_back_sign_in(
        self, username: str, address: CountedAddress, place: str | None
    ) -> None:
        """A right password clears the count of this place, or of all strangers."""
        clear = SIGN_IN_KNOWN if place else SIGN_IN_ACCOUNT
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_sign_in(username, address, place), clear=clear)

    async def count_challenge_code(self, person_id: str, place: str | None) -> None:
        """A code that answers a challenge: whoever has the password may try. A known place has tries of its own. All of a
        person's are bounded too, by those alone that a place's own limit let through: strangers cannot use them up. Raises
        TooManySignIns."""
        await self._count(_challenge_code(person_id, place), refusal=TooManySignIns)
        await self._count((CHALLENGE_CODE_PERSON, person_id), refusal=TooManySignIns)

    async def give_back_challenge_codes(self, person_id: str, place: str | None) -> None:
        """A right code clears the count of this place, or of all strangers."""
        own = _challenge_code(person_id, place)
        async with one_statement(self._sessions) as connection:
            await give_back(connection, own, (CHALLENGE_CODE_PERSON, person_id), clear=own[0])

    async def count_challenge_sending(self, person_id: str, place: str | None) -> None:
        """A text message with the code of a challenge, as `count_challenge_code`; never given back. Raises
        TooManySignIns."""
        await self._count(_challenge_sending(person_id, place), refusal=TooManySignIns)
        await self._count((CHALLENGE_SENDING_PERSON, person_id), refusal=TooManySignIns)


def _sign_in(
    username: str, address: CountedAddress, place: str | None
) -> tuple[tuple[Limit, str], ...]:
    """Everybody's row first: all requests take their rows in one order."""
    if place:
        return ((SIGN_IN_KNOWN, f"{username} {place}"),)
    return (SIGN_IN_ALL, EVERYBODY), (SIGN_IN_ADDRESS, address), (SIGN_IN_ACCOUNT, username)


def _challenge_code(person_id: str, place: str | None) -> tuple[Limit, str]:
    return (CHALLENGE_CODE_KNOWN, f"{person_id} {place}") if place else (CHALLENGE_CODE, person_id)


def _challenge_sending(person_id: str, place: str | None) -> tuple[Limit, str]:
    if place:
        return CHALLENGE_SENDING_KNOWN, f"{person_id} {place}"
    return CHALLENGE_SENDING, person_id
