"""Whole rounds over real Temporal, PostgreSQL and the stand-ins' ledgers."""

from dataclasses import replace
from typing import Any

import pytest
from temporalio.client import Client

from api.platform.throttling.runs import RECONCILIATION, RunTries
from db.billing.reconciliation.differences import resolve_difference
from db.billing.reconciliation.rounds import begin_round, end_round, last_rounds
from db.operations.audit_search import AuditQuery, search_audit
from domain.billing.reconciliation.differences import SAFE, DifferenceEnded, DifferenceKind
from tests.billing.reconciliation.faults import FAULTS, a_plan, made
from tests.billing.reconciliation.rounds import Found, a_round, found, listed, moved
from tests.drivers.factories import a_name, an_admin
from tests.drivers.portal import a_browser, a_key, running_portal, sign_in
from tests.drivers.stage import Stage
from tests.drivers.until import until
from workers.release import schedules
from workflows.billing.reconciliation import ASKED_BY_SCHEDULE

BOOKS = "/v1/operations/reconciliation"


async def test_promise_24_a_clean_set_has_nothing_and_each_fault_is_found_once(
    stage: Stage,
) -> None:
    books = await made(stage)
    done = await a_round(stage)
    assert (done.is_done, done.failed) == (True, ())
    assert done.compared["payments"] >= 8
    assert await found(stage) | await found(stage, "repaired") == set()

    injected: Found = set()
    for fault in FAULTS:
        injected |= await fault(books)
    assert {kind for kind, _ in injected} == set(DifferenceKind)
    before = moved(stage)
    assert (await a_round(stage)).failed == ()
    safe = {one for one in injected if one[0] in SAFE}
    assert await found(stage, "repaired") == safe
    assert await found(stage) == injected - safe
    assert moved(stage) == before
    await _audited(stage, len(safe))

    # What was repaired stays so; the rest stands as it was found.
    stood = await listed(stage)
    first = {one.id: one.found_at for one in stood}
    await a_round(stage)
    assert await found(stage, "repaired") == safe
    assert {one.id: one.found_at for one in await listed(stage)} == first

    # A word settles one for good; what is put right is gone with the next round.
    async with stage.sessions.begin() as session:
        resolved = next(one.id for one in stood if one.kind is DifferenceKind.CHARGED_TWICE)
        await resolve_difference(session, resolved, by="user:anna", note="Asked the bank.")
    balance = next(one for one in injected if one[0] is DifferenceKind.BALANCE_DIFFERS)
    await books.post("/erp/_control", json={"code": balance[1], "balance": 0.0})
    await a_round(stage)
    assert await found(stage, "gone") == {balance}
    assert resolved not in {one.id for one in await listed(stage)}
    (known,) = await listed(stage, "settled")
    assert (known.id, known.settled_by, known.note) == (resolved, "user:anna", "Asked the bank.")
    with pytest.raises(DifferenceEnded):
        async with stage.sessions.begin() as session:
            await resolve_difference(session, resolved, by="user:anna", note="Again.")


async def _audited(stage: Stage, repairs: int) -> None:
    async with stage.sessions() as session:
        wanted = AuditQuery(actor="system:reconciliation")
        entries = await search_audit(session, wanted, limit=100)
    assert [one.action for one in entries] == ["difference repaired"] * repairs


async def test_an_operator_has_the_books_compared_and_settles_what_is_found(
    stage: Stage, own_database: str, temporal_address: str
) -> None:
    purchase = a_name()
    await a_plan(stage, purchase)
    async with (
        running_portal(
            own_database, temporal_address=temporal_address, task_queue=stage.task_queue
        ) as app,
        a_browser(app) as browser,
    ):
        await sign_in(browser, await an_admin(stage.sessions))
        told = (await browser.get(BOOKS)).json()
        assert (told["under_way"], told["last"], told["open"]) == (None, None, {})
        key = a_key()
        begun = await browser.post(BOOKS, headers=key)
        assert begun.status_code == 202, begun.text
        assert (await browser.post(BOOKS, headers=key)).json() == begun.json()

        async def last() -> Any:
            return (await browser.get(BOOKS)).json()["last"]

        ended = await until(last, lambda one: one is not None, within=40)
        assert (ended["id"], ended["failed"]) == (begun.json()["id"], [])
        assert (await browser.get(BOOKS)).json()["open"] == {"plan_without_payment": 1}

        (one,) = (await browser.get(f"{BOOKS}/differences")).json()["results"]
        run = {"kind": "purchase", "id": purchase, "name": purchase[:8], "run_id": purchase}
        assert (one["kind"], one["about"]) == ("plan_without_payment", [run])
        settle = f"{BOOKS}/differences/{one['id']}/settle"
        for id_, body, status in (
            (one["id"], {"note": " "}, 422),
            (f"dif_{'0' * 32}", {"note": "Looked at."}, 404),
            (one["id"], {"note": "A gift of the house."}, 200),
            (one["id"], {"note": "Once more."}, 409),
        ):
            answer = await browser.post(settle.replace(one["id"], id_), json=body, headers=a_key())
            assert answer.status_code == status, answer.text
        shown = (await browser.get(f"{BOOKS}/differences", params={"shown": "settled"})).json()
        assert [each["note"] for each in shown["results"]] == ["A gift of the house."]
        async with stage.sessions() as session:
            on = AuditQuery(object_kind="difference", object_id=one["id"])
            assert [each.action for each in await search_audit(session, on, limit=9)] == [
                "difference settled"
            ]

        async with stage.sessions.begin() as session:
            await begin_round(session, "another", "test")
        refused = await browser.post(BOOKS, headers=a_key())
        assert refused.json()["code"] == "reconciliation_under_way"
        async with stage.sessions.begin() as session:
            await end_round(session, "another", {}, ())
        for _ in range(RECONCILIATION.tries - 1):
            await RunTries(stage.sessions).count_reconciliation()
        assert (await browser.post(BOOKS, headers=a_key())).json()["code"] == "too_many_rounds"


async def test_the_schedule_is_made_once_and_begins_a_round_each_night(
    stage: Stage, temporal: Client
) -> None:
    schedule = f"reconciliation-{a_name()}"
    for _ in range(2):
        recurring = replace(schedules.RECONCILIATION, id=schedule)
        await schedules.bring(temporal, stage.task_queue, recurring)
    handle = temporal.get_schedule_handle(schedule)
    described = await handle.describe()
    first, second, *_ = described.info.next_action_times
    assert 23 <= (second - first).total_seconds() / 3600 <= 25
    await handle.trigger()

    async def ended() -> bool:
        async with stage.sessions() as session:
            _, last = await last_rounds(session)
        return last is not None and last.asked_by == ASKED_BY_SCHEDULE

    await until(ended, within=40)
    await handle.delete()
