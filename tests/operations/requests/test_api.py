"""What holds for every request: health, problems, limits, headers, ids."""

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from structlog.testing import capture_logs

from db.base import Sessions
from db.platform.revisions import Revision, revision_of, scripts
from tests.drivers.factories import an_installer
from tests.drivers.portal import NOWHERE, a_browser, running_portal, sign_in

CANARY = "canary-4f1c"


def is_problem(answer: httpx.Response, status: int, code: str) -> bool:
    body = answer.json()
    return (
        answer.headers["content-type"] == "application/problem+json"
        and answer.status_code == body["status"] == status
        and body["code"] == code
        and bool(body["detail"])
        and body["instance"] == answer.headers["x-request-id"]
    )


async def test_alive_is_not_ready(browser: httpx.AsyncClient) -> None:
    """Temporal is down here; the rest is there, and each is named."""
    assert (await browser.get("/healthz")).json() == {"alive": True}
    answer = await browser.get("/readyz")
    assert answer.status_code == 503
    states = {name: check["state"] for name, check in answer.json().items() if name != "ready"}
    assert states == {"database": "ok", "migrations": "ok", "temporal": "down", "worker": "down"}


async def test_ready_names_a_missing_worker(
    database_url: str, temporal_address: str, task_queue: str
) -> None:
    async with (
        running_portal(
            database_url, temporal_address=temporal_address, task_queue=task_queue
        ) as app,
        a_browser(app) as browser,
    ):
        answer = (await browser.get("/readyz")).json()
    assert answer["temporal"]["state"] == "ok"
    assert answer["worker"] == {"state": "down", "detail": "no worker polls"}
    assert answer["ready"] is False


async def test_without_a_database_every_call_is_a_503_and_the_process_lives() -> None:
    nowhere = f"postgresql://nobody@{NOWHERE}/nothing"
    async with running_portal(nowhere) as app, a_browser(app) as browser:
        assert (await browser.get("/healthz")).status_code == 200
        assert (await browser.get("/readyz")).json()["database"]["state"] == "down"
        answer = await browser.post(
            "/v1/auth/sign-in", json={"username": "a@people.example", "password": "x"}
        )
        assert is_problem(answer, 503, "unavailable")
        assert answer.headers["retry-after"] == "5"
        assert "nobody" not in answer.text


async def test_an_old_database_is_not_ready(
    browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.platform.revisions.ScriptDirectory.get_heads", lambda _: ["newer"])
    assert (await browser.get("/readyz")).json()["migrations"]["state"] == "down"


def test_a_database_that_a_later_release_has_migrated_is_ready_for_the_one_that_leaves() -> None:
    heads = scripts().get_heads()
    (first,) = scripts().get_bases()
    assert revision_of(heads) is Revision.newest
    assert revision_of(["made-by-a-later-release"]) is Revision.later
    assert (revision_of([first]), revision_of([])) == (Revision.older, Revision.older)


async def test_a_trailing_slash_makes_no_difference(browser: httpx.AsyncClient) -> None:
    assert (await browser.get("/healthz/")).json() == {"alive": True}
    assert (await browser.get("/v1/auth/user/")).json()["code"] == "unauthenticated"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/api", 404, "not_found"),
        ("DELETE", "/v1/auth/sign-in", 405, "method_not_allowed"),
        ("GET", "/v1/auth/sign-in", 405, "method_not_allowed"),
        ("GET", "/v1/auth/user?x=%00", 400, "malformed_request"),
        ("GET", "/v1/auth/%00", 400, "malformed_request"),
    ],
)
async def test_what_no_operation_takes_is_a_problem_too(
    browser: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    assert is_problem(await browser.request(method, path), status, code)


@pytest.mark.parametrize(
    ("body", "media_type", "status", "code"),
    [
        (b"{", "application/json", 400, "malformed_request"),
        (b'{"username":"a","username":"b"}', "application/json", 400, "malformed_request"),
        (b"username=a", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b"{}", "", 415, "unsupported_media_type"),
        (b'"' + b"x" * 65_536 + b'"', "application/json", 413, "too_large"),
    ],
)
async def test_a_bad_body_is_refused_before_any_operation(
    browser: httpx.AsyncClient, body: bytes, media_type: str, status: int, code: str
) -> None:
    headers = {"Content-Type": media_type} if media_type else {}
    answer = await browser.post("/v1/auth/sign-in", content=body, headers=headers)
    assert is_problem(answer, status, code)


async def test_field_faults_speak_the_specs_words_and_repeat_nothing(
    browser: httpx.AsyncClient,
) -> None:
    body = {"username": 7, "password": CANARY * 200, "remember_me": CANARY, CANARY: CANARY}
    answer = await browser.post("/v1/auth/sign-in", json=body)
    assert is_problem(answer, 422, "invalid")
    assert CANARY not in answer.text
    faults = {fault["field"]: fault["message"] for fault in answer.json()["validation_errors"]}
    assert faults["username"] == "Required field"
    assert faults["password"] == "Must have less than 1001 characters"
    assert faults["body"] == "Unknown field"


async def test_a_crash_is_a_plain_problem(
    browser: httpx.AsyncClient, portal: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crash(_: str) -> None:
        raise RuntimeError(CANARY)

    monkeypatch.setattr(portal.state.portal.sites, "of", crash)
    answer = await browser.get("/v1/auth/user")
    assert is_problem(answer, 500, "unexpected")
    assert answer.json()["detail"] == "Unexpected Error. Please try again later."
    assert CANARY not in answer.text
    assert_safe(answer)


@pytest.mark.parametrize("path", ["/healthz", "/v1/auth/user", "/v1/nothing", "/", "/missing.js"])
async def test_no_answer_goes_without_the_safety_headers(
    browser: httpx.AsyncClient, path: str
) -> None:
    assert_safe(await browser.get(path))


@pytest.mark.parametrize(
    "path", ["/%00", "/4242424242424242" + 250 * "a", "/" + 500 * "a/a", "/v1/%00"]
)
async def test_a_path_that_nothing_can_have_is_refused_and_not_logged(
    browser: httpx.AsyncClient, path: str
) -> None:
    with capture_logs() as logs:
        answer = await browser.get(path)
    assert answer.status_code in (400, 404)
    assert_safe(answer)
    assert [told["event"] for told in logs] == ["request answered"]
    assert "4242424242424242" not in str(logs)


async def test_what_stands_in_a_query_is_not_logged(browser: httpx.AsyncClient) -> None:
    asked = {"who": "robin.okafor@shop.example"}
    with capture_logs() as logs:
        await browser.get("/v1/operations/account", params=asked)
    assert [told["route"] for told in logs] == ["/v1/operations/account"]
    assert "okafor" not in str(logs)


def assert_safe(answer: httpx.Response) -> None:
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


async def test_the_browsers_request_id_comes_back_when_it_is_well_formed(
    browser: httpx.AsyncClient,
) -> None:
    kept = await browser.get("/healthz", headers={"X-Request-Id": "browser-0123456789"})
    assert kept.headers["x-request-id"] == "browser-0123456789"
    replaced = await browser.get("/healthz", headers={"X-Request-Id": "a b\t;"})
    assert replaced.headers["x-request-id"] != "a b\t;"


async def test_the_host_chooses_the_site(portal: FastAPI, sessions: Sessions) -> None:
    user = await an_installer(sessions)
    for host, label in (
        ("localhost:8000", "Turnkey Canada"),
        ("us.localhost:8000", "Turnkey USA"),
        ("elsewhere.example", "Turnkey Canada"),
    ):
        async with a_browser(portal, host=host) as browser:
            answer = await sign_in(browser, user)
            assert answer.json()["site"]["label"] == label


async def test_a_lost_connection_costs_no_request(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """The pool looks at a connection before it hands it out."""
    await sign_in(browser, await an_installer(sessions))
    async with sessions.begin() as session:
        await session.execute(
            text(
                "select pg_terminate_backend(pid, 10000) from pg_stat_activity"
                " where datname = current_database() and usename = current_user"
                " and pid <> pg_backend_pid()"
            )
        )
    assert (await browser.get("/v1/auth/user")).status_code == 200
