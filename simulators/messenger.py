"""Mail and text messages: kept in an outbox that anyone may read.

`POST /messenger/v1/mail` {to, subject, text} and `/sms` {to, text} need an `Idempotency-Key`; the same key
again is answered alike and kept once. Sentinels, by the part before the @ or by the last four digits:
    refused@… or …0001  422, never accepted      down@… or …0002   503, always
    flaky@… or …0003    503 twice, then accepted  lost@… or …0004   first reply lost: kept, answered 504
    slow@… or …0005     accepted after 4 s
"""

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Request
from pydantic import BaseModel, Field

from simulators.state import State

router = APIRouter(prefix="/messenger")

_BY_NAME = {"refused": "refused", "down": "down", "flaky": "flaky", "lost": "lost", "slow": "slow"}
_BY_DIGITS = {"0001": "refused", "0002": "down", "0003": "flaky", "0004": "lost", "0005": "slow"}
SLOW_SECONDS = 4

Key = Annotated[str, Header(alias="Idempotency-Key", min_length=1, max_length=200)]


class Mail(BaseModel):
    to: Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$", max_length=320)]
    subject: Annotated[str, Field(max_length=300)]
    text: Annotated[str, Field(max_length=20_000)]


class Sms(BaseModel):
    to: Annotated[str, Field(pattern=r"^\+\d{8,15}$")]
    text: Annotated[str, Field(max_length=1_600)]


@router.post("/v1/mail")
async def mail(request: Request, body: Mail, key: Key) -> dict[str, str]:
    fault = _BY_NAME.get(body.to.split("@")[0].lower())
    await _take_time(fault)
    return _accept(request.app.state.file, key, fault, "mail", body.to, body.subject, body.text)


@router.post("/v1/sms")
async def sms(request: Request, body: Sms, key: Key) -> dict[str, str]:
    fault = _BY_DIGITS.get(body.to[-4:])
    await _take_time(fault)
    return _accept(request.app.state.file, key, fault, "sms", body.to, "", body.text)


@router.get("/_outbox")
async def outbox(request: Request, to: str | None = None) -> dict[str, Any]:
    """What was accepted, oldest first; narrowed to one recipient."""
    with request.app.state.file.transaction() as db:
        rows = db.execute(
            "select seq, at, kind, recipient as 'to', subject, body as text, idempotency_key"
            " from outbox where (?1 is null or recipient = ?1) order by seq",
            (to,),
        ).fetchall()
    return {"results": [dict(row) for row in rows]}


async def _take_time(fault: str | None) -> None:
    if fault == "slow":
        await asyncio.sleep(SLOW_SECONDS)


def _accept(
    state: State, key: str, fault: str | None, kind: str, to: str, subject: str, text: str
) -> dict[str, str]:
    if fault == "refused":
        raise HTTPException(422, "The recipient does not exist.")
    if fault == "down" or (fault == "flaky" and _fails(state, to, times=2)):
        raise HTTPException(503, "Service Unavailable")
    with state.transaction() as db:
        fresh = db.execute(
            "insert into outbox (at, kind, recipient, subject, body, idempotency_key)"
            " values (?, ?, ?, ?, ?, ?) on conflict do nothing",
            (time.time(), kind, to, subject, text, key),
        ).rowcount
    if fresh and fault == "lost":
        raise HTTPException(504, "Gateway Timeout")
    return {"status": "accepted"}


def _fails(state: State, to: str, *, times: int) -> bool:
    with state.transaction() as db:
        db.execute("insert or ignore into failure values (?, 0)", (to,))
        before = db.execute("select times from failure where recipient = ?", (to,)).fetchone()[0]
        db.execute("update failure set times = times + 1 where recipient = ?", (to,))
    return before < times
