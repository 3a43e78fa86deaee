"""A page's markup, cleaned by an allow-list (nh3) and read into the blocks we know.

What the block editor writes is known by its elements: headings, paragraphs, lists, `figure`s with a picture, a film or a
table, `hr`. A Cover block (`div.wp-block-cover`) is a slide: its picture, heading, paragraph and button. Whatever is of
another kind, or has an address we would not follow, is left out and logged; the rest of the page stands. Words and links
that are in no paragraph, as a button's and some quotes' are, become one.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import nh3
import structlog
from pydantic import TypeAdapter, ValidationError

from domain.content.pages import Block, Slide

log = structlog.get_logger()

COVER = "wp-block-cover"
_BLOCK: TypeAdapter[Block] = TypeAdapter(Block)
_MARKS = {"a", "b", "strong", "i", "em", "u", "s", "code", "mark", "sub", "sup", "br"}
_HEADINGS = {"h2": 2, "h3": 3, "h4": 4}
_BLOCKS = {"p", "ul", "ol", "li", "figure", "figcaption", "img", "video", "hr", "div", *_HEADINGS}
_TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
_VOID = {"img", "br", "hr"}
_ALONE = _VOID | {"area", "base", "col", "embed", "input", "link", "meta", "source", "track", "wbr"}
"""What has no end."""
_FOREIGN = re.compile(r"<(iframe|form)\b", re.IGNORECASE)
"""What goes with all that is in it."""
_CLEANER = nh3.Cleaner(
    tags=_MARKS | _BLOCKS | _TABLE,
    clean_content_tags={"script", "style", "iframe", "form"},
    attributes={
        "a": {"href"},
        "img": {"src", "alt"},
        "video": {"src", "title", "aria-label"},
        "div": set(),
    },
    allowed_classes={"div": {COVER}},
    url_schemes={"http", "https", "mailto", "tel"},
    link_rel=None,
)


_DEEPEST = 100
"""Levels of elements that are read; what is deeper is left out."""
_DEEPEST_CLEANED = 2_000
"""Levels that are cleaned at all: the time of that grows with their square."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")


class TooDeep(ValueError):
    """Markup that nobody wrote as a page."""


@dataclass
class _Element:
    name: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    inside: "list[_Element | str]" = field(default_factory=list["_Element | str"])

    def elements(self) -> "Iterator[_Element]":
        return (one for one in self.inside if isinstance(one, _Element))

    def all(self, *names: str) -> "Iterator[_Element]":
        """Those of these names, however deep, in the order of the page."""
        for one in self.elements():
            if one.name in names:
                yield one
            yield from one.all(*names)

    def first(self, *names: str) -> "_Element | None":
        return next(self.all(*names), None)

    @property
    def text(self) -> str:
        """With its inline marks and nothing else."""
        return "".join(_written(one) for one in self.inside).strip()

    @property
    def words(self) -> str:
        """Without any marks."""
        return "".join(one if isinstance(one, str) else one.words for one in self.inside).strip()


def read(page_id: str, markup: str) -> tuple[tuple[Block, ...], tuple[Slide, ...]]:
    """Blocks and slides in the order of the page. In time that its length bounds. Raises TooDeep."""
    _check_depth(markup)
    blocks: list[Block] = []
    slides: list[Slide] = []
    for kind in _FOREIGN.findall(markup):
        log.warning("content_block_left_out", page=page_id, kind=kind.lower())
    grown = _Grower.of(_CLEANER.clean(markup))
    if grown.is_cut:
        log.warning("content_block_left_out", page=page_id, kind="deep")
    for one in _top(grown.root):
        try:
            if one.attributes.get("class") == COVER:
                slides.append(Slide.model_validate(_slide(one)))
            else:
                blocks.extend(_BLOCK.validate_python(block) for block in _blocks(one))
                if one.name not in _READERS and one.name not in _HEADINGS:
                    log.warning("content_block_left_out", page=page_id, kind=one.name)
        except ValidationError:
            log.warning("content_block_left_out", page=page_id, kind=one.name)
    return tuple(blocks), tuple(slides)


def _check_depth(markup: str) -> None:
    """Counted before it is cleaned; what closes itself, or is never closed, counts as a level."""
    depth = 0
    for closes, name in _TAG.findall(markup):
        if closes:
            depth = max(depth - 1, 0)
        elif name.lower() not in _ALONE:
            depth += 1
            if depth > _DEEPEST_CLEANED:
                raise TooDeep


def _top(parent: _Element) -> Iterator[_Element]:
    """Groups and columns are only laid out: what is in them follows each other. Bare words between them are a paragraph."""
    words = _Element("p")
    for one in parent.inside:
        if isinstance(one, str) or (one.name in _MARKS and not any(one.all(*_BLOCKS, *_TABLE))):
            words.inside.append(one)
            continue
        yield words
        words = _Element("p")
        is_group = one.name == "div" and one.attributes.get("class") != COVER
        if is_group or one.name in _MARKS:
            yield from _top(one)
        else:
            yield one
    yield words


def _blocks(one: _Element) -> Iterable[dict[str, Any]]:
    if one.name in _HEADINGS:
        yield {"type": "header", "level": _HEADINGS[one.name], "text": one.text}
    elif reader := _READERS.get(one.name):
        yield from reader(one)


def _paragraph(one: _Element) -> Iterable[dict[str, Any]]:
    if one.text:
        yield {"type": "paragraph", "text": one.text}


def _list(one: _Element) -> Iterable[dict[str, Any]]:
    style = "ordered" if one.name == "ol" else "unordered"
    yield {"type": "list", "style": style, "items": list(_items(one))}


def _items(one: _Element) -> Iterator[str]:
    """Those of a list inside an item follow it."""
    for item in one.elements():
        if item.name != "li":
            continue
        own = _Element("li", inside=[each for each in item.inside if not _is_list(each)])
        if own.text:
            yield own.text
        for each in filter(_is_list, item.elements()):
            yield from _items(each)


def _is_list(one: "_Element | str") -> bool:
    return isinstance(one, _Element) and one.name in ("ul", "ol")


def _figure(one: _Element) -> Iterable[dict[str, Any]]:
    caption = one.first("figcaption")
    for inside in one.all("img", "video", "table"):
        for block in _READERS[inside.name](inside):
            is_picture = block["type"] == "image"
            yield {**block, "caption": caption.text if caption else ""} if is_picture else block


def _image(one: _Element) -> Iterable[dict[str, Any]]:
    yield {"type": "image", "url": one.attributes.get("src"), "alt": one.attributes.get("alt", "")}


def _video(one: _Element) -> Iterable[dict[str, Any]]:
    title = one.attributes.get("aria-label") or one.attributes.get("title", "")
    yield {"type": "media", "url": one.attributes.get("src"), "title": title}


def _table(one: _Element) -> Iterable[dict[str, Any]]:
    """Its head is the first row, as ours all have one."""
    rows = [[cell.text for cell in row.all("th", "td")] for row in one.all("tr")]
    if rows:
        yield {"type": "table", "head": rows[0], "rows": rows[1:]}


def _line(_: _Element) -> Iterable[dict[str, Any]]:
    yield {"type": "delimiter"}


_READERS: dict[str, Callable[[_Element], Iterable[dict[str, Any]]]] = {
    "p": _paragraph,
    "ul": _list,
    "ol": _list,
    "figure": _figure,
    "img": _image,
    "video": _video,
    "table": _table,
    "hr": _line,
}


def _slide(cover: _Element) -> dict[str, Any]:
    picture, heading = cover.first("img"), cover.first(*_HEADINGS)
    words, link = cover.first("p"), cover.first("a")
    return {
        "title": heading.words if heading else "",
        "text": words.words if words else "",
        "image": picture.attributes.get("src") if picture else None,
        "alt": picture.attributes.get("alt", "") if picture else "",
        "link": link.attributes.get("href") if link else None,
        "link_label": link.words if link else None,
    }


def _written(one: "_Element | str") -> str:
    if isinstance(one, str):
        return html.escape(one, quote=False)
    inside = "".join(_written(each) for each in one.inside)
    if one.name not in _MARKS:
        return inside
    if one.name == "br":
        return "<br>"
    href = one.attributes.get("href")
    if one.name == "a":
        return f'<a href="{html.escape(href)}">{inside}</a>' if href else inside
    return f"<{one.name}>{inside}</{one.name}>"


class _Grower(HTMLParser):
    """The tree of markup that was cleaned before: everything in it is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Element("")
        self.is_cut = False
        self._open = [self.root]
        self._left_out = 0
        """Elements that are open and too deep."""

    @classmethod
    def of(cls, markup: str) -> "_Grower":
        grower = cls()
        grower.feed(markup)
        grower.close()
        return grower

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._left_out or len(self._open) > _DEEPEST:
            self.is_cut = True
            self._left_out += tag not in _VOID
            return
        one = _Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].inside.append(one)
        if tag not in _VOID:
            self._open.append(one)

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            self._left_out -= 1
        elif self._open[-1].name == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self._open[-1].inside.append(data)
