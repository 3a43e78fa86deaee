"""Text messages after Twilio's Messages (https://www.twilio.com/docs/messaging/api/message-resource): kept, sent nowhere.

`POST /sms/2010-04-01/Accounts/{Sid}/Messages.json`, signed in by basic auth, takes a form with `To`, `Body` and `From` or
`MessagingServiceSid`, and answers 201 with a message that is `queued`; `GET …/Messages/{Sid}.json` reads it,
`GET …/Accounts/{Sid}.json` the account. Errors are {code, message, more_info, status}. Sentinels, by the last four digits:
    …0001  400 21211, no such number      …0004  first reply lost: kept, answered 504
    …0002  503, always                    …0005  accepted after 4 s
    …0003  503 twice, then accepted       …0006  429 20429, always
    …0007  accepted, and never delivered: reads as `undelivered`, 30005
"""

import asyncio
import hmac
import re
import secrets
import time
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBasic, HTTPBasicCredentials

from simulators import asking
from simulators.state import State, fails

router = APIRouter(prefix="/sms/2010-04-01/Accounts/{account}")

ACCOUNT = "AC" + "0" * 32
TOKEN = "turnkey-development-sms-token"
SLOW_SECONDS = 4
_NUMBER = re.compile(r"\+[1-9]\d{7,14}")
_signed_in = HTTPBasic(auto_error=False)

Credentials = Annotated[HTTPBasicCredentials | None, Depends(_signed_in)]


class Fault(Exception):
    """An error as Twilio words it."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def answer(self) -> JSONResponse:
        return JSONResponse(
            {
                "code": self.code,
                "message": str(self),
                "more_info": f"https://www.twilio.com/docs/errors/{self.code}",
                "status": self.status,
            },
            self.status,
        )


@router.get(".json")
async def read_account(request: Request, account: str, credentials: Credentials) -> JSONResponse:
    try:
        _let_in(request, account, credentials)
    except Fault as fault:
        return fault.answer()
    return JSONResponse({"sid": account, "friendly_name": "Stand-in", "status": "active"})


@router.post("/Messages.json")
async def create_message(request: Request, account: str, credentials: Credentials) -> JSONResponse:
    form = dict(parse_qsl((await request.body()).decode()))
    to, body = form.get("To", ""), form.get("Body", "")
    sender, service = form.get("From", ""), form.get("MessagingServiceSid", "")
    state: State = request.app.state.file
    kind = to[-4:]
    try:
        _let_in(request, account, credentials)
        _refuse_malformed(to, body, sender, service)
        if kind == "0006":
            raise Fault(429, 20429, "Too Many Requests")
        if kind == "0002" or (kind == "0003" and fails(state, to, times=2)):
            raise Fault(503, 20503, "Service Unavailable")
    except Fault as fault:
        return fault.answer()
    if kind == "0005":
        await asyncio.sleep(SLOW_SECONDS)
    sid = f"SM{secrets.token_hex(16)}"
    with state.transaction() as db:
        is_first = not db.execute(
            "select 1 from text_message where recipient = ?", (to,)
        ).fetchone()
        db.execute(
            "insert into text_message (at, sid, sender, recipient, text, request_id)"
            " values (?, ?, ?, ?, ?, ?)",
            (time.time(), sid, sender or service, to, body, asking.request_id()),
        )
    if kind == "0004" and is_first:
        return JSONResponse({"message": "Gateway Timeout"}, 504)
    message = _message(account, sid, sender, service, to, body)
    return JSONResponse({**message, "status": "queued"}, 201)


@router.get("/Messages/{sid}.json")
async def read_message(
    request: Request, account: str, sid: str, credentials: Credentials
) -> JSONResponse:
    try:
        _let_in(request, account, credentials)
        with request.app.state.file.transaction() as db:
            row = db.execute("select * from text_message where sid = ?", (sid,)).fetchone()
        if row is None:
            raise Fault(404, 20404, f"The requested resource {sid} was not found")
    except Fault as fault:
        return fault.answer()
    message = _message(account, sid, row["sender"], "", row["recipient"], row["text"])
    if row["recipient"].endswith("0007"):
        return JSONResponse({**message, "status": "undelivered", "error_code": 30005})
    return JSONResponse({**message, "status": "delivered"})


def _let_in(request: Request, account: str, typed: HTTPBasicCredentials | None) -> None:
    token: str = request.app.state.sms_token
    right = typed is not None and (
        hmac.compare_digest(typed.username.encode(), account.encode())
        and hmac.compare_digest(typed.password.encode(), token.encode())
    )
    if not right:
        raise Fault(401, 20003, "Authenticate")


def _refuse_malformed(to: str, body: str, sender: str, service: str) -> None:
    if not to:
        raise Fault(400, 21604, "A 'To' phone number is required.")
    if not _NUMBER.fullmatch(to) or to.endswith("0001"):
        raise Fault(400, 21211, f"Invalid 'To' Phone Number: {to[:4]}XXXX")
    if not (sender or service):
        raise Fault(400, 21603, "A 'From' phone number is required.")
    if sender and not _NUMBER.fullmatch(sender):
        raise Fault(400, 21212, "Invalid 'From' Phone Number.")
    if not body:
        raise Fault(400, 21602, "Message body is required.")
    if len(body) > 1600:
        raise Fault(400, 21617, "The concatenated message body exceeds the 1600 character limit.")


def _message(
    account: str, sid: str, sender: str, service: str, to: str, body: str
) -> dict[str, Any]:
    return {
        "sid": sid,
        "account_sid": account,
        "messaging_service_sid": service or None,
        "from": sender or None,
        "to": to,
        "body": body,
        "num_segments": str(len(body) // 160 + 1),
        "num_media": "0",
        "direction": "outbound-api",
        "error_code": None,
        "error_message": None,
        "price": None,
        "price_unit": "USD",
        "api_version": "2010-04-01",
        "uri": f"/2010-04-01/Accounts/{account}/Messages/{sid}.json",
    }
