"""Links that open something to whoever has them, made, tried and paid by."""

from api.platform.deps import CountedAddress
from api.platform.throttling.tries import DAY, EVERYBODY, QUARTER, Tries
from db.platform.throttles import HOUR, Limit

LINK_ADDRESS = Limit(kind="link-address", tries=60, window=QUARTER)
LINK_ALL = Limit(kind="link-all", tries=3000, window=QUARTER)
LINK_PAYMENT = Limit(kind="link-payment", tries=10, window=DAY)
PAY_LINKS = Limit(kind="pay-links", tries=60, window=HOUR)
HANDOUT_LINKS = Limit(kind="handout-links", tries=120, window=HOUR)


class LinkTries(Tries):
    async def count_link(self, address: CountedAddress) -> None:
        """A token of a mailed link, a pay link or a handout that was wrong. A right one is never counted, nor refused: nobody guesses 256
        bits, and strangers who try shut nobody out. Raises Throttled."""
        await self._count((LINK_ALL, EVERYBODY), (LINK_ADDRESS, address))

    async def count_link_payment(self, link_id: str) -> None:
        """A card that is tried at a pay link: nobody tries stolen numbers there. Never given back. Raises Throttled."""
        await self._count((LINK_PAYMENT, link_id))

    async def count_pay_link(self, caller: str) -> None:
        """A pay link that somebody makes; never given back. `caller` is `Actor.key`. Raises Throttled."""
        await self._count((PAY_LINKS, caller))

    async def count_handout_link(self, caller: str) -> None:
        """The link of a handout that somebody asks for; never given back. `caller` is `Actor.key`. Raises Throttled."""
        await self._count((HANDOUT_LINKS, caller))
