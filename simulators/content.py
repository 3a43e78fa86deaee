"""The content provider: pages as titled lists of blocks.

`GET /content-provider/v1/pages/{id}?locale=fr` answers {id, locale, title, content: {blocks: [{type, data}]}, slides};
a page without a translation comes in English. The pages stand in `content_pages.json`. Sentinels, by id:
    down      503, always
    broken    an answer that is not a page
    hostile   scripts, odd addresses and unknown blocks between good ones
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

router = APIRouter(prefix="/content-provider")

_PAGES = Path(__file__).with_name("content_pages.json")

_HOSTILE = {
    "title": "<script>document.title='taken'</script>Hostile",
    "blocks": [
        {"type": "paragraph", "data": {"text": "Good <b>start</b><script>alert(1)</script>"}},
        {"type": "paragraph", "data": {"text": "<img src=x onerror=alert(1)>picture"}},
        {"type": "paragraph", "data": {"text": '<a href="javascript:alert(1)">press</a> me'}},
        {"type": "raw", "data": {"html": "<script>alert(1)</script>"}},
        {"type": "image", "data": {"file": {"url": "javascript:alert(1)"}, "alt": "x"}},
        {"type": "image", "data": {"file": "no object", "alt": "x"}},
        {"type": "media", "data": {"url": "//elsewhere.example/x.mp4", "title": "x"}},
        {"type": "paragraph", "data": {"text": '<a href="https://ok.example/a">Good end</a>'}},
    ],
    "slides": [{"title": "x", "text": "x", "image": "data:text/html,x", "alt": "x"}],
}


@router.get("/v1/pages/{page_id}")
async def page(
    page_id: str, locale: Annotated[str, Query(pattern="^(en|fr)$")] = "en"
) -> dict[str, Any]:
    if page_id == "down":
        raise HTTPException(503, "Service Unavailable")
    if page_id == "broken":
        return {"page": "not what was agreed"}
    languages = {"en": _HOSTILE} if page_id == "hostile" else _pages().get(page_id)
    if languages is None:
        raise HTTPException(404, "There is no such page.")
    language = locale if locale in languages else "en"
    held = languages[language]
    return {
        "id": page_id,
        "locale": language,
        "title": held["title"],
        "content": {"version": "2.30.7", "blocks": held.get("blocks", [])},
        "slides": held.get("slides", []),
    }


@cache
def _pages() -> dict[str, dict[str, Any]]:
    return json.loads(_PAGES.read_text("utf-8"))
