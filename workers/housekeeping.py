"""What a worker does beside its runs: forgets what has done its service, and mails what people wrote to us."""

import asyncio
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions
from db.housekeeping import may_sweep, sweep_batch, swept
from db.inquiries import Inquiry, InquiryKind, mark_mailed, take_unmailed
from domain.errors import PortalError
from providers.errors import Refused
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

SWEEP_EVERY = timedelta(hours=1)
MAIL_EVERY = timedelta(seconds=5)

_SUBJECTS = {
    InquiryKind.DEALER_REQUEST: "A dealer account is asked for",
    InquiryKind.CONTACT_US: "A message from the portal",
}


class Housekeeping:
    """Any number of workers may keep house: one sweeps a table at a time, and rows that one mails are locked for the others."""

    def __init__(self, sessions: Sessions, messenger: Messenger, *, inquiries_to: str) -> None:
        self._sessions = sessions
        self._messenger = messenger
        self._inquiries_to = inquiries_to

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._sweeping())
            tasks.create_task(self._mailing())

    async def sweep(self) -> dict[str, int]:
        """Forgets what is old, batch by batch; answers how much of each table, nothing while another sweeps."""
        gone: dict[str, int] = {}
        for table in swept():
            while taken := await self._sweep_batch(table):
                gone[table] = gone.get(table, 0) + taken
        if gone:
            log.info("old rows were forgotten", **gone)
        return gone

    async def mail(self) -> int:
        """Mails what waits; answers how many went out. One that the messenger refuses counts as told: it is logged."""
        async with self._sessions.begin() as session:
            waiting = await take_unmailed(session)
            for inquiry in waiting:
                try:
                    await self._messenger.send_mail(
                        self._inquiries_to,
                        _SUBJECTS[inquiry.kind],
                        _text(inquiry),
                        key=f"inquiry-{inquiry.id}",
                    )
                except Refused as refused:
                    log.error("an inquiry was refused", id=inquiry.id, code=refused.code)
                await mark_mailed(session, inquiry.id)
        return len(waiting)

    async def _sweep_batch(self, table: str) -> int:
        async with self._sessions.begin() as session:
            return await sweep_batch(session, table) if await may_sweep(session, table) else 0

    async def _sweeping(self) -> None:
        while True:
            try:
                await self.sweep()
            except (SQLAlchemyError, OSError) as error:
                log.warning("sweeping was interrupted", kind=type(error).__name__)
            await asyncio.sleep(SWEEP_EVERY.total_seconds())

    async def _mailing(self) -> None:
        while True:
            try:
                await self.mail()
            except (SQLAlchemyError, OSError, PortalError) as error:
                log.warning("mailing inquiries was interrupted", kind=type(error).__name__)
            await asyncio.sleep(MAIL_EVERY.total_seconds())


def _text(inquiry: Inquiry) -> str:
    lines = [
        f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in inquiry.said.items()
    ]
    return "\n".join([*lines, "", f"Answer to: {inquiry.reply_to}"])
