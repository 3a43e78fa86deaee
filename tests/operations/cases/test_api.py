"""Cases over HTTP: administrators take care of them, buyers read theirs, nobody else sees any."""

from datetime import datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import delete

from db.operations.audit_search import AuditQuery, search_audit
from db.operations.cases.opening import open_case
from db.operations.cases.starts import mark_begun
from db.operations.cases.tables import CaseRow
from domain.identity.people import User
from tests.drivers.factories import an_admin, an_owner
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole
from tests.operations.cases.factories import an_owing_start, case_in, mailed
from tests.operations.cases.stories import ONCE, id_of, opened, until
from tests.operations.reconciler.rounds import came_of


async def post(browser: httpx.AsyncClient, path: str, **body: Any) -> httpx.Response:
    return await browser.post(path, json=body, headers=a_key())


async def stuck(whole: Whole) -> str:
    """A case that waits for a person; its id."""
    handle = await opened(whole.stage, card="refundRefused", policy=ONCE)
    await until(whole.stage, handle, "needs_attention")
    return id_of(handle)


async def test_an_admin_takes_a_case_and_resolves_it(whole: Whole) -> None:
    admin: User = await an_admin(whole.sessions)
    case_id = await stuck(whole)
    at = f"/v1/operations/cases/{case_id}"
    async with whole.signed_in(admin) as caller:
        listed = (await caller.browser.get("/v1/operations/cases", params={"limit": 100})).json()
        assert case_id in [one["id"] for one in listed["results"]]
        refused = await post(caller.browser, f"{at}/assign", email="nobody@turnkey.example")
        assert refused.status_code == 422
        before = (await caller.browser.get(at)).json()
        taken = await post(caller.browser, f"{at}/assign", email=admin.email)
        assert (taken.status_code, taken.json()["owner"]) == (200, admin.name)
        assert (taken.json()["rev"], taken.json()["ended"]) == (before["rev"] + 1, False)
        assert (await post(caller.browser, f"{at}/note", note="The bank was called.")).is_success
        done = await post(caller.browser, f"{at}/resolve", note="A cheque was sent.")
        assert (done.json()["state"], done.json()["allowed"]) == ("resolved", [])
        again = await post(caller.browser, f"{at}/retry", note="Once more.")
        assert (again.status_code, again.json()["code"]) == (410, "case_ended")
        ended = (await caller.browser.get("/v1/operations/cases", params={"ended": True})).json()
        assert case_id in [one["id"] for one in ended["results"]]
        seen = (await caller.browser.get(at)).json()
        assert (seen["rev"], seen["ended"]) == (before["rev"] + 3, True)
    async with whole.sessions() as session:
        wanted = AuditQuery(object_kind="case", object_id=case_id, action="assigned a case")
        (kept,) = await search_audit(session, wanted, limit=5)
    assert kept.more == {"owner_id": admin.id}, "a name could never be erased there"
    said = [note["text"] for note in seen["done"]]
    assert said[-2:] == ["The bank was called.", "A cheque was sent."]
    case = await case_in(whole.stage, case_id, "resolved")
    await mailed(whole.stage, admin.email, f"A case is yours: {case.belongs_to.name}")


async def test_a_case_should_be_settled_within_two_days(whole: Whole) -> None:
    case_id = await stuck(whole)
    async with whole.signed_in(await an_admin(whole.sessions)) as caller:
        listed = (await caller.browser.get("/v1/operations/cases", params={"limit": 100})).json()
        seen = (await caller.browser.get(f"/v1/operations/cases/{case_id}")).json()
    (shown,) = [one for one in listed["results"] if one["id"] == case_id]
    for case in (shown, seen):
        opened_at, due_at = (datetime.fromisoformat(case[at]) for at in ("opened_at", "due_at"))
        assert due_at - opened_at == timedelta(days=2)


async def test_what_is_tried_again_is_only_taken_on(whole: Whole) -> None:
    admin: User = await an_admin(whole.sessions)
    case_id = await stuck(whole)
    async with whole.signed_in(admin) as caller:
        again = await post(
            caller.browser, f"/v1/operations/cases/{case_id}/retry", note="Once more."
        )
        assert again.is_success, again.text
    told = await came_of(whole.stage, "case", case_id)
    assert told == {"had a case tried again": "accepted"}


async def test_cases_are_for_administrators_alone(whole: Whole) -> None:
    case_id = await stuck(whole)
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        live = f"/v1/events?follow=case:{case_id}"
        for path in ("/v1/operations/cases", f"/v1/operations/cases/{case_id}", live):
            assert (await caller.browser.get(path)).status_code == 403


async def test_a_case_that_no_run_has_shown_yet_stands_before_its_first_change(
    whole: Whole,
) -> None:
    start = an_owing_start(await an_owner(whole.sessions), "10.00")
    async with whole.sessions.begin() as session:
        await open_case(session, start)
        await mark_begun(session, [start.id])
    async with whole.signed_in(await an_admin(whole.sessions)) as caller:
        seen = (await caller.browser.get(f"/v1/operations/cases/{start.id}")).json()
    async with whole.sessions.begin() as session:
        await session.execute(delete(CaseRow).where(CaseRow.id == start.id))
    assert (seen["state"], seen["rev"], seen["ended"]) == ("working", -1, False)


async def test_a_foreign_orders_cases_are_not_there(whole: Whole) -> None:
    async with whole.signed_in(await an_owner(whole.sessions)) as caller:
        for path in ("/v1/orders/somebodys/cases", "/v1/purchases/somebodys/cases"):
            assert (await caller.browser.get(path)).status_code == 404
