"""Mails the confirmations that wait in `db/orders/mails.py`: the end of an order's run writes one down, and waits for nobody."""

import asyncio

import structlog
from structlog.contextvars import bound_contextvars

from activities.orders.confirmations import Confirmations
from db.base import Sessions, one_statement
from db.orders import mails
from db.orders.mails import WaitingMail
from domain.errors import PortalError
from providers.errors import Unavailable
from workers.outbox import Outbox
from workflows.request_ids import REQUEST_ID

log = structlog.stdlib.get_logger()

BATCH = 10


class OrderMailing:
    """Any number of workers may mail at once: one takes mails for a while, and nothing is locked while it sends them.
    `database_url` is a plain libpq address for the listening connection."""

    def __init__(
        self, confirmations: Confirmations, sessions: Sessions, *, database_url: str
    ) -> None:
        self._confirmations = confirmations
        self._sessions = sessions
        self._outbox = Outbox(
            self.deliver, batch=BATCH, channel=mails.CHANNEL, database_url=database_url
        )

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        await self._outbox.run()

    async def deliver(self) -> int:
        """Sends one batch; answers how many it took. What cannot be sent now waits for a later look, and what is slow holds up
        none of the others: each is marked as it ends."""
        async with one_statement(self._sessions) as session:
            taken = await mails.take_mails(session, limit=BATCH)
        for ended in await asyncio.gather(*map(self._end, taken), return_exceptions=True):
            if ended is not None:
                raise ended
        return len(taken)

    async def _end(self, waiting: WaitingMail) -> None:
        is_over = await self._send(waiting)
        async with one_statement(self._sessions) as session:
            await (mails.mark_mailed if is_over else mails.put_back)(session, waiting.token)

    async def _send(self, waiting: WaitingMail) -> bool:
        """Whether nothing more is to be done about it: one that is refused counts as mailed, and is logged."""
        try:
            with bound_contextvars(
                **({REQUEST_ID: waiting.request_id} if waiting.request_id else {})
            ):
                await self._confirmations.mail(waiting.token, waiting.portal_url)
        except Unavailable as unavailable:
            log.info("a confirmation waits", cart=waiting.token, code=unavailable.code)
            return False
        except PortalError as refused:
            log.error("a confirmation was refused", cart=waiting.token, code=refused.code)
        except Exception:
            # Nobody else's mail waits behind one that cannot be written.
            log.exception("a confirmation failed", cart=waiting.token)
            return False
        return True
