"""Rounds that are asked for at once, and what they leave."""

import uuid
from datetime import timedelta
from typing import Any

from sqlalchemy import text
from temporalio.client import Client

from activities.billing.reconciliation.comparing import Comparison, Sources
from db.base import Sessions
from db.billing.reconciliation.differences import list_differences
from db.billing.reconciliation.rounds import begin_round, end_round
from domain.billing.reconciliation.bounds import ReconciliationBounds
from domain.billing.reconciliation.differences import (
    DifferenceKind,
    DifferenceState,
    KnownDifference,
    Part,
)
from domain.billing.reconciliation.facts import Look
from providers.cards.connect import Connect
from providers.cards.ledger import CardLedger
from providers.systems import Systems
from tests.drivers.stage import Stage
from workflows.billing.reconciliation import (
    Reconciled,
    ReconciliationStart,
    ReconciliationWorkflow,
)

Found = set[tuple[DifferenceKind, str]]


async def a_round(stage: Stage) -> Reconciled:
    return await stage.client.execute_workflow(
        ReconciliationWorkflow.run,
        ReconciliationStart(asked_by="test"),
        id=f"reconciliation-{uuid.uuid4().hex}",
        task_queue=stage.task_queue,
    )


async def listed(stage: Stage, state: str = "open") -> tuple[KnownDifference, ...]:
    async with stage.sessions() as session:
        return await list_differences(session, DifferenceState(state), limit=200)


async def found(stage: Stage, state: str = "open") -> Found:
    """Kind and subject of each."""
    async with stage.sessions() as session:
        rows = await session.execute(
            text("select kind, subject from reconciliation_difference where state = :state"),
            {"state": state},
        )
        return {(DifferenceKind(row.kind), row.subject) for row in rows}


async def change(stage: Stage, statement: str, **values: Any) -> None:
    """Causes a fault in our own rows."""
    async with stage.sessions.begin() as session:
        await session.execute(text(statement), values)


async def compared(temporal: Client, systems: Systems, sessions: Sessions) -> Found:
    """What a round finds, repaired or not, page by page without a run."""
    nothing, round_id = timedelta(0), uuid.uuid4().hex
    sources = Sources(
        client=temporal,
        cards=CardLedger(systems.cards),
        connect=Connect(systems.cards),
        gateway=systems.gateway,
        erp_documents=systems.erp_documents,
        erp_lists=systems.erp_lists,
        sessions=sessions,
    )
    async with sessions.begin() as session:
        begun = await begin_round(session, round_id, "test")
    assert begun is not None
    look = Look(since=begun.began_at - timedelta(days=400), until=begun.began_at)
    for part in Part:
        comparison = Comparison(sources, ReconciliationBounds(late=nothing), round_id, part, look)
        cursor, _ = await comparison.page(None)
        while cursor is not None:
            cursor, _ = await comparison.page(cursor)
    async with sessions.begin() as session:
        await end_round(session, round_id, {}, ())
        rows = await session.execute(text("select kind, subject from reconciliation_difference"))
        return {(DifferenceKind(row.kind), row.subject) for row in rows}


def moved(stage: Stage) -> list[tuple[str, int]]:
    """Every movement of money that a provider noted, but for what a bank did by itself."""
    systems = (stage.app.state.cards.paying, stage.app.state.gateway)
    return [
        (entry["operation"], entry["amount"])
        for one in systems
        for entry in one.entries(None)
        if entry["operation"] not in ("returned", "settled")
    ]
