"""The mail server of stand-ins that run in the test's process: mail is no HTTP, so it has a port of its own."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI

from providers.messages.mail import Encryption, Mail
from providers.messages.texts import Texts
from providers.messenger import Messenger, Sent
from simulators.messages import mail, texts


@asynccontextmanager
async def taking_mail(stand_ins: Callable[[], FastAPI]) -> AsyncGenerator[str]:
    """Its address; what it gets is kept by the stand-ins, which are asked for when the first mail comes."""
    listening = mail.listen("127.0.0.1", 0)
    async with mail.serving(lambda: stand_ins().state.file, listening) as port:
        yield f"smtp://127.0.0.1:{port}"


def app_behind(transport: httpx.AsyncBaseTransport | None) -> FastAPI:
    """The stand-ins that a portal reaches by this transport."""
    inner = getattr(transport, "inner", transport)
    assert isinstance(inner, httpx.ASGITransport)
    assert isinstance(inner.app, FastAPI)
    return inner.app


def a_messenger(
    client: httpx.AsyncClient, mail_url: str, *, base_url: str, sent: Sent | None = None
) -> Messenger:
    """`base_url` is that of the stand-ins; `sent` remembers what is out."""
    return Messenger(
        Mail(
            url=mail_url,
            sender="Turnkey <portal@turnkey.example>",
            user=mail.USER,
            password=mail.PASSWORD,
            encryption=Encryption.NONE,
            portal_urls=("https://portal.test",),
        ),
        Texts(
            client,
            base_url=f"{base_url}/sms",
            account=texts.ACCOUNT,
            token=texts.TOKEN,
            sender="+16045550199",
        ),
        sent,
    )
