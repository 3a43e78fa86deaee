"""A round of reconciliation: begun once, compared in legs of some pages each, ended with what it did not find any more."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import structlog
from temporalio import activity
from temporalio.client import Client

from activities.billing.reconciliation.comparing import Comparison, Sources
from db.base import Sessions
from db.billing.reconciliation import differences, rounds
from domain.base import Frozen
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.billing.reconciliation.differences import Part
from domain.billing.reconciliation.facts import Look
from providers.cards.connect import Connect
from providers.cards.ledger import CardLedger
from providers.cards.payments import Cards
from providers.erp.documents import ErpDocuments
from providers.erp.lists import ErpLists
from providers.gateway import Gateway

log = structlog.stdlib.get_logger()

_BEAT = timedelta(seconds=5)


class Beginning(Frozen):
    round_id: str
    asked_by: str


class Leg(Frozen):
    """Where a part goes on; without a `cursor` at its start."""

    round_id: str
    part: Part
    look: Look
    cursor: str | None = None
    pages: int = 20


class LegDone(Frozen):
    """`cursor` is None when the part is done."""

    cursor: str | None
    compared: int


class Ending(Frozen):
    round_id: str
    compared: dict[str, int]
    failed: tuple[str, ...]


class ReconciliationActivities:
    """Each is idempotent: what is found again is the same difference, what was repaired is repaired."""

    def __init__(
        self,
        client: Client,
        cards: Cards,
        gateway: Gateway,
        erp_documents: ErpDocuments,
        erp_lists: ErpLists,
        sessions: Sessions,
        bounds: ReconciliationBounds | None = None,
    ) -> None:
        self._sessions = sessions
        self._bounds = bounds or ReconciliationBounds()
        self._sources = Sources(
            client=client,
            cards=CardLedger(cards),
            connect=Connect(cards),
            gateway=gateway,
            erp_documents=erp_documents,
            erp_lists=erp_lists,
            sessions=sessions,
        )

    @activity.defn(name="begin_reconciliation")
    async def begin(self, beginning: Beginning) -> Look | None:
        """What the round looks at; None while another one is under way."""
        async with self._sessions.begin() as session:
            begun = await rounds.begin_round(session, beginning.round_id, beginning.asked_by)
        if begun is None:
            return None
        return Look(
            since=begun.began_at - self._bounds.back, until=begun.began_at - self._bounds.grace
        )

    @activity.defn(name="compare_leg")
    async def compare(self, leg: Leg) -> LegDone:
        """Compares the next pages of a part. A try goes on where the one before it had come to."""
        cursor, compared = leg.cursor, 0
        before = activity.info().heartbeat_details
        if before:
            cursor, compared = before[0], int(before[1])
        comparison = Comparison(self._sources, self._bounds, leg.round_id, leg.part, leg.look)
        for _ in range(leg.pages):
            async with _beating(cursor, compared):
                cursor, count = await comparison.page(cursor)
            compared += count
            if cursor is None:
                break
        return LegDone(cursor=cursor, compared=compared)

    @activity.defn(name="end_reconciliation")
    async def end(self, ending: Ending) -> None:
        """What parts that were compared did not find again is gone."""
        done = [part for part in Part if part.value not in ending.failed]
        async with self._sessions.begin() as session:
            gone = await differences.clear_gone(session, ending.round_id, done)
            await rounds.end_round(session, ending.round_id, ending.compared, ending.failed)
            found = sum((await differences.count_open(session)).values())
        log.info("books were compared", open=found, gone=gone, failed=list(ending.failed))


@asynccontextmanager
async def _beating(cursor: str | None, compared: int) -> AsyncGenerator[None]:
    """Says that this page is still being worked on."""

    async def beat() -> None:
        while True:
            activity.heartbeat(cursor, compared)
            await asyncio.sleep(_BEAT.total_seconds())

    beats = asyncio.create_task(beat())
    try:
        yield
    finally:
        beats.cancel()
        with suppress(asyncio.CancelledError):
            await beats
