"""Connected accounts, after Stripe Connect: made, onboarded on the provider's own page, asked for more later.

`acct_demo_<state>_<tag>` always exists; its state is `complete`, `incomplete`, `refused` or `returned`. Elsewhere the name of
the business decides what becomes of its transfers (`transfers.py`). `POST /cards/_accounts/{id}` {currently_due?, transfers?,
told?} is what the provider thinks of later: details that it wants, and whether money can be sent there.
"""

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict

from simulators.cards.desk import (
    Desk,
    Form,
    Problem,
    desk_of,
    missing,
    nested,
    new_id,
    now,
    parse_form,
    required,
)
from simulators.cards.events import queue_event
from simulators.cards.objects import shown

router = APIRouter(prefix="/cards")

LINK_SECONDS = 300
DEMO = re.compile(r"^acct_demo_(?P<state>complete|incomplete|refused|returned)_[a-z0-9]+$")
_NAMES = {"refused": "TRANSFER-REFUSED", "returned": "TRANSFER-RETURNED"}
_DUE = ("business_profile.url", "external_account", "tos_acceptance.date")
_ACCOUNT = {"type", "country", "email", "business_profile", "capabilities", "metadata"}
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body><main><h1>{title}</h1>{body}</main></body></html>"""
_ASK = """<form method="post"><button name="answer" value="complete">Submit details</button>
<button name="answer" value="later">Save for later</button></form>"""


class Later(BaseModel):
    """`told` False: its event is lost."""

    model_config = ConfigDict(extra="forbid")

    currently_due: list[str] | None = None
    transfers: Literal["active", "inactive", "pending"] | None = None
    told: bool = True


def account(desk: Desk, id: str) -> dict[str, Any]:
    """Raises Problem."""
    found = desk.paying.find("account", id)
    if found is None and (demo := DEMO.match(id)):
        name = _NAMES.get(demo["state"], "Demo")
        found = _new_account(id, {"business_profile": {"name": name}})
        if demo["state"] != "incomplete":
            found |= _completed(found)
        desk.paying.put("account", found)
    if found is None:
        raise missing("account", id, "account")
    return found


def name_of(desk: Desk, id: str) -> str:
    """What faults and known inputs go by."""
    try:
        return account(desk, id)["business_profile"]["name"] or ""
    except Problem:
        return ""


@router.post("/v1/accounts")
async def create_account(request: Request) -> Response:
    desk = desk_of(request)

    def work(form: Form) -> dict[str, Any]:
        if form.get("type") != "express":
            raise Problem(400, "Invalid type: must be express", param="type")
        made = _new_account(new_id("acct"), form)
        desk.paying.put("account", made)
        return shown(made)

    return await desk.change(
        request,
        "account",
        _ACCOUNT,
        work,
        reference=lambda form: str((nested(form, "business_profile") or {}).get("name", "")),
    )


@router.get("/v1/accounts/{id}")
async def read_account(request: Request, id: str) -> Response:
    desk = desk_of(request)
    return await desk.read(request, lambda _: shown(account(desk, id)))


@router.post("/v1/account_links")
async def create_link(request: Request) -> Response:
    desk = desk_of(request)

    def work(form: Form) -> dict[str, Any]:
        found = account(desk, required(form, "account"))
        if form.get("type") != "account_onboarding":
            raise Problem(400, "Invalid type: must be account_onboarding", param="type")
        knobs = desk.paying.find("knob", "account_links") or {"seconds": LINK_SECONDS}
        link = {
            "id": new_id("acclink"),
            "account": found["id"],
            "refresh_url": required(form, "refresh_url"),
            "return_url": required(form, "return_url"),
            "expires_at": now() + int(knobs["seconds"]),
        }
        desk.paying.put("account_link", link)
        url = f"{desk.own_url}/cards/connect/{link['id']}"
        return {"object": "account_link", "created": now(), "expires_at": link["expires_at"], "url": url}  # fmt: skip

    return await desk.change(
        request, "account link", {"account", "refresh_url", "return_url", "type"}, work
    )


@router.post("/v1/accounts/{id}/login_links")
async def create_login(request: Request, id: str) -> Response:
    desk = desk_of(request)

    def work(_: Form) -> dict[str, Any]:
        if not account(desk, id)["details_submitted"]:
            raise Problem(
                400, "Cannot create a login link for an account that has not completed onboarding."
            )
        url = f"{desk.own_url}/cards/express/{new_id('lael')}"
        return {"object": "login_link", "created": now(), "url": url}

    return await desk.change(request, "login link", set(), work)


@router.get("/connect/{link_id}")
async def onboard(request: Request, link_id: str) -> Response:
    """The page that an account link opens; one that has expired or was used sends back for another."""
    desk = desk_of(request)
    link = desk.paying.find("account_link", link_id)
    if link is None:
        return HTMLResponse("Not Found", 404)
    if link["expires_at"] <= now():
        return RedirectResponse(link["refresh_url"], 303)
    return HTMLResponse(_PAGE.format(title="Your payout account", body=_ASK))


@router.post("/connect/{link_id}")
async def onboarded(request: Request, link_id: str) -> Response:
    desk = desk_of(request)
    form = parse_form((await request.body()).decode("utf-8", "replace"))
    link = desk.paying.find("account_link", link_id)
    if link is None:
        return HTMLResponse("Not Found", 404)
    if link["expires_at"] <= now():
        return RedirectResponse(link["refresh_url"], 303)
    with desk.paying.state.transaction():
        desk.paying.put("account_link", link | {"expires_at": 0})
        if form.get("answer") == "complete":
            complete(desk, link["account"])
    return RedirectResponse(link["return_url"], 303)


@router.get("/express/{id}")
async def express(id: str) -> HTMLResponse:
    """The page that a login link opens."""
    return HTMLResponse(_PAGE.format(title="Payout dashboard", body="<p>Your payouts.</p>"))


@router.post("/_accounts/links")
async def link_seconds(
    request: Request, seconds: Annotated[int, Query(ge=0, le=86_400)]
) -> dict[str, int]:
    """For how long account links are good from now on."""
    desk_of(request).paying.put("knob", {"id": "account_links", "seconds": seconds})
    return {"seconds": seconds}


@router.post("/_accounts/{id}")
async def later(request: Request, id: str, change: Later) -> dict[str, Any]:
    """What the provider asks for, or does, some time after."""
    desk = desk_of(request)
    with desk.paying.state.transaction():
        try:
            found = account(desk, id)
        except Problem as problem:
            raise HTTPException(problem.status, problem.body["error"]) from None
        if change.currently_due is not None:
            found["requirements"] |= {"currently_due": change.currently_due}
        if change.transfers is not None:
            found["capabilities"] |= {"transfers": change.transfers}
            found["payouts_enabled"] = change.transfers == "active"
        desk.paying.put("account", found)
        if change.told:
            queue_event(desk, "account.updated", shown(found), account=id)
    return shown(found)


def complete(desk: Desk, id: str) -> None:
    """The business has given all that was asked for."""
    found = account(desk, id)
    found |= _completed(found)
    desk.paying.put("account", found)
    queue_event(desk, "account.updated", shown(found), account=id)


def _new_account(id: str, form: Form) -> dict[str, Any]:
    profile = nested(form, "business_profile") or {}
    return {
        "id": id,
        "object": "account",
        "business_profile": {"name": profile.get("name"), "url": None},
        "capabilities": {"transfers": "inactive"},
        "charges_enabled": False,
        "country": form.get("country", "US"),
        "created": now(),
        "default_currency": "usd",
        "details_submitted": False,
        "email": form.get("email"),
        "metadata": form.get("metadata", {}),
        "payouts_enabled": False,
        "requirements": _requirements(list(_DUE)),
        "type": "express",
    }


def _completed(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "details_submitted": True,
        "payouts_enabled": True,
        "charges_enabled": True,
        "capabilities": found["capabilities"] | {"transfers": "active"},
        "requirements": _requirements([]),
    }


def _requirements(due: list[str]) -> dict[str, Any]:
    return {
        "alternatives": [],
        "current_deadline": None,
        "currently_due": due,
        "disabled_reason": None,
        "errors": [],
        "eventually_due": due,
        "past_due": [],
        "pending_verification": [],
    }
