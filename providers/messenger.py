"""Mail and text messages (shell spec: verification codes, invitations; our own reminders)."""

import hashlib
from collections.abc import Iterable

import httpx

from providers.errors import Refused
from providers.http import Wire


class Messenger:
    """Hands messages over; raises Unavailable without a usable answer, Refused for a bad recipient."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        seconds: float = 5.0,
        at_once: int = 16,
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = Wire(
            client,
            system="messenger",
            base_url=f"{base_url.rstrip('/')}/v1",
            seconds=seconds,
            at_once=at_once,
        )

    async def send_mail(self, to: str, subject: str, text: str, *, key: str) -> None:
        """One mail per `key`, however often it is asked for."""
        body = {"to": to, "subject": subject, "text": text}
        await self._wire.call("mail", "POST", "/mail", json=body, key=key)

    async def send_to_each(
        self, addresses: Iterable[str], subject: str, text: str, *, key: str
    ) -> None:
        """One mail to each for `key`, whoever else is written to; an address that is refused costs the others nothing."""
        for address in addresses:
            name = hashlib.sha256(address.encode()).hexdigest()[:16]
            try:
                await self.send_mail(address, subject, text, key=f"{key}-{name}")
            except Refused:
                continue

    async def send_sms(self, to: str, text: str, *, key: str) -> None:
        """One text message per `key`; `to` in international form, `+16045550100`."""
        await self._wire.call("sms", "POST", "/sms", json={"to": to, "text": text}, key=key)
