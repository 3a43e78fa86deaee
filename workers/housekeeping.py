"""What a worker does beside its runs: forgets what has done its service, mails what people wrote to us, and writes down
how outside systems answer it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions, reading
from db.content.inquiries import (
    LANGUAGE,
    Inquiry,
    InquiryKind,
    mark_mailed,
    put_back,
    take_unmailed,
)
from db.identity.people import find_account
from db.operations.housekeeping import may_sweep, sweep_batch, swept
from db.operations.third_parties import save_third_parties
from domain.errors import PortalError
from domain.letters.language import Language, Reader, known
from domain.letters.text import Text
from domain.operations.operations import ThirdParty
from domain.operations.retention import Retention
from providers.errors import Refused, Unavailable
from providers.messenger import Messenger

log = structlog.stdlib.get_logger()

SWEEP_EVERY = timedelta(hours=1)
MAIL_EVERY = timedelta(seconds=5)
REPORT_EVERY = timedelta(seconds=5)

_SUBJECTS = {
    InquiryKind.DEALER_REQUEST: "A dealer account is asked for",
    InquiryKind.CONTACT_US: "A message from the portal",
}

_RECEIPT = Text("Your message to Turnkey", "Votre message à Turnkey")
_THANKS = Text(
    "We have your message, and answer by mail.",
    "Nous avons bien reçu votre message et vous répondrons par courriel.",
)
WANTS_COPY = "wants_copy"
"""Said of a message whose sender wants a copy of it."""


class Housekeeping:
    """Any number of workers may keep house: one sweeps a table at a time, and what one mails the others
    leave alone for a while."""

    def __init__(
        self,
        sessions: Sessions,
        messenger: Messenger,
        *,
        inquiries_to: str,
        desks: Mapping[str, str] = MappingProxyType({}),
        seen: Callable[[], Sequence[ThirdParty]] = tuple,
        retention: Retention | None = None,
    ) -> None:
        """`desks` are asked in the place of `inquiries_to`; `seen` is what this process has counted of outside systems."""
        self._sessions = sessions
        self._messenger = messenger
        self._inquiries_to = inquiries_to
        self._desks = desks
        self._seen = seen
        self._retention = retention or Retention()

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
        """Mails what waits, each by itself; answers how many the desks were told of. One that the messenger refuses counts
        as told: it is logged. One that cannot be handed over now waits for the next time, and the others do not wait for
        it. Raises Unavailable when nobody is there to hand anything to."""
        mailed, missed = 0, set[str]()
        while inquiry := await self._mail_next(but=missed):
            if inquiry.id not in missed:
                mailed += 1
                await self._send_copy(inquiry)
        return mailed

    async def _mail_next(self, *, but: set[str]) -> Inquiry | None:
        """Tells the desk of one of those that wait, and that it was told. One that it cannot be told of joins `but`. No row is
        locked meanwhile."""
        async with self._sessions.begin() as session:
            inquiry = await take_unmailed(session, but=but)
        if inquiry is None:
            return None
        is_over = False
        try:
            is_over = await self._notify_desk(inquiry)
        finally:
            async with self._sessions.begin() as session:
                await (mark_mailed if is_over else put_back)(session, inquiry.id)
        if not is_over:
            but.add(inquiry.id)
        return inquiry

    async def _notify_desk(self, inquiry: Inquiry) -> bool:
        """Whether it is done with: one that is refused is."""
        to = self._desks.get(inquiry.said.get("role", ""), self._inquiries_to)
        try:
            await self._messenger.send_mail(
                to, _SUBJECTS[inquiry.kind], _text(inquiry), key=f"inquiry-{inquiry.id}"
            )
        except Refused as refused:
            log.error("an inquiry was refused", id=inquiry.id, code=refused.code)
        except Unavailable as unavailable:
            if unavailable.answered is None and not unavailable.may_have_worked:
                raise
            log.warning("an inquiry was not taken", id=inquiry.id, answered=unavailable.answered)
            return False
        return True

    async def _send_copy(self, inquiry: Inquiry) -> None:
        """To whoever wrote, if they want one; tried once, as the desk has their message."""
        if WANTS_COPY not in inquiry.said:
            return
        async with reading(self._sessions) as session:
            account = await find_account(session, inquiry.reply_to)
        is_known, language = account is not None, inquiry.said.get(LANGUAGE)
        to = Reader(email=inquiry.reply_to, language=known(language))
        try:
            await self._messenger.write(
                to,
                lambda language: (_RECEIPT(language), _copy(inquiry, language, is_known=is_known)),
                key=f"inquiry-copy-{inquiry.id}",
            )
        except (Refused, Unavailable) as error:
            log.warning("a copy of an inquiry was not sent", id=inquiry.id, code=error.code)

    async def report(self) -> None:
        """Writes down how outside systems answer this process."""
        async with self._sessions.begin() as session:
            await save_third_parties(session, self._seen())

    async def _sweep_batch(self, table: str) -> int:
        async with self._sessions.begin() as session:
            if not await may_sweep(session, table):
                return 0
            return await sweep_batch(session, table, retention=self._retention)

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
        f"{name.replace('_', ' ').capitalize()}: {text}"
        for name, text in inquiry.said.items()
        if name != WANTS_COPY
    ]
    return "\n".join([*lines, "", f"Answer to: {inquiry.reply_to}"])


def _copy(inquiry: Inquiry, language: Language, *, is_known: bool) -> str:
    """What was written goes to people of the portal alone: to anybody else, somebody could have us mail anything."""
    thanks = _THANKS(language)
    return f"{thanks}\n\n{inquiry.said.get('message', '')}" if is_known else thanks
