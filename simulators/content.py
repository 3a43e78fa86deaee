"""The content provider after WordPress's REST API (https://developer.wordpress.org/rest-api/reference/pages).

`GET /content/wp-json/wp/v2/pages?slug=company-info&lang=fr&_fields=id,title.rendered` lists the pages that fit, with
`X-WP-Total` and `X-WP-TotalPages`; `include` asks by number, `page` and `per_page` part the list. `lang` is what plugins
for languages add: a translation has a number of its own, and the slug of its page.
`GET …/pages/{id}` reads one. The pages stand in `content_pages.json`: what the block editor renders.
`GET /content/_ledger?page=&after=` lists every request, by slug or number. Sentinels, by slug:
    down      503, always
    slow      answered after four seconds
    broken    an answer that is no list of pages
    misled    a proxy answers 404, with a page of its own
    hostile   scripts, odd addresses and unknown elements between good ones
"""

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse

from simulators.ledger import Ledger
from simulators.refusal import NotReached

router = APIRouter(prefix="/content")

KIND = "content"
SLOW_SECONDS = 4.0

_PAGES = Path(__file__).with_name("content_pages.json")

_HOSTILE = [
    "<p onclick='alert(1)'>Good <b>start</b><script>alert(1)</script></p>",
    "<p><img src=x onerror=alert(1)>picture &lt;img src=x onerror=alert(1)&gt;</p>",
    "<p><a href='javascript:alert(1)'>press</a> me</p>",
    "<script>alert(1)</script><style>p{display:none}</style><iframe src='//elsewhere.example'></iframe>",
    "<form action='//elsewhere.example'><input name=password></form>",
    "<figure class='wp-block-image'><img src='javascript:alert(1)' alt='x'></figure>",
    "<figure class='wp-block-image'><img alt='x'></figure>",
    "<figure class='wp-block-video'><video src='//elsewhere.example/x.mp4' title='x'></video></figure>",
    "<div class='wp-block-cover'><img src='data:text/html,x' alt='x'><h2>x</h2><p>x</p></div>",
    "<svg><script>alert(1)</script></svg><math><mtext><p>taken</p></mtext></math>",
    "<p><a href='https://ok.example/a?b=1&amp;c=2' onmouseover='alert(1)'>Good end</a></p>",
]


@router.get("/wp-json/wp/v2/pages")
async def pages(
    request: Request,
    slug: str | None = None,
    include: str | None = None,
    lang: str | None = None,
    fields: Annotated[str, Query(alias="_fields")] = "",
    page: Annotated[int, Query(ge=1)] = 1,
    per_page: Annotated[int, Query(ge=1, le=100)] = 10,
) -> JSONResponse:
    ledger: Ledger = request.app.state.ledger
    ledger.record(KIND, slug or include or "", None, status=503 if slug == "down" else 200)
    if slug == "slow":
        await asyncio.sleep(SLOW_SECONDS)
    if slug == "down":
        raise HTTPException(503, "Service Unavailable")
    if slug == "misled":
        raise NotReached
    if slug == "broken":
        return JSONResponse({"page": "not what was agreed"})
    slugs, numbers = (slug or "").split(","), (include or "").split(",")
    found = [
        one
        for one in _pages()
        if (slug is None or one["slug"] in slugs)
        and (include is None or str(one["id"]) in numbers)
        and (lang is None or one["lang"] == lang)
    ]
    shown = found[(page - 1) * per_page : page * per_page]
    headers = {"X-WP-Total": str(len(found)), "X-WP-TotalPages": str(-(-len(found) // per_page))}
    return JSONResponse([_narrowed(one, fields) for one in shown], headers=headers)


@router.get("/_ledger")
async def read_ledger(
    request: Request, page: str | None = None, after: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    ledger: Ledger = request.app.state.ledger
    return ledger.read(page, KIND, after)


@router.get("/wp-json/wp/v2/pages/{number}")
async def page(
    request: Request, number: int, fields: Annotated[str, Query(alias="_fields")] = ""
) -> JSONResponse:
    ledger: Ledger = request.app.state.ledger
    found = next((one for one in _pages() if one["id"] == number), None)
    ledger.record(KIND, str(number), None, status=404 if found is None else 200)
    if found is None:
        fault = {"code": "rest_post_invalid_id", "message": "Invalid post ID."}
        return JSONResponse({**fault, "data": {"status": 404}}, 404)
    return JSONResponse(_narrowed(found, fields))


def _narrowed(page: dict[str, Any], fields: str) -> dict[str, Any]:
    """`title.rendered` names what is inside; without names everything comes."""
    if not fields:
        return page
    narrowed: dict[str, Any] = {}
    for name, _, inner in (one.strip().partition(".") for one in fields.split(",")):
        if name in page:
            kept: dict[str, Any] = {inner: page[name].get(inner)} if inner else {}
            narrowed[name] = {**narrowed.get(name, {}), **kept} if inner else page[name]
    return narrowed


@cache
def _pages() -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = json.loads(_PAGES.read_text("utf-8"))
    hostile = {"title": "&lt;script&gt;document.title='taken'&lt;/script&gt;Hostile"}
    kept.append({"id": 13, "slug": "hostile", "lang": "en", **hostile, "content": _HOSTILE})
    return [_rendered(one) for one in kept]


def _rendered(one: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": one["id"],
        "date": "2026-11-01T09:00:00",
        "slug": one["slug"],
        "status": "publish",
        "type": "page",
        "link": f"https://content.example/{one['lang']}/{one['slug']}/",
        "lang": one["lang"],
        "title": {"rendered": one["title"]},
        "content": {"rendered": "\n\n\n".join(one["content"]), "protected": False},
        "excerpt": {"rendered": "", "protected": False},
    }
