"""Mail and text messages (shell spec: verification codes, invitations; our own reminders)."""

import hashlib
from collections.abc import Iterable, Sequence

from providers.errors import Refused
from providers.messages.letter import Paper
from providers.messages.mail import Mail
from providers.messages.texts import Texts


class Messenger:
    """Hands messages over; raises Unavailable without a usable answer, Refused for a bad recipient."""

    def __init__(self, mail: Mail, texts: Texts) -> None:
        self._mail = mail
        self._texts = texts

    async def send_mail(
        self, to: str, subject: str, text: str, *, key: str, papers: Sequence[Paper] = ()
    ) -> None:
        """One mail per `key`, however often it is asked for: a repeat has the same Message-ID."""
        await self._mail.send(to, subject, text, key=key, papers=papers)

    async def send_sms(self, to: str, text: str) -> None:
        """`to` in international form, `+16045550100`. Asked again it sends another one."""
        await self._texts.send(to, text)

    async def send_to_each(
        self,
        addresses: Iterable[str],
        subject: str,
        text: str,
        *,
        key: str,
        papers: Sequence[Paper] = (),
    ) -> None:
        """One mail to each for `key`, whoever else is written to; an address that is refused costs the others nothing."""
        for address in addresses:
            name = hashlib.sha256(address.encode()).hexdigest()[:16]
            try:
                await self.send_mail(address, subject, text, key=f"{key}-{name}", papers=papers)
            except Refused:
                continue

    async def greeting(self) -> str:
        """What the mail server calls itself, once it has let us in."""
        return await self._mail.greeting()

    async def account(self) -> str:
        """How the account for text messages stands."""
        return await self._texts.account()
