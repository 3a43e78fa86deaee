"""Pages by WordPress's REST API (https://developer.wordpress.org/rest-api/reference/pages), in the language of the
caller as its plugins for languages (Polylang, WPML) choose it: `lang` (shell spec 7)."""

import html
from typing import Literal

import httpx
import structlog
from anyio import CapacityLimiter, to_thread
from pydantic import BaseModel, TypeAdapter, ValidationError

from domain.content.pages import Language, Page, PageNotFound
from providers.content.markup import TooDeep, read
from providers.errors import Unavailable
from providers.http import HttpClient

log = structlog.get_logger()

SYSTEM = "content"
MOST_BYTES = 1_000_000
"""The longest page has a hundred thousand."""
FIELDS = "id,slug,lang,title.rendered,content.rendered"


class _Rendered(BaseModel):
    rendered: str


class _Page(BaseModel):
    slug: str
    title: _Rendered
    content: _Rendered


_PAGES: TypeAdapter[tuple[_Page, ...]] = TypeAdapter(tuple[_Page, ...])


class Content:
    """Reads pages. Nothing is written there."""

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 3.0, at_once: int = 16
    ) -> None:
        """`base_url` is the site's, without `/wp-json`; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = HttpClient(
            client,
            system=SYSTEM,
            base_url=f"{base_url.rstrip('/')}/wp-json/wp/v2",
            seconds=seconds,
            at_once=at_once,
            most_bytes=MOST_BYTES,
            complain=_no_refusal,
        )
        self._limiter: CapacityLimiter | None = None

    async def page(self, page_id: str, language: Language) -> Page:
        """The page of this slug, or of this number, in English when it has no other. A translation has another number than the
        page, and the same slug. Raises PageNotFound, Unavailable."""
        slug, english = page_id, None
        if page_id.isdecimal():
            english = await self._find("include", page_id, "en")
            if english is None:
                raise PageNotFound
            slug = english.slug
        found = None if language == "en" else await self._find("slug", slug, language)
        if found is None:
            found, language = english or await self._find("slug", slug, "en"), "en"
        if found is None:
            raise PageNotFound
        try:
            blocks, slides = await to_thread.run_sync(
                read, page_id, found.content.rendered, limiter=self._one_at_a_time()
            )
        except TooDeep:
            log.error("outside_answer_unreadable", system=SYSTEM, operation="page")
            raise Unavailable(system=SYSTEM, may_have_worked=True) from None
        return Page(
            id=page_id,
            language=language,
            title=html.unescape(found.title.rendered),
            blocks=blocks,
            slides=slides,
        )

    def _one_at_a_time(self) -> CapacityLimiter:
        """A thread for markup: the longest takes a second, in which everybody else is answered."""
        # A limiter belongs to the running loop, which a constructor may not have yet.
        if self._limiter is None:
            self._limiter = CapacityLimiter(1)
        return self._limiter

    async def _find(
        self, by: Literal["include", "slug"], which: str, language: Language
    ) -> _Page | None:
        asked = {by: which, "lang": language, "_fields": FIELDS, "per_page": 1}
        answer = await self._wire.call("page", "GET", "/pages", params=asked)
        try:
            found = _PAGES.validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("page", error) from error
        return found[0] if found else None


def _no_refusal(_: bytes) -> None:
    """A page that is not there is an answer, an empty list: no other one is about the page."""
