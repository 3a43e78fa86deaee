"""Reads what changed of the ERP's documents, shipments and cancellations, so that one whose webhook was lost is
here within a minute."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.billing.invoices.documents import as_locked, mirror
from db.billing.invoices.erp_places import DOCUMENTS, held
from db.orders.erp_events import record_cancelled, record_invoice, record_shipment
from domain.errors import PortalError
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.shipments import ErpShipments

log = structlog.stdlib.get_logger()

SHIPMENTS = "shipments"
CANCELLATIONS = "cancellations"
READ_EVERY = timedelta(seconds=20)


class DocumentFeed:
    """Any number of workers may read: while one does, the others pass."""

    def __init__(
        self,
        documents: ErpDocuments,
        shipments: ErpShipments,
        cancellations: ErpCancellations,
        sessions: Sessions,
        *,
        read_every: timedelta = READ_EVERY,
    ) -> None:
        self._documents = documents
        self._shipments = shipments
        self._cancellations = cancellations
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
        """Mirrors one page of each; answers whether there is more."""
        # What was sent first: an invoice is of a shipment.
        has_more_sent = await self._read_shipments()
        has_more_issued = await self._read_documents()
        return await self._read_cancellations() or has_more_issued or has_more_sent

    async def _read_shipments(self) -> bool:
        news = 0
        async with held(self._sessions, SHIPMENTS) as place:
            if place is None:
                return False
            feed = await self._shipments.changed_since(place.cursor)
            # In one order, as everybody locks orders.
            sent = sorted(feed.shipments, key=lambda one: (one.reference, one.shipment.number))
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    return False
                for one in sent:
                    async with passing_over(session, one.shipment.number):
                        news += await record_shipment(session, one)
                await place.move(session, feed.cursor)
        if news:
            log.info("shipments were heard of", news=news)
        return feed.has_more

    async def _read_documents(self) -> bool:
        news = 0
        async with held(self._sessions, DOCUMENTS) as place:
            if place is None:
                return False
            feed = await self._documents.changed_since(place.cursor)
            invoices = sorted(feed.invoices, key=lambda one: (one.order_number or "", one.number))
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    return False
                for document in as_locked((*feed.invoices, *feed.credit_memos)):
                    async with passing_over(session, document.number):
                        news += await mirror(session, document)
                # Also what is mirrored already: who mirrored it need not have told its order.
                for invoice in invoices:
                    async with passing_over(session, invoice.number):
                        await record_invoice(session, invoice)
                await place.move(session, feed.cursor)
        if news:
            log.info("documents were mirrored", news=news)
        return feed.has_more

    async def _read_cancellations(self) -> bool:
        news = 0
        async with held(self._sessions, CANCELLATIONS) as place:
            if place is None:
                return False
            feed = await self._cancellations.changed_since(place.cursor)
            orders = sorted(feed.orders, key=lambda one: one.reference)
            async with self._sessions.begin() as session:
                if not await place.is_still_held(session):
                    return False
                for one in orders:
                    async with passing_over(session, one.reference):
                        news += await record_cancelled(session, one)
                await place.move(session, feed.cursor)
        if news:
            log.info("cancellations were heard of", news=news)
        return feed.has_more


@asynccontextmanager
async def passing_over(session: AsyncSession, number: str) -> AsyncGenerator[None]:
    """What is told of one: what the database refuses of it, as a text with a NUL, is logged, and the others do not wait behind
    it."""
    try:
        async with session.begin_nested():
            yield
    except (DataError, IntegrityError) as error:
        log.error("a document cannot be kept", number=number, kind=type(error.orig).__name__)
