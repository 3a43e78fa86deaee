"""Pages written elsewhere: rich text as a list of blocks, and the slides of the home page (shell spec 1, 2 and 7).

Text may carry inline marks (`<b>`, `<a href>`); it is never markup for us: the screens render an allow-list of them and
show the rest as text (promise 46).
"""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from domain.base import Frozen
from domain.errors import NotFound

HOME_CAROUSEL = 18724
"""The content page whose slides the home page shows (shell spec 7)."""

Language = Literal["en", "fr"]

_HTTP = re.compile(r"^https?://[^\s/?#\\]+[^\s\\]*$", re.IGNORECASE)
_OWN_PATH = re.compile(r"^/(?![/\\])[^\s\\]*$")


class PageNotFound(NotFound):
    code = "page_not_found"
    detail = "The page you are looking for does not exist."


def _safe_address(address: str) -> str:
    if not (_HTTP.match(address) or _OWN_PATH.match(address)):
        raise ValueError("neither http, https nor a path of ours")
    return address


Address = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_safe_address)]
"""Where a link may lead: http, https, or a path of the portal."""
Text = Annotated[str, StringConstraints(max_length=20_000)]


class Header(Frozen):
    type: Literal["header"] = "header"
    level: Annotated[int, Field(ge=2, le=4)]
    text: Text


class Paragraph(Frozen):
    type: Literal["paragraph"] = "paragraph"
    text: Text


class ListBlock(Frozen):
    type: Literal["list"] = "list"
    style: Literal["ordered", "unordered"]
    items: tuple[Text, ...]


class Image(Frozen):
    """`alt` says what is to be seen; empty for decoration."""

    type: Literal["image"] = "image"
    url: Address
    alt: Text
    caption: Text = ""


class Media(Frozen):
    """A film; `title` says what it shows."""

    type: Literal["media"] = "media"
    url: Address
    title: Text


class Table(Frozen):
    type: Literal["table"] = "table"
    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


class Delimiter(Frozen):
    type: Literal["delimiter"] = "delimiter"


Block = Annotated[
    Header | Paragraph | ListBlock | Image | Media | Table | Delimiter, Field(discriminator="type")
]


class Slide(Frozen):
    """One picture of the carousel with its words and, possibly, where it leads."""

    title: Text
    text: Text
    image: Address
    alt: Text
    link: Address | None = None
    link_label: Text | None = None


class Page(Frozen):
    """`language` is the one it is written in, which may not be the one asked for."""

    id: str
    language: Language
    title: Text
    blocks: tuple[Block, ...]
    slides: tuple[Slide, ...] = ()


class SiteLinks(Frozen):
    """What the settings say of the portal's surroundings; addresses that are empty have no link."""

    wiki: str
    bulb_search: str
    community: str


class Features(Frozen):
    """Parts that can be switched off: their screens are hidden and their calls refused. Of a source of wiring only its option
    goes."""

    mfa: bool
    card_payments: bool
    wiring_diagrams: bool
    t_harness: bool
    ads_wiring: bool
    automob_wiring: bool
    default_pins: bool = False
