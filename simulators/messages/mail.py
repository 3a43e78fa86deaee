"""A mail server, by aiosmtpd: keeps what it gets, delivers nothing.

It takes mail of whoever signs in (`MAIL_USER`, `MAIL_PASSWORD`), with STARTTLS where it has a certificate. A mail that
comes again is kept again: no server knows a Message-ID. Sentinels, by the part before the @:
    refused@…   550, no such mailbox          down@…    451, always
    unnamed@…   550, and says no more         flaky@…   451 twice, then accepted
    blocked@…   550, whoever sends it         rejected@…  554, whoever sent it, after the mail itself
    full@…      552, after the mail itself    denied@…    550, as large providers say that there is nobody
    slow@…      accepted after 4 s            lost@…    first time kept, and the connection cut without an answer
"""

import asyncio
import email
import email.policy
import hmac
import logging
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from simulators.state import State, fails

USER = "turnkey"
PASSWORD = "turnkey-development-mail-password"
SLOW_SECONDS = 4
LARGEST = 10_000_000
logging.getLogger("mail.log").setLevel(logging.ERROR)
NAME = "mail.stand-in.example"


@asynccontextmanager
async def serving(
    state_of: Callable[[], State],
    listening: socket.socket,
    *,
    user: str = USER,
    password: str = PASSWORD,
    certificate: ssl.SSLContext | None = None,
) -> AsyncGenerator[int]:
    """The server on this socket; answers its port."""
    loop = asyncio.get_running_loop()

    def let_in(_: Any, __: Any, ___: Any, mechanism: str, typed: Any) -> AuthResult:
        right = isinstance(typed, LoginPassword) and (
            hmac.compare_digest(typed.login, user.encode())
            and hmac.compare_digest(typed.password, password.encode())
        )
        return AuthResult(success=right, handled=False)

    def connection() -> SMTP:
        return SMTP(
            Mailboxes(state_of),
            hostname=NAME,
            ident="Stand-in",
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            tls_context=certificate,
            require_starttls=certificate is not None,
            auth_required=True,
            auth_require_tls=certificate is not None,
            authenticator=let_in,
            loop=loop,
        )

    server = await loop.create_server(connection, sock=listening)
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.close()


def listen(host: str, port: int) -> socket.socket:
    """Port 0: a free one."""
    return socket.create_server((host, port))


class Mailboxes:
    """What aiosmtpd asks for each recipient and each mail."""

    def __init__(self, state_of: Callable[[], State]) -> None:
        self._state_of = state_of

    async def handle_RCPT(
        self, _: SMTP, __: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        match _fault(address):
            case "refused":
                return "550 5.1.1 The recipient does not exist."
            case "unnamed":
                return "550 No."
            case "denied":
                return "550 5.4.1 Recipient address rejected: Access denied."
            case "blocked":
                return "550 5.7.1 Sender blocked by reputation."
            case "down":
                return "451 4.3.0 Try again later."
            case "flaky" if fails(self._state_of(), address, times=2):
                return "451 4.3.0 Try again later."
            case _:
                envelope.rcpt_tos.append(address)
                return "250 2.1.5 Recipient ok"

    async def handle_DATA(self, server: SMTP, _: Session, envelope: Envelope) -> str:
        faults = {_fault(to) for to in envelope.rcpt_tos}
        if "rejected" in faults:
            return "554 5.7.1 The mail was rejected."
        if "full" in faults:
            return "552 5.2.2 The mailbox is full."
        if "slow" in faults:
            await asyncio.sleep(SLOW_SECONDS)
        content = envelope.content
        assert isinstance(content, bytes)
        state = self._state_of()
        for to in envelope.rcpt_tos:
            store(state, envelope.mail_from or "", to, content)
        if "lost" in faults and fails(state, envelope.rcpt_tos[0], times=1):
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
            await asyncio.Event().wait()  # until aiosmtpd ends what served the connection
        return "250 2.0.0 Kept"


def store(state: State, sender: str, to: str, content: bytes) -> None:
    mail = email.message_from_bytes(content, policy=email.policy.default)
    with state.transaction() as db:
        db.execute(
            "insert into mail (at, sender, recipient, message_id, subject, text, html, papers, content,"
            " request_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                time.time(),
                sender,
                to,
                str(mail["Message-ID"]),
                str(mail["Subject"]),
                _part(mail, "plain"),
                _part(mail, "html"),
                " ".join(one.get_filename() or "" for one in mail.iter_attachments()),
                content,
                mail["X-Request-ID"],
            ),
        )


def _part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    return body.get_content().replace("\r\n", "\n").removesuffix("\n") if body else ""


def _fault(address: str) -> str:
    return address.split("@")[0].lower()
