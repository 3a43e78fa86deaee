"""The page on which a payer confirms a payment to their bank (3-D Secure)."""

import html
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from simulators.cards import intents
from simulators.cards.desk import Problem, desk_of, parse_form

router = APIRouter(prefix="/cards")

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Confirm your payment</title></head>
<body><main><h1>Confirm your payment</h1><p>{amount} {currency}</p>
<form method="post" action="/cards/authenticate/{id}">
<input type="hidden" name="secret" value="{secret}"><input type="hidden" name="return_url" value="{back}">
<button name="answer" value="agree">Confirm</button> <button name="answer" value="refuse">Refuse</button>
</form></main></body></html>"""
_DONE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Thank you</title></head>
<body><main><h1>Thank you</h1><p>You can close this page.</p></main></body></html>"""


@router.get("/authenticate/{id}")
async def ask(
    request: Request,
    id: str,
    secret: Annotated[str, Query(max_length=200)] = "",
    return_url: Annotated[str, Query(max_length=2000)] = "",
) -> HTMLResponse:
    try:
        found = intents.intent(desk_of(request), id)
    except Problem:
        return HTMLResponse("Not Found", 404)
    if found["client_secret"] != secret:
        return HTMLResponse("Not Found", 404)
    return HTMLResponse(
        _PAGE.format(
            id=html.escape(id),
            secret=html.escape(secret),
            back=html.escape(return_url),
            amount=f"{found['amount'] / 100:.2f}",
            currency=html.escape(found["currency"].upper()),
        )
    )


@router.post("/authenticate/{id}")
async def answer(request: Request, id: str) -> Response:
    desk = desk_of(request)
    form = parse_form((await request.body()).decode("utf-8", "replace"))
    return_url = str(form.get("return_url", ""))
    try:
        found = intents.intent(desk, id)
    except Problem:
        return HTMLResponse("Not Found", 404)
    if found["client_secret"] != form.get("secret"):
        return HTMLResponse("Not Found", 404)
    with desk.paying.state.transaction():
        intents.authenticated(desk, id, agreed=form.get("answer") == "agree")
    if urlsplit(return_url).scheme in ("http", "https"):
        return RedirectResponse(return_url, 303)
    return HTMLResponse(_DONE)
