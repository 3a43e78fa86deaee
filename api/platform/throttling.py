"""The limits on tries, per account, per address and in all (promise 27)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from api.platform.deps import CountedAddress
from db.base import Executes, Sessions, one_statement
from db.devices.lookups import lookups
from db.platform.throttles import HOUR, Counter, Limit, count, count_tries, give_back
from domain.billing.reconciliation.differences import TooManyRounds
from domain.errors import PortalError, Throttled, Unavailable
from domain.identity.passwords import TooManyChanges
from domain.identity.people import TooManySignIns, User

QUARTER = timedelta(minutes=15)

SIGN_IN_ACCOUNT = Limit(kind="sign-in-account", tries=10, window=QUARTER)
SIGN_IN_ADDRESS = Limit(kind="sign-in-address", tries=100, window=QUARTER)
SIGN_IN_ALL = Limit(kind="sign-in-all", tries=3000, window=QUARTER)
SIGN_IN_KNOWN = Limit(kind="sign-in-known", tries=10, window=QUARTER)
SOLVED_ACCOUNT = Limit(kind="sign-in-solved-account", tries=50, window=QUARTER)
SOLVED_ADDRESS = Limit(kind="sign-in-solved-address", tries=30, window=QUARTER)
CODE = Limit(kind="code", tries=10, window=QUARTER)
SENDING = Limit(kind="sending", tries=5, window=QUARTER)
CHALLENGE_CODE = Limit(kind="challenge-code", tries=10, window=QUARTER)
CHALLENGE_CODE_KNOWN = Limit(kind="challenge-code-known", tries=10, window=QUARTER)
CHALLENGE_CODE_PERSON = Limit(kind="challenge-code-person", tries=40, window=QUARTER)
CHALLENGE_SENDING = Limit(kind="challenge-sending", tries=5, window=QUARTER)
CHALLENGE_SENDING_KNOWN = Limit(kind="challenge-sending-known", tries=5, window=QUARTER)
CHALLENGE_SENDING_PERSON = Limit(kind="challenge-sending-person", tries=20, window=QUARTER)
PASSWORD_CHANGE = Limit(kind="password-change", tries=10, window=QUARTER)
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
REGISTER_ADDRESS = Limit(kind="register-address", tries=20, window=QUARTER)
INVITING = Limit(kind="inviting", tries=40, window=QUARTER)
INQUIRY_ADDRESS = Limit(kind="inquiry-address", tries=10, window=QUARTER)
GUEST_DEVICE = Limit(kind="guest-device", tries=10, window=QUARTER)
GUEST_ADDRESS = Limit(kind="guest-address", tries=60, window=QUARTER)
PIN_DEVICE = Limit(kind="pin-device", tries=10, window=QUARTER)
PIN_CALLER = Limit(kind="pin-caller", tries=30, window=QUARTER)
VIN_CALLER = Limit(kind="vin-caller", tries=60, window=QUARTER)
WELCOME = Limit(kind="welcome", tries=20, window=QUARTER)
MOCK_PURCHASE = Limit(kind="mock-purchase", tries=120, window=QUARTER)
CARDS = Limit(kind="cards", tries=40, window=timedelta(days=1))
BANK_ACCOUNTS = Limit(kind="bank-accounts", tries=10, window=timedelta(days=1))
UNANSWERED = Counter(kind="unanswered", window=timedelta(days=1))
"""What was counted already and is sent again under its key, as nobody answered it."""
DRIFT = Limit(kind="drift", tries=30, window=QUARTER)
VISITING = Limit(kind="visiting", tries=20, window=timedelta(days=1))
RECONCILIATION = Limit(kind="reconciliation", tries=6, window=HOUR)
PAYOUT_ACCOUNT = Limit(kind="payout-account", tries=30, window=HOUR)
REMINDER = Limit(kind="reminder", tries=1, window=timedelta(hours=4))
REMINDING = Limit(kind="reminding", tries=60, window=HOUR)
LINK_ADDRESS = Limit(kind="link-address", tries=60, window=QUARTER)
LINK_ALL = Limit(kind="link-all", tries=3000, window=QUARTER)
LINK_PAYMENT = Limit(kind="link-payment", tries=10, window=timedelta(days=1))
PAY_LINKS = Limit(kind="pay-links", tries=60, window=HOUR)
HANDOUT_LINKS = Limit(kind="handout-links", tries=120, window=HOUR)
GUEST_ALL = Limit(kind="guest-all", tries=3000, window=QUARTER)
GUEST_SOLVED_ADDRESS = Limit(kind="guest-solved-address", tries=30, window=QUARTER)

EVERYBODY = "all"


async def lift_sign_in(session: Executes, user: User, place: str) -> None:
    """Within what sets a new password: strangers' passwords count anew, and at this place the second factor does."""
    await give_back(session, (SIGN_IN_ACCOUNT, user.email), clear=SIGN_IN_ACCOUNT)
    for limit, subject in (_challenge_code(user.id, place), _challenge_sending(user.id, place)):
        await give_back(session, (limit, subject), clear=limit)


class Tries:
    """Counts each try before it is made and gives it back when it was right: only wrong ones use up a limit."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

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

    async def count_guest(self, address: CountedAddress) -> None:
        """A guest's proof of possession, whatever device it is of (`count_proof` counts that). Raises Throttled."""
        await self._count(*_guest(address))

    async def count_solved_guest(self, address: CountedAddress) -> None:
        """A guest's try beyond the limits, with a puzzle solved for it; never given back. Raises Throttled."""
        await self._count((GUEST_SOLVED_ADDRESS, address))

    async def give_back_guest(self, address: CountedAddress) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_guest(address))

    async def count_proof(self, device_key: str) -> None:
        """A proof of possession of one device, by its ICCID digits: how guests, and persons, are counted besides is theirs.
        Raises Throttled."""
        await self._count((GUEST_DEVICE, device_key))

    async def give_back_proof(self, device_key: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (GUEST_DEVICE, device_key), clear=GUEST_DEVICE)

    async def count_opening(self, person_id: str, per_hour: int) -> None:
        """A device that a person begins, or changes to. Raises Throttled."""
        await self._count((_opening(per_hour), person_id))

    async def give_back_opening(self, person_id: str, per_hour: int) -> None:
        """Going on with what is under way begins nothing."""
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (_opening(per_hour), person_id))

    async def count_lookup(self, person_id: str, wrong_per_hour: int) -> None:
        """A serial number that a person looks up; only a wrong one uses up the limit. Raises Throttled."""
        await self._count((lookups(wrong_per_hour), person_id))

    async def give_back_lookup(self, person_id: str, wrong_per_hour: int) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (lookups(wrong_per_hour), person_id))

    async def count_pin(self, device_key: str, caller: str) -> None:
        """A KeyLocker pin, set or tried; `caller` is as of `counted_as`, or a run's. Raises Throttled."""
        await self._count(*_pin(device_key, caller))

    async def give_back_pin(self, device_key: str, caller: str) -> None:
        """A pin that was taken uses up nothing."""
        async with one_statement(self._sessions) as connection:
            await give_back(connection, *_pin(device_key, caller))

    async def count_vin(self, caller: str) -> None:
        """A VIN to decode, which others do for us; never given back. `caller` is as of `counted_as`. Raises Throttled."""
        await self._count((VIN_CALLER, caller))

    async def count_welcome(self, caller: str) -> None:
        """A mail to the owner of a device, of whose address nobody knows whose it is; never given back. `caller` is
        as of `counted_as`. Raises Throttled."""
        await self._count((WELCOME, caller))

    async def count_mock_purchase(self, caller: str) -> None:
        """Figures of plans, which begin a run and ask the device network; never given back. Raises Throttled."""
        await self._count((MOCK_PURCHASE, caller))

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

    async def count_code(self, person_id: str) -> None:
        """A code of a second factor or of a phone, of somebody who is signed in. Raises Throttled."""
        await self._count((CODE, person_id))

    async def give_back_codes(self, person_id: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (CODE, person_id), clear=CODE)

    async def count_sending(self, person_id: str) -> None:
        """A mail or text message to this person, but for the codes of challenges; never given back."""
        await self._count((SENDING, person_id))

    async def count_password_change(self, person_id: str) -> None:
        """Raises TooManyChanges."""
        await self._count((PASSWORD_CHANGE, person_id), refusal=TooManyChanges)

    async def give_back_password_change(self, person_id: str) -> None:
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (PASSWORD_CHANGE, person_id), clear=PASSWORD_CHANGE)

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

    async def count_registering(self, address: CountedAddress) -> None:
        """A mail that is asked for in the name of a new account; never given back. Raises Throttled."""
        await self._count((REGISTER_ADDRESS, address))

    async def count_inquiry(self, address: CountedAddress) -> None:
        await self._count((INQUIRY_ADDRESS, address))

    async def count_inviting(self, dealer_id: str) -> None:
        """An invitation that a business mails; never given back."""
        await self._count((INVITING, dealer_id))

    @asynccontextmanager
    async def one_method(
        self, limit: Limit, partner_code: str, said: str | None
    ) -> AsyncGenerator[None]:
        """A card or a bank account of a business (`CARDS`, `BANK_ACCOUNTS`) is judged in the block, and counts before: nobody
        tries stolen numbers here. Never given back. What nobody answered counts once, however often it is sent again as
        `said`, which names the caller and their key. Raises Throttled."""
        if said is None:
            await self._count((limit, partner_code))
            yield
            return
        sent = (UNANSWERED, f"{limit.kind} {said}")
        async with self._sessions.begin() as session:
            (same,) = await count(session, [sent])
            wait = await count_tries(session, [(limit, partner_code)]) if same.tries == 1 else None
            if wait is not None:
                raise Throttled(retry_after=wait)
        try:
            yield
        except Unavailable:
            raise
        except PortalError:  # another number under this key is another try
            async with one_statement(self._sessions) as connection:
                await give_back(connection, sent, clear=UNANSWERED)
            raise

    async def count_visiting(self, person_id: str) -> None:
        """A request for a visit, which is mailed; never given back. Raises Throttled."""
        await self._count((VISITING, person_id))

    async def count_reminder(self, flow_id: str, person_id: str) -> None:
        """A mail about one run, asked for by a person. Raises Throttled."""
        await self._count((REMINDING, person_id), (REMINDER, flow_id))

    async def give_back_reminder(self, flow_id: str, person_id: str) -> None:
        """One that could not be mailed."""
        async with one_statement(self._sessions) as connection:
            await give_back(connection, (REMINDING, person_id), (REMINDER, flow_id))

    async def count_reconciliation(self) -> None:
        """A round of all books, whoever asks for it; never given back. Raises TooManyRounds."""
        await self._count((RECONCILIATION, EVERYBODY), refusal=TooManyRounds)

    async def count_payout_account(self, dealer_id: str) -> None:
        """A page of the card provider; never given back. Raises Throttled."""
        await self._count((PAYOUT_ACCOUNT, dealer_id))

    async def count_drift(self, caller: str) -> None:
        """A page that finds itself older than a run; never given back. `caller` is as of `counted_as`. Raises Throttled."""
        await self._count((DRIFT, caller))

    async def count_pay_link(self, caller: str) -> None:
        """A pay link that somebody makes; never given back. `caller` is `Actor.key`. Raises Throttled."""
        await self._count((PAY_LINKS, caller))

    async def count_handout_link(self, caller: str) -> None:
        """The link of a handout that somebody asks for; never given back. `caller` is `Actor.key`. Raises Throttled."""
        await self._count((HANDOUT_LINKS, caller))

    async def count_link(self, address: CountedAddress) -> None:
        """A token of a mailed link, a pay link or a handout that was wrong. A right one is never counted, nor refused: nobody guesses 256
        bits, and strangers who try shut nobody out. Raises Throttled."""
        await self._count((LINK_ALL, EVERYBODY), (LINK_ADDRESS, address))

    async def count_link_payment(self, link_id: str) -> None:
        """A card that is tried at a pay link: nobody tries stolen numbers there. Never given back. Raises Throttled."""
        await self._count((LINK_PAYMENT, link_id))

    async def _count(
        self, *limited: tuple[Limit, str], refusal: type[Throttled] = Throttled
    ) -> None:
        async with one_statement(self._sessions) as connection:
            wait = await count_tries(connection, limited)
        if wait is not None:
            raise refusal(retry_after=wait)


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


def _reset_try(
    username: str, address: CountedAddress, place: str | None
) -> tuple[tuple[Limit, str], ...]:
    if place:
        return ((RESET_TRY_KNOWN, f"{username} {place}"),)
    return (RESET_TRY_ALL, EVERYBODY), (RESET_TRY_ADDRESS, address)


def _guest(address: CountedAddress) -> tuple[tuple[Limit, str], ...]:
    return (GUEST_ALL, EVERYBODY), (GUEST_ADDRESS, address)


def _opening(per_hour: int) -> Limit:
    return Limit(kind="opening", tries=per_hour, window=HOUR)


def _pin(device_key: str, caller: str) -> tuple[tuple[Limit, str], ...]:
    return (PIN_CALLER, caller), (PIN_DEVICE, device_key)
