"""Mail and text messages (shell spec: verification codes, invitations; our own reminders)."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from domain.letters.language import Language, Reads
from domain.letters.text import Written
from providers.errors import Refused, Unavailable
from providers.messages.letter import Paper
from providers.messages.mail import Mail
from providers.messages.texts import Texts

Draws = Callable[[], Awaitable[Sequence[Paper]]]
"""Papers that are drawn for a mail that goes out, and for none that is out already."""


def key_for(key: str, email: str) -> str:
    """By which the mail of `key` to this one of several addresses is known."""
    return f"{key}-{hashlib.sha256(email.encode()).hexdigest()[:16]}"


async def _nothing() -> Sequence[Paper]:
    return ()


class Sent(Protocol):
    """What remembers the mails that are out, by their keys."""

    async def holds(self, key: str) -> bool: ...

    async def add(self, key: str) -> None: ...


class Messenger:
    """Hands messages over; raises Unavailable without a usable answer, Refused for a bad recipient."""

    def __init__(self, mail: Mail, texts: Texts, sent: Sent | None = None) -> None:
        """Without `sent` each mail is a new one: of a call, which is answered once for its key anyway."""
        self._mail = mail
        self._texts = texts
        self._sent = sent

    async def send_mail(
        self,
        to: str,
        subject: str,
        text: str,
        *,
        key: str,
        papers: Sequence[Paper] = (),
        language: Language | None = None,
    ) -> None:
        """One mail per `key`, however often it is asked for: what is known to be out is not sent again. One whose answer
        got lost is, under the same Message-ID."""
        if not await self._is_out(key):
            await self._send(
                to, subject, text, key=key, papers=papers, language=language or Language.EN
            )

    async def send_sms(self, to: str, text: str) -> None:
        """`to` in international form, `+16045550100`. Asked again it sends another one."""
        await self._texts.send(to, text)

    async def write(
        self, to: Reads, written: Written, *, key: str, papers: Sequence[Paper] = ()
    ) -> None:
        """`send_mail`, in the language of its reader."""
        language = to.language or Language.EN
        subject, text = written(language)
        await self.send_mail(to.email, subject, text, key=key, papers=papers, language=language)

    async def write_to_each(
        self,
        readers: Iterable[Reads],
        written: Written,
        *,
        key: str,
        papers: Draws = _nothing,
    ) -> None:
        """One mail to each for `key`, in their language, whoever else is written to: an address that is refused costs the
        others nothing, nor does one that cannot be reached now. Raises Unavailable at the end if there was one; a repeat
        reaches the rest."""
        missed: Unavailable | None = None
        drawn: Sequence[Paper] | None = None
        for reader in readers:
            own = key_for(key, reader.email)
            if await self._is_out(own):
                continue
            if drawn is None:
                drawn = await papers()
            language = reader.language or Language.EN
            try:
                with suppress(Refused):
                    await self._send(
                        reader.email, *written(language), key=own, papers=drawn, language=language
                    )
            except Unavailable as unavailable:
                missed = unavailable
        if missed is not None:
            raise missed

    async def _is_out(self, key: str) -> bool:
        return self._sent is not None and await self._sent.holds(key)

    async def _send(
        self,
        to: str,
        subject: str,
        text: str,
        *,
        key: str,
        papers: Sequence[Paper],
        language: Language,
    ) -> None:
        await self._mail.send(to, subject, text, key=key, papers=papers, language=language)
        if self._sent is not None:
            await self._sent.add(key)

    async def greeting(self) -> str:
        """What the mail server calls itself, once it has let us in."""
        return await self._mail.greeting()

    async def account(self) -> str:
        """How the account for text messages stands."""
        return await self._texts.account()
