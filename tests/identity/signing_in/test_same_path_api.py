"""An unknown user and a wrong password are told apart by nothing: not by what is done, nor by how long it takes
(promise 26)."""

import statistics
import time
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from argon2 import extract_parameters
from fastapi import FastAPI
from sqlalchemy import event

from api.platform.deps import Portal
from db.base import Sessions
from domain.identity.people import User
from tests.drivers.factories import PASSWORD, an_email, an_installer
from tests.drivers.portal import a_browser, sign_in

PAIRS = 30
NEAR = 0.25


def nobody(like: User) -> User:
    return like.model_copy(update={"email": an_email()})


@contextmanager
def noted(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> Generator[list[str]]:
    """Every statement and every hash, in their order."""
    done: list[str] = []

    def note_statement(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        done.append(statement)

    verify = portal.passwords._verify

    def note_hash(kept: str, password: str) -> bool:
        done.append(f"hash {extract_parameters(kept)}")
        return verify(kept, password)

    engine = portal.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note_statement)
    monkeypatch.setattr(portal.passwords, "_verify", note_hash)
    yield done
    monkeypatch.undo()
    event.remove(engine, "before_cursor_execute", note_statement)


async def test_the_same_statements_and_hashes_are_made(
    portal: FastAPI,
    browser: httpx.AsyncClient,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = await an_installer(sessions)
    await sign_in(
        browser, nobody(user), password="not-it"
    )  # what is read once a minute has been read
    with noted(portal.state.portal, monkeypatch) as for_known:
        assert (await sign_in(browser, user, password="not-it")).status_code == 401
    with noted(portal.state.portal, monkeypatch) as for_unknown:
        assert (await sign_in(browser, nobody(user), password="not-it")).status_code == 401
    assert for_known == for_unknown
    assert sum(each.startswith("hash") for each in for_known) == 1


REGISTERED = {"first_name": "Nia", "last_name": "Newcomer"}
QUESTIONS = {
    "register": lambda email: ("/v1/auth/register", {**REGISTERED, "email": email}),
    "resend": lambda email: ("/v1/user/email-resend", {"email": email}),
    "e-mail change": lambda email: (
        "/v1/auth/email-change",
        {"email": email, "password": PASSWORD},
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("is_confirmed", [True, False])
async def test_a_known_address_is_answered_like_an_unknown_one(
    portal: FastAPI,
    browser: httpx.AsyncClient,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    is_confirmed: bool,
) -> None:
    """What is done for one of them alone is done beside the request: here it waits until both are answered."""
    known = await an_installer(sessions, is_confirmed=is_confirmed)
    errands = portal.state.portal.errands
    begun: list[Coroutine[Any, Any, None]] = []
    await sign_in(browser, await an_installer(sessions))
    await browser.post("/v1/user/email-resend", json={"email": nobody(known).email})
    await errands.drain()
    told: list[tuple[Any, ...]] = []
    for email in (known.email, nobody(known).email):
        path, body = QUESTIONS[question](email)
        with noted(portal.state.portal, monkeypatch) as done:
            monkeypatch.setattr(errands, "begin", lambda _what, errand: begun.append(errand))
            answer = await browser.post(path, json=body)
        headers = {name: text for name, text in answer.headers.items() if name != "x-request-id"}
        told.append((answer.status_code, answer.content, headers, list(done)))
    for errand in begun:
        errand.close()
    assert told[0] == told[1]
    assert told[0][0] == 204
    assert len(begun) == 2


@pytest.mark.whole
async def test_the_same_work_is_done(portal: FastAPI, sessions: Sessions) -> None:
    """The process's own CPU, in pairs: neighbours on the machine take none of it. Three tries, as a median of 30 may
    still meet a hiccup of its own process."""
    ratio = 0.0
    for _ in range(3):
        spent = await _pairs(portal, sessions)
        ratio = statistics.median(spent["known"]) / statistics.median(spent["unknown"])
        if abs(ratio - 1) < NEAR:
            return
    raise AssertionError(f"the medians differ: {ratio:.2f}")


async def _pairs(portal: FastAPI, sessions: Sessions) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {"known": [], "unknown": []}
    known = [await an_installer(sessions) for _ in range(PAIRS)]
    async with a_browser(portal) as browser:
        for number, user in enumerate(known):
            pair = [("known", user), ("unknown", nobody(user))]
            for name, tried in pair if number % 2 else reversed(pair):
                begun = time.process_time()
                await sign_in(browser, tried, password="not-it")
                spent[name].append(time.process_time() - begun)
    return spent
