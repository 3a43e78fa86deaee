"""The judges of fault runs know what a run may come to, and what it may not."""

import httpx

from tests.drivers.own_database import database_url, sessions
from tests.drivers.stage import SIMULATED, Stage, stage
from tests.drivers.until import until
from tests.faults.judge import Verdict
from tests.faults.judge_money import cents_of, judge_money
from tests.faults.judge_purchases import judge_purchases
from tests.plans.purchases.runs import a_line, begun
from tests.plans.purchases.stories import ALWAYS, a_stubborn_line, ended_unpaid

__all__ = ["database_url", "sessions", "stage"]


async def test_plans_that_a_returned_debit_left_unpaid_are_not_owed(
    stage: Stage, database_url: str
) -> None:
    """The plan that was set is, until it is paid again; with nobody's word for that, the purchase is short of it."""
    lines = a_line(), await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, *lines, bank="insufficient", at_once=True)
    await run.until("part_failed")
    await until(run.sums, lambda sums: "declined" in sums)
    await run.hear_of_return()
    await ended_unpaid(run)
    uuid, cents = run.start.id, cents_of(str((await run.view()).lines[0].total))
    assert await faults_of(stage, database_url, uuid, owed=cents) == []
    told = await faults_of(stage, database_url, uuid, owed=0)
    assert [one.partition(uuid)[2] for one in told] == [
        f" is confirmed: 0 cents for {cents}",
        f": 0 cents for plans of {cents}",
        f": 0 cents kept for {cents}",
    ]


async def faults_of(stage: Stage, database_url: str, uuid: str, *, owed: int) -> list[str]:
    verdict = Verdict()
    transport, left = httpx.ASGITransport(stage.app), {uuid: -owed}
    async with httpx.AsyncClient(transport=transport, base_url=SIMULATED) as outside:
        await judge_purchases(
            verdict,
            [uuid],
            outside=outside,
            database_url=database_url,
            by_hand=left,
            beyond_plans=left,
        )
        await judge_money(
            verdict,
            outside=outside,
            database_url=database_url,
            before=frozenset(),
            by_hand=left,
        )
    return verdict.faults
