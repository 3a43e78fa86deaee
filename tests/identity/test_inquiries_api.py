"""Forms that anybody may send: kept, mailed by the workers, limited, and checked for robots."""

import hashlib
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from sqlalchemy import select

from db.base import Sessions
from db.content.inquiries import InquiryRow
from tests.drivers.factories import a_name, an_email, an_installer
from tests.drivers.outside.mail_server import a_messenger, taking_mail
from tests.drivers.portal import a_browser
from tests.identity.messages import STAND_INS, Reachable, a_reachable_portal
from workers.housekeeping import Housekeeping

INQUIRIES_TO = "dealers@turnkey.example"


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


def a_payment_request(email: str) -> dict[str, Any]:
    return {
        "company_name": "North Shore Audio",
        "first_name": "Nia",
        "last_name": "Newcomer",
        "email": email,
        "phone_number": "+16045550100",
        "country": "CA",
        "message": "We would like to sell remote starts.",
    }


def a_word(email: str) -> dict[str, Any]:
    return {"name": "Nia Newcomer", "email": email, "role": "Installer", "message": "Hello there"}


FORMS = {
    "/v1/auth/dealer-request": a_payment_request,
    "/v1/contact-us": a_word,
    "/v1/auth/register": lambda email: {
        "first_name": "Nia",
        "last_name": "Newcomer",
        "email": email,
    },
    "/v1/auth/forgot-password": lambda email: {"username": email},
}


NO_CHALLENGE = {"challenge": None, "difficulty": 0, "site_key": None, "script": None}


async def solved(browser: httpx.AsyncClient) -> str:
    """What the browser's page works out."""
    asked = (await browser.get("/v1/auth/bot-check")).json()
    number = 0
    while True:
        answer = f"{asked['challenge']}.{number}"
        digest = int.from_bytes(hashlib.sha256(answer.encode()).digest(), "big")
        if digest >> (256 - asked["difficulty"]) == 0:
            return answer
        number += 1


@pytest.mark.parametrize("path", ["/v1/auth/dealer-request", "/v1/contact-us"])
async def test_what_was_written_is_kept_and_mailed_once(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions, simulators: FastAPI, path: str
) -> None:
    email = an_email()
    assert (await browser.post(path, json=FORMS[path](email))).status_code == 204
    async with (
        httpx.AsyncClient(transport=httpx.ASGITransport(simulators)) as client,
        taking_mail(lambda: simulators) as mail_url,
    ):
        messenger = a_messenger(client, mail_url, base_url=STAND_INS)
        house = Housekeeping(sessions, messenger, inquiries_to=INQUIRIES_TO)
        while await house.mail():
            continue
    mails = [text for text in await here.texts_to(INQUIRIES_TO) if email in text]
    assert len(mails) == 1
    assert "Newcomer" in mails[0]
    async with sessions() as session:
        row = await session.scalar(select(InquiryRow).where(InquiryRow.reply_to == email))
    assert row is not None
    assert row.mailed_at is not None


async def mailed(sessions: Sessions, simulators: FastAPI, desks: dict[str, str]) -> None:
    async with (
        httpx.AsyncClient(transport=httpx.ASGITransport(simulators)) as client,
        taking_mail(lambda: simulators) as mail_url,
    ):
        messenger = a_messenger(client, mail_url, base_url=STAND_INS)
        house = Housekeeping(sessions, messenger, inquiries_to=INQUIRIES_TO, desks=desks)
        while await house.mail():
            continue


async def test_the_desk_of_the_role_answers(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions, simulators: FastAPI
) -> None:
    email, desk = an_email(), f"desk-{a_name()}@turnkey.example"
    word = {**a_word(email), "role": "Purchaser", "page": "/activation/device?id=abc"}
    assert (await browser.post("/v1/contact-us", json=word)).status_code == 204
    await mailed(sessions, simulators, {"Purchaser": desk})
    (mail,) = await here.texts_to(desk)
    assert "Page: /activation/device?id=abc" in mail
    assert await here.texts_to(email) == []


async def test_who_is_known_gets_a_copy_and_anybody_else_a_receipt(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions, simulators: FastAPI
) -> None:
    known, stranger = (await an_installer(sessions)).email, an_email()
    for email in (known, stranger):
        word = {**a_word(email), "message": "It beeps", "wants_copy": True}
        assert (await browser.post("/v1/contact-us", json=word)).status_code == 204
    await mailed(sessions, simulators, {})
    (copy,) = await here.texts_to(known)
    (receipt,) = await here.texts_to(stranger)
    assert "It beeps" in copy
    assert "We have your message" in receipt
    assert "It beeps" not in receipt


@pytest.mark.parametrize(
    ("path", "field", "value", "message"),
    [
        ("/v1/auth/dealer-request", "email", "a@b_c.example", "Email invalid"),
        ("/v1/auth/dealer-request", "phone_number", "12", "Phone number invalid"),
        ("/v1/auth/dealer-request", "company_name", "", "Required field"),
        ("/v1/contact-us", "message", "  ", "Required field"),
        ("/v1/contact-us", "role", "King", "Invalid value"),
        ("/v1/contact-us", "page", "javascript:alert(1)", "Invalid value"),
    ],
)
async def test_a_bad_field_is_named(
    browser: httpx.AsyncClient, path: str, field: str, value: str, message: str
) -> None:
    refused = await browser.post(path, json={**FORMS[path](an_email()), field: value})
    assert refused.status_code == 422
    assert refused.json()["validation_errors"] == [{"field": field, "message": message}]


async def test_forms_from_one_address_are_limited(browser: httpx.AsyncClient) -> None:
    answers = [await browser.post("/v1/contact-us", json=a_word(an_email())) for _ in range(11)]
    assert [each.status_code for each in answers] == [204] * 10 + [429]


# ---- robots


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("said", ["", "robot", "1.12.ab.cd.7"])
async def test_a_robot_is_turned_away(browser: httpx.AsyncClient, path: str, said: str) -> None:
    browser.headers["X-Bot-Check"] = said
    refused = await browser.post(path, json=FORMS[path](an_email()))
    assert (refused.status_code, refused.json()["code"]) == (403, "bot_check_failed")


async def test_a_solved_puzzle_opens_one_form(browser: httpx.AsyncClient) -> None:
    browser.headers["X-Bot-Check"] = await solved(browser)
    answers = [await browser.post("/v1/contact-us", json=a_word(an_email())) for _ in range(2)]
    assert [each.status_code for each in answers] == [204, 403]


async def test_a_forged_puzzle_opens_none(browser: httpx.AsyncClient) -> None:
    answer = await solved(browser)
    browser.headers["X-Bot-Check"] = f"9{answer}"
    assert (await browser.post("/v1/contact-us", json=a_word(an_email()))).status_code == 403


async def test_an_absent_verifier_turns_nobody_away(browser: httpx.AsyncClient) -> None:
    browser.headers["X-Bot-Check"] = "down"
    assert (await browser.post("/v1/contact-us", json=a_word(an_email()))).status_code == 204


async def test_without_a_key_nothing_is_checked(
    database_url: str, simulators: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with (
        a_reachable_portal(database_url, simulators, bot_check_key="") as here,
        a_browser(here.app) as browser,
    ):
        browser.headers["X-Bot-Check"] = ""
        assert (await browser.get("/v1/auth/bot-check")).json()["challenge"] is None
        forgot = await browser.post("/v1/auth/forgot-password", json={"username": user.email})
        assert forgot.status_code == 204


async def test_while_the_verifier_is_away_there_is_no_puzzle(
    database_url: str, simulators: FastAPI
) -> None:
    async with (
        a_reachable_portal(database_url, simulators, bot_check_key="down") as here,
        a_browser(here.app) as browser,
    ):
        asked = await browser.get("/v1/auth/bot-check")
        assert asked.json() == NO_CHALLENGE


async def test_with_the_verifiers_own_address_pages_have_its_widget(
    database_url: str, simulators: FastAPI
) -> None:
    elsewhere = "http://challenges.test/bot-check"
    async with (
        a_reachable_portal(
            database_url, simulators, bot_check_key="0x4AAA", bot_check_url=elsewhere
        ) as here,
        a_browser(here.app) as browser,
    ):
        asked = (await browser.get("/v1/auth/bot-check")).json()
        script = f"{elsewhere}/api.js?render=explicit"
        assert asked == {**NO_CHALLENGE, "site_key": "0x4AAA", "script": script}
        policy = (await browser.get("/")).headers["content-security-policy"]
        assert policy.count("http://challenges.test") == 2
        browser.headers["X-Bot-Check"] = "human-" + "t" * 2000
        word = a_word(an_email())
        assert (await browser.post("/v1/contact-us", json=word)).status_code == 204
        browser.headers["X-Bot-Check"] = "robot"
        assert (await browser.post("/v1/contact-us", json=word)).status_code == 403


async def test_a_secret_that_the_verifier_does_not_take_turns_nobody_away(
    database_url: str, simulators: FastAPI
) -> None:
    async with (
        a_reachable_portal(database_url, simulators, bot_check_secret=SecretStr("wrong")) as here,
        a_browser(here.app) as browser,
    ):
        word = a_word(an_email())
        assert (await browser.post("/v1/contact-us", json=word)).status_code == 204
