"""What has us mail or text somebody."""

from datetime import timedelta

from api.platform.deps import CountedAddress
from api.platform.throttling.tries import DAY, QUARTER, Tries
from db.base import one_statement
from db.platform.throttles import HOUR, Limit, give_back

SENDING = Limit(kind="sending", tries=5, window=QUARTER)
REGISTER_ADDRESS = Limit(kind="register-address", tries=20, window=QUARTER)
INVITING = Limit(kind="inviting", tries=40, window=QUARTER)
INQUIRY_ADDRESS = Limit(kind="inquiry-address", tries=10, window=QUARTER)
WELCOME = Limit(kind="welcome", tries=20, window=QUARTER)
VISITING = Limit(kind="visiting", tries=20, window=DAY)
REMINDER = Limit(kind="reminder", tries=1, window=timedelta(hours=4))
REMINDING = Limit(kind="reminding", tries=60, window=HOUR)


class MailTries(Tries):
    async def count_sending(self, person_id: str) -> None:
        """A mail or text message to this person, but for the codes of challenges; never given back."""
        await self._count((SENDING, person_id))

    async def count_registering(self, address: CountedAddress) -> None:
        """A mail that is asked for in the name of a new account; never given back. Raises Throttled."""
        await self._count((REGISTER_ADDRESS, address))

    async def count_inquiry(self, address: CountedAddress) -> None:
        await self._count((INQUIRY_ADDRESS, address))

    async def count_inviting(self, dealer_id: str) -> None:
        """An invitation that a business mails; never given back."""
        await self._count((INVITING, dealer_id))

    async def count_welcome(self, caller: str) -> None:
        """A mail to the owner of a device, of whose address nobody knows whose it is; never given back. `caller` is
        as of `counted_as`. Raises Throttled."""
        await self._count((WELCOME, caller))

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
