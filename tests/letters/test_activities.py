"""Activities ask in which language each reader is written to; payloads say nothing of it."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import httpx
import pytest
from fastapi import FastAPI

from activities.devices.visits import MailKind as VisitMailKind
from activities.devices.visits import VisitActivities, VisitMail
from activities.identity.invitations import InvitationActivities, InvitationMail, MailKind
from db.base import Sessions
from domain.devices.ownership import Party
from domain.devices.visits import VisitStart
from domain.identity.invitations import InvitationStart
from domain.identity.people import User
from providers.messenger import Messenger
from providers.security.tokens import Tokens
from settings import DEVELOPMENT_TOKEN_SECRET
from tests.drivers.factories import a_dealer, a_name, an_email, an_installer
from tests.drivers.outside.mail_server import a_messenger, taking_mail

STAND_INS = "http://simulators"
PORTAL = "https://portal.test"


@pytest.fixture
async def http(simulators: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(simulators)
    async with httpx.AsyncClient(transport=transport, base_url=STAND_INS) as client:
        yield client


@pytest.fixture
async def messenger(simulators: FastAPI, http: httpx.AsyncClient) -> AsyncGenerator[Messenger]:
    async with taking_mail(lambda: simulators) as mail_url:
        yield a_messenger(http, mail_url, base_url=STAND_INS)


async def mail_to(http: httpx.AsyncClient, address: str) -> dict[str, str]:
    answer = await http.get("/messenger/_outbox", params={"to": address})
    (mail,) = answer.json()["results"]
    return mail


async def invited(
    sessions: Sessions, messenger: Messenger, http: httpx.AsyncClient, by: User, email: str
) -> dict[str, str]:
    activities = InvitationActivities(messenger, sessions, Tokens(DEVELOPMENT_TOKEN_SECRET))
    start = InvitationStart(
        id=a_name(),
        dealer_id=by.dealer_id or "",
        dealer_name="Garage Tremblay",
        email=email,
        invited_by=by.id,
        inviter=by.name,
        site="ca",
        portal_url=PORTAL,
    )
    assert await activities.mail(InvitationMail(kind=MailKind.INVITATION, start=start))
    return await mail_to(http, email)


async def test_an_invitation_is_in_the_language_of_the_invited_else_of_whoever_invites(
    sessions: Sessions, messenger: Messenger, http: httpx.AsyncClient
) -> None:
    french = await an_installer(sessions, is_owner=True, language="fr")
    english = await an_installer(sessions, is_owner=True, language="en")
    unknown = await invited(sessions, messenger, http, french, an_email())
    assert unknown["subject"] == "Garage Tremblay vous invite à utiliser Turnkey"
    assert f"Accepter\N{NO-BREAK SPACE}: {PORTAL}/accept-invite?token=" in unknown["text"]
    known = await an_installer(sessions, language="fr")
    assert "vous invite" in (await invited(sessions, messenger, http, english, known.email))["text"]
    nobody = await invited(sessions, messenger, http, english, an_email())
    assert nobody["subject"] == "Garage Tremblay invites you to Turnkey"


async def test_each_owner_is_asked_for_a_visit_in_their_language(
    sessions: Sessions, messenger: Messenger, http: httpx.AsyncClient
) -> None:
    dealer = await a_dealer(sessions)
    people = [
        await an_installer(sessions, dealer, is_owner=True, language=one)
        for one in ("fr", "en", None)
    ]
    start = VisitStart(
        id=a_name(),
        device_key="FT-X1-00000042",
        visitor_id="nobody",
        visitor_dealer_id="none",
        owner=Party(dealer_id=dealer.id),
        site="ca",
        expires_at=datetime.now(UTC),
        portal_url=PORTAL,
    )
    mail = VisitMail(kind=VisitMailKind.ASKED, start=start)
    await VisitActivities(messenger, sessions).mail(mail)
    subjects = [(await mail_to(http, one.email))["subject"] for one in people]
    english = "Somebody asks to work on your device FT-X1-00000042"
    french = "Quelqu’un demande à travailler sur votre appareil FT-X1-00000042"
    assert subjects == [french, english, english]
