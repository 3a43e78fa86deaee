"""The content provider: pages of rich text in its own words, read into the blocks we know (shell spec 7).

A block or a slide of a kind we do not know, or with an address we would not follow, is left out and logged; the rest of
the page stands.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any
from urllib.parse import quote

import httpx
import structlog
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from domain.content.pages import Block, Language, Page, PageNotFound, Slide
from providers.errors import Refused
from providers.http import Wire

log = structlog.get_logger()

_BLOCK: TypeAdapter[Block] = TypeAdapter(Block)


class _RawBlock(BaseModel):
    type: str
    data: dict[str, Any] = {}


class _RawFile(BaseModel):
    url: str


class _RawImage(BaseModel):
    file: _RawFile


class _RawTable(BaseModel):
    content: Annotated[tuple[tuple[str, ...], ...], Field(min_length=1)]


class _RawContent(BaseModel):
    blocks: tuple[_RawBlock, ...] = ()


class _RawPage(BaseModel):
    id: str
    locale: Language
    title: str
    content: _RawContent
    slides: tuple[dict[str, Any], ...] = ()


class Content:
    """Reads pages. Nothing is written there."""

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 3.0, at_once: int = 16
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = Wire(
            client,
            system="content",
            base_url=f"{base_url.rstrip('/')}/v1",
            seconds=seconds,
            at_once=at_once,
        )

    async def page(self, page_id: str, language: Language) -> Page:
        """The page, in English when it has no other. Raises PageNotFound, Unavailable."""
        try:
            answer = await self._wire.call(
                "page", "GET", f"/pages/{quote(page_id, safe='')}", params={"locale": language}
            )
        except Refused as refusal:
            raise PageNotFound from refusal
        try:
            raw = _RawPage.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("page", error) from error
        return Page(
            id=raw.id,
            language=raw.locale,
            title=raw.title,
            blocks=tuple(_blocks(page_id, raw.content.blocks)),
            slides=tuple(_slides(page_id, raw.slides)),
        )


def _blocks(page_id: str, raw: Iterable[_RawBlock]) -> Iterable[Block]:
    for block in raw:
        try:
            yield _BLOCK.validate_python({**_translated(block), "type": block.type})
        except ValidationError:
            log.warning("content_block_left_out", page=page_id, kind=block.type[:40])


def _translated(block: _RawBlock) -> Mapping[str, Any]:
    """The provider nests a picture's address and keeps a table's head in its first row."""
    if block.type == "image":
        return {**block.data, "url": _RawImage.model_validate(block.data).file.url}
    if block.type == "table":
        head, *rows = _RawTable.model_validate(block.data).content
        return {"head": head, "rows": rows}
    return block.data


def _slides(page_id: str, raw: Iterable[Mapping[str, Any]]) -> Iterable[Slide]:
    for slide in raw:
        try:
            yield Slide.model_validate(slide)
        except ValidationError:
            log.warning("content_slide_left_out", page=page_id)
