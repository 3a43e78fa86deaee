"""A payment of invoices outlives its workers: charged once, each invoice posted once (promises 1, 2 and 5)."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from sqlalchemy import update
from temporalio.client import Client

from db.base import Sessions
from db.billing.invoice_payments import InvoicePaymentRow
from tests.billing.invoice_payments.runs import PATIENT, SECOND, Run, begun, ended, kept_only
from tests.drivers.stage import SIMULATED, Stage, a_stage
from tests.operations.reconciler.rounds import a_round
from workflows import ids

TINY = PATIENT.model_copy(update={"post": SECOND / 2, "late": timedelta(milliseconds=200)})


async def _outage(stage: Stage, *, lasts: bool) -> None:
    answer = await stage.http.post(f"{SIMULATED}/erp/_knobs", json={"outage": lasts})
    answer.raise_for_status()


async def _postings(stage: Stage, number: str) -> int:
    answer = await stage.http.get(f"{SIMULATED}/erp/_payments", params={"invoice_number": number})
    return len(answer.json()["payments"])


async def test_a_worker_that_dies_between_charge_and_posting(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> None:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        await _outage(stage, lasts=True)
        run = await begun(stage, "", "LOST", policy=TINY)
        await run.until("posting_late")
        assert await run.kept() == Decimal("196.00")
        assert await run.held() == 2
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        run.stage = stage
        await _outage(stage, lasts=False)
        await ended(run, "confirmed")
        assert await run.kept() == Decimal("196.00")
        for place, one in enumerate(run.start.plan.allocations):
            assert await _postings(stage, one.number) == 1
            assert (await run.invoice(place)).balance == 0


async def test_what_was_submitted_while_temporal_was_away_is_begun(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> None:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        start, _ = await kept_only(stage)
        async with sessions.begin() as session:
            earlier = InvoicePaymentRow.created_at - timedelta(minutes=1)
            await session.execute(
                update(InvoicePaymentRow)
                .where(InvoicePaymentRow.id == start.id)
                .values(created_at=earlier)
            )
        await a_round(stage)
        handle = temporal.get_workflow_handle(ids.invoice_payment_id(start.id))
        await ended(Run(stage, start, handle), "confirmed")
