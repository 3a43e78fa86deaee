"""A running portal inside the test's process, and browsers that talk to it."""

import asyncio
import itertools
import re
import socket
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from api.main import create_app
from domain.identity.people import User
from observing.metrics import UNMEASURED, Metrics
from observing.tracing import UNTRACED, Tracing
from settings import Settings
from tests.drivers.factories import PASSWORD, PASSWORD_MEMORY_KIB
from tests.drivers.outside.mail_server import app_behind, taking_mail

NOWHERE = "127.0.0.1:9"
"""Nobody listens on the discard port: Temporal is down there."""

_numbers = itertools.count(1)


@asynccontextmanager
async def running_portal(
    database_url: str,
    *,
    temporal_address: str = NOWHERE,
    outside: httpx.AsyncBaseTransport | None = None,
    tracing: Tracing = UNTRACED,
    metrics: Metrics = UNMEASURED,
    **settings: Any,
) -> AsyncGenerator[FastAPI]:
    """The application with its lifespan; `settings` are fields of Settings. Calls may take as long as a busy machine
    makes them."""
    made: dict[str, Any] = {
        "password_memory_kib": PASSWORD_MEMORY_KIB,
        "request_seconds": 60,
        "sources_silent": 0,  # all tests of a process ask the same sources
        **settings,
    }
    async with taking_mail(lambda: app_behind(outside)) as mail_url:
        mailing: dict[str, Any] = {"mail_url": mail_url, "mail_encryption": "none", **made}
        app = create_app(
            Settings(
                environment="test",
                database_url=database_url,
                temporal_address=temporal_address,
                **mailing,
            ),
            outside=outside,
            tracing=tracing,
            metrics=metrics,
        )
        async with app.router.lifespan_context(app):
            yield app


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncGenerator[str]:
    """The address of an application behind a real socket, for streams."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    served = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        with suppress(asyncio.CancelledError):
            await served


def a_browser(
    app: ASGIApp, *, host: str = "portal.test", scheme: str = "http", address: str | None = None
) -> httpx.AsyncClient:
    """A browser of our own page: it has cookies, names its origin, and is no robot. Each comes from a new address."""
    number = next(_numbers)
    peer = address or f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    origin = f"{scheme}://{host}"
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app, raise_app_exceptions=False, client=(peer, 40_000)),
        base_url=origin,
        headers={"Origin": origin, "X-Bot-Check": "human-who-tests"},
    )


async def sign_in(
    browser: httpx.AsyncClient, user: User, *, password: str = PASSWORD, remember_me: bool = False
) -> httpx.Response:
    """Signs in and, if it worked, sends the access token from then on."""
    answer = await browser.post(
        "/v1/auth/sign-in",
        json={"username": user.email, "password": password, "remember_me": remember_me},
    )
    if answer.is_success:
        use_token(browser, answer.json()["access_token"])
    return answer


def use_token(browser: httpx.AsyncClient, token: str) -> None:
    browser.headers["Authorization"] = f"Bearer {token}"


def said(answer: httpx.Response) -> str:
    """The text of an answer without its ids and tokens: a short number stands in one of those by chance."""
    return re.sub(r"[\w-]{20,}", "…", answer.text)


def a_key() -> dict[str, str]:
    """Headers with a fresh Idempotency-Key."""
    return {"Idempotency-Key": uuid.uuid4().hex}


def filled(path: str) -> str:
    """A path of the document with something in each place: ids as runs have them, names as long as a token of the shop,
    whose calls know their tokens by their length."""
    return re.sub(
        r"{(\w+)}", lambda name: "0" * 32 if name[1] == "id" else name[1].ljust(16, "0"), path
    )
