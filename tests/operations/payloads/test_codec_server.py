"""Temporal's page has payloads opened by the codec server, for administrators alone."""

import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from google.protobuf import json_format
from pydantic import SecretStr
from temporalio.api.common.v1 import Payload, Payloads

from api.codec_server import COOKIE, create_app
from assembly import payload_codec_of
from db.base import Sessions
from db.identity.people import PersonRow
from domain.identity.people import User
from settings import Settings
from tests.drivers.factories import an_admin, an_owner
from tests.drivers.portal import a_browser, running_portal, sign_in

CODEC = "http://127.0.0.1:8234"
PAGE = "http://127.0.0.1:8233"
KEYS = SecretStr(f"a:{base64.b64encode(b'a' * 32).decode()}")
PLAIN = Payload(metadata={"encoding": b"json/plain"}, data=b'"Ina Installer"')


@asynccontextmanager
async def an_operators_browser(database_url: str) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app(Settings(environment="test", database_url=database_url, payload_keys=KEYS))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=CODEC) as browser,
    ):
        yield browser


@pytest.fixture
async def portal(database_url: str) -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        running_portal(database_url, codec_url=CODEC, payload_keys=KEYS) as app,
        a_browser(app) as browser,
    ):
        yield browser


@pytest.fixture
async def operator(database_url: str) -> AsyncGenerator[httpx.AsyncClient]:
    async with an_operators_browser(database_url) as browser:
        yield browser


async def sealed() -> dict[str, Any]:
    codec = payload_codec_of(Settings(payload_keys=KEYS))
    assert codec is not None
    return json_format.MessageToDict(Payloads(payloads=await codec.encode([PLAIN])))


async def a_ticket(portal: httpx.AsyncClient, user: User) -> str:
    assert (await sign_in(portal, user)).is_success
    opened = await portal.post("/v1/operations/codec/open")
    assert opened.status_code == 200, opened.text
    url = urlsplit(opened.json()["url"])
    assert f"{url.scheme}://{url.netloc}" == CODEC
    return f"{url.path}?{url.query}"


async def test_an_administrator_reads_what_is_sealed_until_they_sign_out(
    portal: httpx.AsyncClient, operator: httpx.AsyncClient, sessions: Sessions
) -> None:
    entered = await operator.get(await a_ticket(portal, await an_admin(sessions)))
    assert (entered.status_code, entered.headers["location"]) == (303, PAGE)
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie

    answer = await operator.post("/decode", json=await sealed(), headers={"Origin": PAGE})
    opened = json_format.ParseDict(answer.json(), Payloads())
    assert list(opened.payloads) == [PLAIN]
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert answer.headers["access-control-allow-credentials"] == "true"

    again = await operator.post("/encode", json=json_format.MessageToDict(opened))
    assert b"Installer" not in base64.b64decode(again.json()["payloads"][0]["data"])

    assert (await portal.post("/v1/auth/sign-out")).is_success
    assert (await operator.post("/decode", json=await sealed())).status_code == 403


async def test_an_administrator_who_has_retired_reads_nothing(
    portal: httpx.AsyncClient, operator: httpx.AsyncClient, sessions: Sessions
) -> None:
    admin = await an_admin(sessions)
    way_in = await a_ticket(portal, admin)
    assert (await operator.get(way_in)).status_code == 303
    async with sessions.begin() as session:
        (await session.get_one(PersonRow, admin.id)).is_retired = True
    assert (await operator.post("/decode", json=await sealed())).status_code == 403
    assert (await operator.get(way_in)).status_code == 403


async def test_nobody_else_reads_anything(
    portal: httpx.AsyncClient,
    operator: httpx.AsyncClient,
    sessions: Sessions,
) -> None:
    assert (await operator.post("/decode", json=await sealed())).status_code == 403
    owner = await an_owner(sessions)
    token = (await sign_in(portal, owner)).json()["access_token"]
    assert (await portal.post("/v1/operations/codec/open")).status_code == 403
    for ticket in (token, "", "a.b.c"):
        assert (await operator.get("/enter", params={"ticket": ticket})).status_code == 403
    operator.cookies.set(COOKIE, token)
    assert (await operator.post("/decode", json=await sealed())).status_code == 403


async def test_a_ticket_opens_nothing_by_itself_and_a_stay_is_not_renewed(
    portal: httpx.AsyncClient, operator: httpx.AsyncClient, sessions: Sessions
) -> None:
    way_in = await a_ticket(portal, await an_admin(sessions))
    operator.cookies.set(COOKIE, way_in.partition("ticket=")[2])
    assert (await operator.post("/decode", json=await sealed())).status_code == 403
    operator.cookies.clear()
    assert (await operator.get(way_in)).status_code == 303
    stay = operator.cookies[COOKIE]
    assert (await operator.post("/decode", json=await sealed())).status_code == 200
    assert (await operator.get("/enter", params={"ticket": stay})).status_code == 403


async def test_another_page_is_not_answered_by_the_browser(operator: httpx.AsyncClient) -> None:
    for origin, is_let in ((PAGE, True), ("http://evil.example", False)):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = await operator.options("/decode", headers=asked)
        assert (answer.headers.get("access-control-allow-origin") == origin) is is_let


async def test_what_is_no_payload_or_of_another_key_is_refused(
    portal: httpx.AsyncClient, operator: httpx.AsyncClient, sessions: Sessions
) -> None:
    await operator.get(await a_ticket(portal, await an_admin(sessions)))
    assert (await operator.post("/decode", content=b"{")).status_code == 400
    assert (await operator.post("/decode", content=b"x" * (17 << 20))).status_code == 413
    foreign = await sealed()
    foreign["payloads"][0]["metadata"]["encryption-key-id"] = "enp6"
    assert (await operator.post("/decode", json=foreign)).status_code == 400


async def test_a_portal_without_a_codec_server_leads_to_none(
    database_url: str, sessions: Sessions
) -> None:
    async with running_portal(database_url) as app, a_browser(app) as browser:
        await sign_in(browser, await an_admin(sessions))
        assert (await browser.post("/v1/operations/codec/open")).status_code == 404


def test_without_keys_there_is_nothing_to_serve() -> None:
    with pytest.raises(ValueError, match="PAYLOAD_KEYS"):
        create_app(Settings(environment="test"))
