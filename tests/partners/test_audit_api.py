"""Searching the audit."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from api.operations.audit import Entry
from db.base import Sessions
from db.operations.audit import AuditRow, Outcome, record
from db.operations.audit_search import AuditQuery, search_audit
from domain.card_numbers import masked
from tests.drivers.database.plans import plans_of
from tests.drivers.factories import a_name, an_admin, an_inside_rep, an_owner
from tests.drivers.portal import sign_in


async def entries(browser: httpx.AsyncClient, **filters: Any) -> list[dict[str, Any]]:
    answer = await browser.get("/v1/audit", params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def test_an_outcome_that_a_later_release_writes_is_told_by_its_word() -> None:
    written = AuditRow(
        id=1, at=datetime.now(UTC), actor="a", action="paid", outcome="put off", more={}
    )
    assert Entry.model_validate(written, from_attributes=True).outcome == "put off"


async def test_each_filter_narrows(sessions: Sessions, browser: httpx.AsyncClient) -> None:
    name = a_name()
    async with sessions.begin() as session:
        await record(session, "tried", actor=name, partner_code=name, on=("thing", name))
        await record(
            session,
            "failed",
            actor=name,
            acting_for=name,
            outcome=Outcome.REFUSED,
            request_id=name,
        )
    await sign_in(browser, await an_admin(sessions))
    for filters, actions in (
        ({"actor": name}, ["failed", "tried"]),
        ({"partner_code": name}, ["tried"]),
        ({"object_kind": "thing", "object_id": name}, ["tried"]),
        ({"acting_for": name}, ["failed"]),
        ({"request_id": name}, ["failed"]),
        ({"actor": name, "outcome": "refused"}, ["failed"]),
        ({"actor": name, "action": "tried"}, ["tried"]),
        ({"actor": name, "since": "2100-01-01T00:00:00Z"}, []),
        ({"actor": name, "until": "2000-01-01T00:00:00Z"}, []),
    ):
        assert [entry["action"] for entry in await entries(browser, **filters)] == actions


async def test_the_audit_is_read_page_by_page(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    name = a_name()
    async with sessions.begin() as session:
        for number in range(5):
            await record(session, f"act {number}", actor=name)
    await sign_in(browser, await an_admin(sessions))
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        filters: dict[str, Any] = {"actor": name, "limit": 2}
        answer = await browser.get(
            "/v1/audit", params=filters | ({"cursor": cursor} if cursor else {})
        )
        seen += [entry["action"] for entry in answer.json()["results"]]
        cursor = answer.json()["end_cursor"]
    assert seen == [f"act {number}" for number in (4, 3, 2, 1, 0)]
    assert cursor is None


@pytest.mark.parametrize(
    "filters",
    [{"cursor": "nonsense"}, {"since": "yesterday"}],
)
async def test_bad_filters_are_refused(
    sessions: Sessions, browser: httpx.AsyncClient, filters: dict[str, Any]
) -> None:
    await sign_in(browser, await an_admin(sessions))
    assert (await browser.get("/v1/audit", params=filters)).status_code == 422


async def test_others_are_turned_away_and_that_is_kept(
    sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    owner = await an_owner(sessions)
    await sign_in(browser, owner)
    assert (await browser.get("/v1/audit")).status_code == 403
    await sign_in(browser, await an_admin(sessions))
    (refusal,) = await entries(browser, actor=f"user:{owner.id}", outcome="refused")
    assert (refusal["action"], refusal["object_id"]) == ("operation refused", "list_audit")


@pytest.mark.parametrize("typed", ["4242424242424242", "4242-4242-4242-4242"])
@pytest.mark.parametrize(
    ("method", "path", "names_business"),
    [
        ("GET", "/v1/user/{typed}", False),
        ("PATCH", "/v1/user/{typed}", False),
        ("GET", "/api/business-partners/{typed}", False),
        ("PUT", "/v1/auth/business", True),
    ],
)
async def test_a_card_number_in_the_place_of_an_id_is_not_kept(
    sessions: Sessions,
    browser: httpx.AsyncClient,
    method: str,
    path: str,
    names_business: bool,
    typed: str,
) -> None:
    rep = await an_inside_rep(sessions)
    await sign_in(browser, rep)
    body = {"sapBpCode": typed} if names_business else None
    answer = await browser.request(method, path.format(typed=typed), json=body)
    assert answer.status_code == 404, answer.text
    assert typed not in answer.text
    await sign_in(browser, await an_admin(sessions))
    (kept,) = await entries(browser, actor=f"user:{rep.id}", outcome="refused")
    assert kept["object_id"] == masked(typed) != typed


async def test_a_reference_is_found_by_an_index(sessions: Sessions) -> None:
    wanted = AuditQuery(request_id=a_name())
    plan = await plans_of(sessions, lambda session: search_audit(session, wanted, limit=9))
    assert "ix_audit_request" in plan
