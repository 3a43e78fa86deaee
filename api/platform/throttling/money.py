"""Cards, bank accounts, and where payouts go."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from api.platform.throttling.tries import DAY, Tries
from db.base import one_statement
from db.platform.throttles import HOUR, Counter, Limit, count, count_tries, give_back
from domain.errors import PortalError, Throttled, Unavailable

CARDS = Limit(kind="cards", tries=40, window=DAY)
BANK_ACCOUNTS = Limit(kind="bank-accounts", tries=10, window=DAY)
UNANSWERED = Counter(kind="unanswered", window=DAY)
"""What was counted already and is sent again under its key, as nobody answered it."""
PAYOUT_ACCOUNT = Limit(kind="payout-account", tries=30, window=HOUR)


class MoneyTries(Tries):
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

    async def count_payout_account(self, dealer_id: str) -> None:
        """A page of the card provider; never given back. Raises Throttled."""
        await self._count((PAYOUT_ACCOUNT, dealer_id))
