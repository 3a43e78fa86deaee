"""The judges of fault runs know what a run may come to, and what it may not."""

from typing import Any

import httpx

from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.stage import SIMULATED, Stage, stage
from tests.drivers.until import until
from tests.faults.judges.judge import Verdict, judge_intents
from tests.faults.judges.money import cents_of, judge_money, judge_strays
from tests.faults.judges.orders import charges_of
from tests.faults.judges.purchases import judge_purchases
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
    await run.signal_return()
    await ended_unpaid(run)
    uuid, cents = run.start.id, cents_of(str((await run.view()).lines[0].total))
    assert await faults_of(stage, database_url, uuid, owed=cents) == []
    told = await faults_of(stage, database_url, uuid, owed=0)
    assert [one.partition(uuid)[2] for one in told] == [
        f" is confirmed: 0 cents for {cents}",
        f": 0 cents for plans of {cents}",
        f": 0 cents kept for {cents}",
    ]


def test_a_mode_that_was_set_again_stands_in_the_place_of_what_nobody_knows() -> None:
    """And never the other way round."""
    lost, done = an_intent("a-12", settled=False), an_intent("a-14", settled=True)
    assert intents_at_fault([lost, done], "a-14") == []
    assert intents_at_fault([{**lost, "settled_at": "now"}, done], "a-14") == []
    assert intents_at_fault([lost, done], "a-12", "a-14") == [], "its reply was lost"
    assert intents_at_fault([done, lost], "a-14") == [
        "intent hardwired-mode a-12 was never settled"
    ]
    assert intents_at_fault([lost, an_intent("b-1", settled=True)], "b-1") == [
        "intent hardwired-mode a-12 was never settled"
    ]


def test_a_payment_that_was_given_back_whole_is_no_charge() -> None:
    def moved(subject: str, **amounts: int) -> list[dict[str, Any]]:
        return [
            {"subject": subject, "operation": operation, "amount": amount}
            for operation, amount in amounts.items()
        ]

    first = moved("pi_1", authorized=9800, captured=9800)
    assert charges_of([*first, *moved("pi_2", captured=9800)]) == [9800, 9800]
    assert charges_of([*first, *moved("pi_2", captured=9800), *moved("pi_1", refunded=9800)]) == [
        9800
    ]
    assert charges_of([*first, *moved("pi_1", refunded=300)]) == [9500]
    assert charges_of([*first, *moved("pi_1", returned=9800)]) == []


async def test_what_the_third_parties_have_of_nobody_is_found(database_url: str) -> None:
    def moved(operation: str, amount: int) -> dict[str, Any]:
        return {"flow_id": "gone", "operation": operation, "amount": amount}

    def an_order(token: str | None, status: str = "accepted") -> dict[str, Any]:
        return {"token": token, "reference": f"SO-{token}", "status": status}

    ledgers = {
        "/cards/_ledger": {"entries": [moved("authorized", 500), moved("captured", 500)]},
        "/gateway/_ledger": {"entries": [moved("captured", 700), moved("refunded", 700)]},
        "/erp/_ledger": {"orders": [an_order("a"), an_order("a"), an_order("b", "cancelled")]},
    }
    answers = httpx.MockTransport(lambda asked: httpx.Response(200, json=ledgers[asked.url.path]))
    verdict = Verdict()
    async with httpx.AsyncClient(base_url="http://outside", transport=answers) as outside:
        await judge_strays(verdict, outside=outside, database_url=database_url)
    assert verdict.faults == [
        "cards kept 500 cents for gone: no run",
        *["the ERP has SO-a: no order"] * 2,
        "the ERP has these twice: ['a']",
    ]


def an_intent(key: str, *, settled: bool) -> dict[str, Any]:
    return {
        "key": key,
        "flow_id": key[0],
        "kind": "hardwired-mode",
        "settled_at": "now" if settled else None,
        "refused_at": None,
        "outcome": None,
    }


def intents_at_fault(intents: list[dict[str, Any]], *happened: str) -> list[str]:
    verdict = Verdict()
    lines = [
        {"idempotency_key": key, "effect": True, "operation": "hardwired-mode"} for key in happened
    ]
    judge_intents(verdict, intents, lines)
    return verdict.faults


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
