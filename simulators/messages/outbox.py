"""What was taken of both kinds, for anyone to read: as a list for tests, and as a page for people."""

import email
import email.policy
import html
import time
from email.message import EmailMessage
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, Response

from simulators.state import State

router = APIRouter(prefix="/messenger")

_EVERYTHING = """
select * from (
    select seq, at, 'mail' as kind, recipient as 'to', subject, text, html, papers, message_id,
        request_id from mail
    union all
    select seq, at, 'sms', recipient, '', text, '', '', sid, request_id from text_message
) where (?1 is null or "to" = ?1) order by at, seq
"""
_SHOWN = 100


@router.get("/_outbox")
async def outbox(request: Request, to: str | None = None) -> dict[str, Any]:
    """What was accepted, oldest first; narrowed to one recipient."""
    return {"results": _taken(request.app.state.file, to)}


@router.get("/mail/{seq}/raw")
async def raw(request: Request, seq: int) -> Response:
    """A mail as it came."""
    return Response(_content(request.app.state.file, seq), media_type="message/rfc822")


@router.get("/mail/{seq}/parts/{cid}")
async def part(request: Request, seq: int, cid: str) -> Response:
    """A picture inside a mail."""
    for one in _mail(request, seq).walk():
        if one["Content-ID"] == f"<{cid}>":
            return Response(one.get_content(), media_type=one.get_content_type())
    raise HTTPException(404, "No such part")


@router.get("/mail/{seq}/papers/{name}")
async def paper(request: Request, seq: int, name: str) -> Response:
    """A paper that came with a mail."""
    for one in _mail(request, seq).iter_attachments():
        if one.get_filename() == name:
            return Response(one.get_content(), media_type=one.get_content_type())
    raise HTTPException(404, "No such paper")


@router.get("/", response_class=HTMLResponse)
async def mailbox(request: Request, to: Annotated[str | None, Query()] = None) -> str:
    """The newest first, as people read them. Mails stand in frames that run nothing."""
    newest = _taken(request.app.state.file, to or None)[: -_SHOWN - 1 : -1]
    shown = "".join(_shown(one) for one in newest) or "<p>Nothing was sent yet.</p>"
    asked = html.escape(to or "", quote=True)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Messages</title>"
        "<style>body{font:16px/1.5 sans-serif;max-width:720px;margin:2rem auto;padding:0 1rem}"
        "article{border:1px solid #ccd;border-radius:8px;padding:1rem;margin:1rem 0}"
        "iframe{width:100%;height:420px;border:0}pre{white-space:pre-wrap}</style>"
        "<h1>Messages that were sent</h1><form><label>To "
        f'<input name=to value="{asked}"></label> <button>Show</button></form>{shown}'
    )


def _shown(one: dict[str, Any]) -> str:
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(one["at"]))
    head = f"<p>{at} UTC · {one['kind']} to {html.escape(one['to'])}</p>"
    if one["kind"] == "sms":
        return f"<article>{head}<pre>{html.escape(one['text'])}</pre></article>"
    papers = " · ".join(
        f'<a href="/messenger/mail/{one["seq"]}/papers/{html.escape(name)}">{html.escape(name)}</a>'
        for name in one["papers"].split()
    )
    body = one["html"].replace("cid:", f"/messenger/mail/{one['seq']}/parts/")
    return (
        f"<article>{head}<h2>{html.escape(one['subject'])}</h2><p>{papers}</p>"
        f'<iframe sandbox title="{html.escape(one["subject"], quote=True)}" '
        f'srcdoc="{html.escape(body, quote=True)}"></iframe></article>'
    )


def _taken(state: State, to: str | None) -> list[dict[str, Any]]:
    with state.transaction() as db:
        return [dict(row) for row in db.execute(_EVERYTHING, (to,)).fetchall()]


def _mail(request: Request, seq: int) -> EmailMessage:
    content = _content(request.app.state.file, seq)
    return email.message_from_bytes(content, policy=email.policy.default)


def _content(state: State, seq: int) -> bytes:
    with state.transaction() as db:
        row = db.execute("select content from mail where seq = ?", (seq,)).fetchone()
    if row is None:
        raise HTTPException(404, "No such mail")
    return bytes(row["content"])
