"""Whoever uses the portal in French is written to in French."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from db.base import Sessions
from db.identity.people import PersonRow
from domain.identity.people import MfaType, User
from tests.drivers.factories import PASSWORD, a_name, an_email, an_installer
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable, a_reachable_portal

FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.8"}


@pytest.fixture
async def here(database_url: str, simulators: FastAPI) -> AsyncGenerator[Reachable]:
    async with a_reachable_portal(database_url, simulators) as reachable:
        yield reachable


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


async def language_of(sessions: Sessions, user: User) -> str | None:
    async with sessions() as session:
        return await session.scalar(select(PersonRow.language).where(PersonRow.id == user.id))


async def last_to(here: Reachable, recipient: str) -> str:
    return (await here.texts_to(recipient))[-1]


async def asked_for_a_code(here: Reachable, browser: httpx.AsyncClient, user: User) -> str:
    """What somebody is mailed who says nothing of their language."""
    body = {"username": user.email}
    assert (await browser.post("/v1/auth/forgot-password", json=body)).status_code == 204
    return await last_to(here, user.email)


async def test_a_new_account_is_written_to_in_the_language_that_it_was_asked_for_in(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    email = an_email()
    body = {"first_name": "Zoé", "last_name": "Tremblay", "email": email}
    await browser.post("/v1/auth/register", json=body, headers=FRENCH)
    assert (await last_to(here, email)).startswith("Choisissez votre mot de passe")
    await browser.post("/v1/user/email-resend", json={"email": email})
    assert (await last_to(here, email)).startswith("Choisissez votre mot de passe")


async def test_the_language_of_a_sign_in_is_kept_and_no_word_of_it_changes_nothing(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    assert "Your verification code" in await asked_for_a_code(here, browser, user)
    browser.headers.update(FRENCH)
    await sign_in(browser, user)
    del browser.headers["Accept-Language"]
    await sign_in(browser, user)
    assert await language_of(sessions, user) == "fr"
    assert "Votre code de vérification" in await asked_for_a_code(here, browser, user)


async def test_a_language_that_is_chosen_while_signed_in_is_kept_and_told(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, other = await an_installer(sessions), await an_installer(sessions)
    await sign_in(browser, user)
    answer = await browser.patch(f"/v1/user/{user.id}", json={"language": "fr"})
    assert (answer.status_code, answer.json()["language"]) == (200, "fr")
    assert "Votre code de vérification" in await asked_for_a_code(here, browser, user)
    for said in ("de", 5):
        answer = await browser.patch(f"/v1/user/{user.id}", json={"language": said})
        assert answer.status_code == 422
    answer = await browser.patch(f"/v1/user/{other.id}", json={"language": "fr"})
    assert answer.status_code == 404
    assert await language_of(sessions, other) is None


async def test_a_text_message_is_in_the_language_of_whoever_signs_in(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    phone = f"+1514{int(a_name()[-7:], 36) % 10**7:07d}"
    user = await an_installer(sessions, phone_number=phone, mfa_type=MfaType.SMS)
    body = {"username": user.email, "password": PASSWORD}
    answer = await browser.post("/v1/auth/sign-in", json=body, headers=FRENCH)
    assert answer.json()["mfa_type"] == MfaType.SMS
    assert (await last_to(here, phone)).startswith("Votre code de vérification Turnkey est ")


async def test_a_new_address_is_asked_in_the_language_of_its_account(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions, language="fr"), an_email()
    await sign_in(browser, user)
    body = {"email": email, "password": PASSWORD}
    answer = await browser.post("/v1/auth/email-change", json=body)
    assert answer.status_code == 204
    assert "Utilisez cette adresse" in await last_to(here, email)
    assert "Quelqu’un a demandé" in await last_to(here, user.email)
