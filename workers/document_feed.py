"""Reads the ERP's feed of documents, so that an invoice whose webhook was lost is here within a minute."""

import asyncio
from datetime import timedelta

import structlog
from sqlalchemy.exc import SQLAlchemyError

from db.base import Sessions
from db.billing.invoices.documents import cursor_of_feed, take_over
from domain.errors import PortalError
from providers.erp.documents import ErpDocuments

log = structlog.stdlib.get_logger()

READ_EVERY = timedelta(seconds=20)


class DocumentFeed:
    """Any number of workers may read: while one does, the others pass."""

    def __init__(
        self, documents: ErpDocuments, sessions: Sessions, *, read_every: timedelta = READ_EVERY
    ) -> None:
        self._documents = documents
        self._sessions = sessions
        self._read_every = read_every

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        while True:
            try:
                while await self.read():
                    pass
            except (SQLAlchemyError, OSError, PortalError) as error:
                log.warning("reading documents was interrupted", kind=type(error).__name__)
            await asyncio.sleep(self._read_every.total_seconds())

    async def read(self) -> bool:
        """Mirrors one page; answers whether there is more."""
        async with self._sessions.begin() as session:
            cursor = await cursor_of_feed(session)
            if cursor is None:
                return False
            feed = await self._documents.changed_since(cursor)
            news = await take_over(session, feed)
        if news:
            log.info("documents were mirrored", news=news)
        return feed.has_more
