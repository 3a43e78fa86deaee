"""What a worker does beside its runs: forgets what has done its service, mails what people wrote to us, and writes down
how outside systems answer it."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions
from db.content.inquiries import Inquiry, InquiryKind, mark_mailed, take_unmailed
from db.operations.housekeeping import may_sweep, sweep_batch, swept
from db.operations.operations import keep_third_parties
from domain.errors import PortalError
from domain.operations.operations import ThirdParty
from providers.errors import Refused
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

SWEEP_EVERY = timedelta(hours=1)
MAIL_EVERY = timedelta(seconds=5)
REPORT_EVERY = timedelta(seconds=5)

_SUBJECTS = {
    InquiryKind.DEALER_REQUEST: "A dealer account is asked for",
    InquiryKind.CONTACT_US: "A message from the portal",
}


class Housekeeping:
    """Any number of workers may keep house: one sweeps a table at a time, and rows that one mails are locked for the others."""

    def __init__(
        self,
        sessions: Sessions,
        messenger: Messenger,
        *,
        inquiries_to: str,
        seen: Callable[[], Sequence[ThirdParty]] = tuple,
    ) -> None:
        """`seen` is what this process has counted of outside systems."""
        self._sessions = sessions
        self._messenger = messenger
        self._inquiries_to = inquiries_to
        self._seen = seen

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._sweeping())
            tasks.create_task(self._mailing())
            tasks.create_task(self._reporting())

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

    async def report(self) -> None:
        """Writes down how outside systems answer this process."""
        async with self._sessions.begin() as session:
            await keep_third_parties(session, self._seen())

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

    async def _reporting(self) -> None:
        while True:
            await asyncio.sleep(REPORT_EVERY.total_seconds())
            try:
                await self.report()
            except (SQLAlchemyError, OSError) as error:
                log.warning("reporting was interrupted", kind=type(error).__name__)


def _text(inquiry: Inquiry) -> str:
    lines = [
        f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in inquiry.said.items()
    ]
    return "\n".join([*lines, "", f"Answer to: {inquiry.reply_to}"])
