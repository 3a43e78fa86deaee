"""Mail by SMTP (RFC 5321): over TLS, signed in. One connection for each mail.

How a server's answers are read: a 5xx is for good where its enhanced code (RFC 3463) says that it is about the recipient's
mailbox, or where it has none and is to the recipient. Any other 5xx (the sign-in, the sender, our reputation) is ours to
mend, and as 4xx may be tried again. What a server says is told to nobody. A connection that ends after the mail was handed over may
have delivered it: sent again it has the same Message-ID, which some mailboxes know.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.policy import SMTP as SMTP_POLICY
from enum import StrEnum
from urllib.parse import urlsplit

import aiosmtplib
import structlog

from domain.letters.language import Language
from providers.errors import Busy, Refused, Unavailable
from providers.instrumentation import REQUEST_ID_HEADER, Tally, request_behind
from providers.messages.haste import HASTE
from providers.messages.letter import Paper, letter

log = structlog.get_logger()

SYSTEM = "mail"
_ENHANCED = re.compile(r"5\.(\d{1,3})\.(\d{1,3})\b")
_NO_MAILBOX = frozenset({"1.1", "1.2", "1.3", "1.6", "1.10"})
_NO_RECIPIENT = frozenset({"4.1", "4.4", "5.0"})
"""As large providers say of a recipient that there is none, or no way to them."""
_TOO_LARGE = "3.4"
_OF_MAILBOX = "2"
_BARE = frozenset({550, 553})
_ADDRESS = re.compile(r"[^@\s<>,;\"]+@[^@\s<>,;\"]+")


class Encryption(StrEnum):
    """`STARTTLS` on a connection that begins plain (port 587), TLS from its beginning (465), or none, beside us alone."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


@dataclass
class _UnderWay:
    server: aiosmtplib.SMTP
    is_handed_over: bool = False
    """From the mail's first byte until the server has answered: it may have taken it."""


class Mail:
    """`url` is `smtp://host:port`; `sender` as in a header, `Turnkey <portal@turnkey.example>`."""

    def __init__(
        self,
        *,
        url: str,
        sender: str,
        user: str,
        password: str,
        encryption: Encryption,
        portal_urls: Collection[str],
        tally: Tally | None = None,
        seconds: float = 5.0,
        at_once: int = 16,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """`portal_urls` are where our own addresses begin. `seconds` limits one mail from connect to its end; `at_once` those
        under way; `trusted` other roots than the system's."""
        where = urlsplit(url)
        self._host, self._port = where.hostname or "", where.port
        self._sender, self._user, self._password = sender, user, password
        self._encryption = encryption
        self._portal_urls = portal_urls
        self._tally = tally or Tally("")
        self._seconds = seconds
        self._free = at_once
        self._trusted = trusted

    async def send(
        self,
        to: str,
        subject: str,
        text: str,
        *,
        key: str,
        papers: Sequence[Paper] = (),
        language: Language = Language.EN,
    ) -> None:
        """Asked again it sends another one, under the same Message-ID for the same `key`. Raises Refused, Unavailable, Busy."""
        if not _ADDRESS.fullmatch(to):
            raise Refused("refused", "This is no address.", system=SYSTEM)
        mail = letter(
            self._sender,
            to,
            subject,
            text,
            key,
            papers,
            portal_urls=self._portal_urls,
            language=language,
        )
        if (request_id := request_behind()) is not None:
            mail[REQUEST_ID_HEADER] = request_id
        utf8 = [] if to.isascii() else ["SMTPUTF8"]
        # In seven bits, which every server takes: BODY=8BITMIME is asked of none.
        wire = mail.as_bytes(policy=SMTP_POLICY.clone(utf8=bool(utf8), cte_type="7bit"))
        async with self._connected("mail") as under_way:
            server = under_way.server
            if utf8 and not server.supports_extension("smtputf8"):
                raise Refused("refused", "The mail server takes no such address.", system=SYSTEM)
            try:
                await server.mail(mail["From"].addresses[0].addr_spec, options=utf8)
                await server.rcpt(to, encoding="utf-8")
                under_way.is_handed_over = True
                await server.data(wire)
            except (aiosmtplib.SMTPRecipientRefused, aiosmtplib.SMTPDataError) as refusal:
                under_way.is_handed_over = False
                if not _is_for_good(refusal):
                    raise
                log.info("outside_call_refused", system=SYSTEM, status=refusal.code)
                raise Refused("refused", "This address takes no mail.", system=SYSTEM) from None

    async def greeting(self) -> str:
        """Connects and signs in as for a mail, and sends none. Answers what the server calls itself."""
        async with self._connected("greeting") as under_way:
            answer = await under_way.server.ehlo()
        return answer.message.splitlines()[0] if answer.message else ""

    @asynccontextmanager
    async def _connected(self, operation: str) -> AsyncGenerator[_UnderWay]:
        """A connection that is encrypted as agreed and signed in; whatever SMTP says of it becomes one of our errors."""
        if self._free <= 0:
            log.warning("outside_call_held_back", system=SYSTEM, operation=operation)
            raise Busy(system=SYSTEM)
        self._free -= 1
        seconds = min(self._seconds, HASTE.get() or self._seconds)
        server = aiosmtplib.SMTP(
            hostname=self._host,
            port=self._port,
            username=self._user or None,
            password=self._password or None,
            use_tls=self._encryption is Encryption.TLS,
            start_tls=self._encryption is Encryption.STARTTLS,
            tls_context=self._trusted,
            timeout=seconds,
        )
        under_way = _UnderWay(server)
        try:
            with self._tally.counted(SYSTEM):
                async with asyncio.timeout(seconds):
                    await server.connect()
                    yield under_way
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            answered = error.code if isinstance(error, aiosmtplib.SMTPResponseException) else None
            is_ours = answered is not None and answered >= 500
            (log.error if is_ours else log.warning)(
                "outside_call_failed",
                system=SYSTEM,
                operation=operation,
                reason=type(error).__name__,
                status=answered,
            )
            raise Unavailable(
                system=SYSTEM, may_have_worked=under_way.is_handed_over, answered=answered
            ) from error
        finally:
            self._free += 1
            server.close()


def _is_for_good(refusal: aiosmtplib.SMTPResponseException) -> bool:
    """Whether it is about the recipient's mailbox, and will be the same tomorrow."""
    if not 500 <= refusal.code < 600:
        return False
    enhanced = _ENHANCED.match(refusal.message)
    is_to_recipient = isinstance(refusal, aiosmtplib.SMTPRecipientRefused)
    if enhanced is None:
        return is_to_recipient and refusal.code in _BARE
    subject, detail = enhanced.groups()
    said = f"{subject}.{detail}"
    return (
        subject == _OF_MAILBOX
        or said in _NO_MAILBOX
        or (said in _NO_RECIPIENT and is_to_recipient)
        or said == _TOO_LARGE
    )
