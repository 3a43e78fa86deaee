"""The ERP is away for long: it is asked by one invoice at a time, so that the history of a payment of many stays small."""

from datetime import timedelta
from pathlib import Path

from temporalio.client import Client

from db.base import Sessions
from tests.billing.invoice_payments.runs import PATIENT, SECOND, Run, begun, ended
from tests.drivers.stage import SIMULATED, Stage, a_stage, leave_nothing_open
from tests.drivers.until import until
from workflows.billing.invoice_payment import AT_ONCE

BRIEF = timedelta(milliseconds=100)
HASTY = PATIENT.model_copy(update={"post": SECOND / 5, "late": BRIEF, "latest": BRIEF})
INVOICES = [""] * AT_ONCE


async def asked(run: Run) -> list[int]:
    """How many postings were asked for before each wait for the ERP, and since the last one."""
    rounds = [0]
    for event in (await run.handle.fetch_history()).events:
        scheduled = event.activity_task_scheduled_event_attributes
        if event.HasField("timer_started_event_attributes"):
            rounds.append(0)
        elif scheduled.activity_type.name == "post_invoice_payment":
            rounds[-1] += 1
    return rounds


async def outage(stage: Stage, *, lasts: bool) -> None:
    answer = await stage.http.post(f"{SIMULATED}/erp/_knobs", json={"outage": lasts})
    answer.raise_for_status()


async def test_an_erp_that_stays_away_is_asked_by_one_invoice_at_a_time(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> None:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        await outage(stage, lasts=True)
        run = await begun(stage, *INVOICES, policy=HASTY)
        before = await until(lambda: asked(run), lambda rounds: len(rounds) > 4, within=40)
        assert before[:4] == [AT_ONCE, 1, 1, 1]
        await outage(stage, lasts=False)
        await ended(run, "confirmed")
        for place, _ in enumerate(INVOICES):
            assert (await run.invoice(place)).balance == 0
    await leave_nothing_open(temporal, sessions, task_queue)
