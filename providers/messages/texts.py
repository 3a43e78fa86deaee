"""Text messages, by Twilio's Messages (https://www.twilio.com/docs/messaging/api/message-resource)."""

from base64 import b64encode

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from providers.http import HttpClient

log = structlog.get_logger()

SYSTEM = "SMS"
_VERSION = "2010-04-01"


class _Message(BaseModel):
    sid: str


class _Account(BaseModel):
    status: str


class _Fault(BaseModel):
    code: int


_NO_NUMBER = "This is no phone number that can be reached."
_NO_TEXTS = "This number takes no text messages."
_OF_THE_RECIPIENT = {
    21211: _NO_NUMBER,
    21214: _NO_NUMBER,
    21217: _NO_NUMBER,
    21610: "This number has asked for no more text messages from us.",
    21612: _NO_TEXTS,
    21614: _NO_TEXTS,
}
"""What is said of a refusal by the provider's code (https://www.twilio.com/docs/api/errors). Any other code is of our own
set-up: the sender, the region, the account."""


class Texts:
    """`account` is the account's SID; `sender` a number in international form, or the SID of a messaging service."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        account: str,
        token: str,
        sender: str,
        seconds: float = 5.0,
        at_once: int = 16,
    ) -> None:
        """`base_url` without the version; `seconds` limits each call; `at_once` the calls under way."""
        self._account = account
        self._from = {"MessagingServiceSid" if sender.startswith("MG") else "From": sender}
        self._wire = HttpClient(
            client,
            system=SYSTEM,
            base_url=f"{base_url.rstrip('/')}/{_VERSION}/Accounts/{account}",
            headers={"Authorization": f"Basic {b64encode(f'{account}:{token}'.encode()).decode()}"},
            seconds=seconds,
            at_once=at_once,
            complain=_complaint,
        )

    async def send(self, to: str, text: str) -> str:
        """Answers the message's SID; `to` in international form, `+16045550100`. The API knows no key that would tell a repeat
        from a second message. Raises Unavailable without a usable answer, Refused for a number that takes none."""
        form = {"To": to, "Body": text, **self._from}
        answer = await self._wire.call("sms", "POST", "/Messages.json", form=form)
        try:
            return _Message.model_validate_json(answer).sid
        except ValidationError as error:
            raise self._wire.unreadable("sms", error) from None

    async def account(self) -> str:
        """How the account stands: `active`, or what keeps it from sending. Sends nothing."""
        answer = await self._wire.call("account", "GET", ".json")
        try:
            return _Account.model_validate_json(answer).status
        except ValidationError as error:
            raise self._wire.unreadable("account", error) from None


def _complaint(body: bytes) -> tuple[str, str] | None:
    """What is wrong with a number is told to whoever typed it; the rest is not theirs to mend."""
    try:
        fault = _Fault.model_validate_json(body).code
    except ValidationError:
        return None
    if fault in _OF_THE_RECIPIENT:
        return "refused", _OF_THE_RECIPIENT[fault]
    log.error("text_message_not_set_up", system=SYSTEM, fault=fault)
    return None
