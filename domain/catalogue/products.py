"""Products, what they are sorted and filtered by, and what is said about them (shop spec 2, 3 and 9)."""

import re
import unicodedata
from datetime import date
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.catalogue.pricing import DisplayPrice
from domain.content.pages import Block
from domain.errors import NotFound
from domain.money import Money

PAGE_SIZE = 8
MOST_AT_ONCE = 100
"""Shop spec 9."""
PREVIOUSLY_PURCHASED = 8
PRODUCT_CACHE_SECONDS = 160
"""How long a product's page is kept (shop spec 9). Prices and stock are never kept."""
LOW_STOCK = 5
"""From this number on down, a product is said to be low. Our choice."""
APPROVED = "approved"
"""The value of the brand filter that stands for the caller's approved brands (shop spec 2; rulings "Calls")."""
LONGEST_TERM = 120
FEWEST_LETTERS = 3
"""A term must have so many to be looked for by likeness, or to jump to a product. Our choice."""

LONGEST_RANGE = 40
"""Years that a range in a title may hold; a longer one is none. Our choice."""

_WORD = re.compile(r"[0-9a-z]+")
_YEARS = re.compile(r"(?<![0-9-])((?:19|20)[0-9]{2})\s?[-–/]\s?((?:19|20)?[0-9]{2})(?![0-9-])")


class LastBought(Frozen):
    """How a business bought a product the last time, a piece of it for `unit_price`."""

    product_id: str
    quantity: int
    unit_price: Money
    bought_at: Utc


class Sort(StrEnum):
    """The first is the default (shop spec 2). The last is offered with a term (rulings "Later rulings")."""

    PRICE_DESC = "price-desc"
    PRICE_ASC = "price-asc"
    NAME_ASC = "name-asc"
    NAME_DESC = "name-desc"
    BEST_MATCH = "best-match"

    @property
    def is_by_price(self) -> bool:
        return self in (Sort.PRICE_DESC, Sort.PRICE_ASC)


class Availability(StrEnum):
    """What can be had: from stock, the last few, later, or not at all."""

    IN_STOCK = "in_stock"
    LOW = "low"
    BACKORDER = "backorder"
    NOT_FOR_SALE = "not_for_sale"


class Slugged(Frozen):
    """A brand or a category, with the number of its products."""

    name: str
    slug: str
    count: int = 0


class Stock(Frozen):
    """`on_hand` in pieces; `restock_on` when more is expected."""

    on_hand: int
    restock_on: date | None = None


class ProductSummary(Frozen):
    """A product in a list, at the price of its default variant."""

    id: str
    name: str
    sku: str
    variant_id: str
    brand: Slugged
    category: Slugged
    image: str
    case_quantity: int
    is_for_purchase: bool
    is_on_approved_list: bool
    stock: Stock
    tells_stock: bool = False
    """Whether the viewer is told how many are on hand."""
    figure: DisplayPrice

    @property
    def availability(self) -> Availability:
        return availability_of(self.stock, is_for_purchase=self.is_for_purchase)


class Attribute(Frozen):
    name: str
    slug: str
    values: tuple[str, ...]


class Variant(Frozen):
    id: str
    sku: str
    name: str
    stock: Stock
    figure: DisplayPrice


class ProductPage(Frozen):
    """What is told of a product beside its summary: nothing that depends on who asks or that changes by the minute."""

    product_id: str
    description: tuple[Block, ...]
    attributes: tuple[Attribute, ...]
    related: tuple[str, ...]
    accessories: tuple[str, ...]
    """Ids of products."""


class Sellable(Frozen):
    """A variant as carts and quick orders need it. `asked` is the SKU that it was asked by, an old one perhaps."""

    asked: str
    variant_id: str
    product_id: str
    sku: str
    name: str
    brand: str
    category: str = ""
    image: str
    case_quantity: int
    is_for_purchase: bool
    stock: Stock
    figure: DisplayPrice

    @property
    def is_alias(self) -> bool:
        return self.asked.upper() != self.sku


class Term(Frozen):
    """What somebody typed, ready to be looked for: `words` without accents and marks, in small letters. `is_void` where something
    was typed and no word is in it: no product has such a name, unlike where nothing was typed."""

    words: tuple[str, ...]
    sku: str
    is_void: bool = False

    @property
    def may_jump(self) -> bool:
        """Whether it is long enough to stand for one product."""
        return len(self.sku) >= FEWEST_LETTERS


class ProductMissing(NotFound):
    """Of a product or a list of products that is empty (shop spec 8)."""

    code = "product_missing"
    detail = "Not Found"


def read_term(typed: str) -> Term:
    """At most eight words count; what is no letter and no digit parts them, in SKUs too."""
    plain = unicodedata.normalize("NFKD", typed).encode("ascii", "ignore").decode().lower()
    words = tuple(_WORD.findall(plain))
    is_void = not words and bool(typed.strip())
    return Term(words=words[:8], sku="".join(words).upper(), is_void=is_void)


def words_of(*texts: str) -> str:
    """The text that a product is found by: each word, each SKU in one piece as well, and each year of a range."""
    found: dict[str, None] = {}
    for text in texts:
        for part in text.split():
            term = read_term(part)
            found.update(dict.fromkeys(term.words))
            if any(sign.isdigit() for sign in part) and "-" in part:
                found[term.sku.lower()] = None
    found.update(dict.fromkeys(str(year) for text in texts for year in years_in(text)))
    return " ".join(found)


def years_in(text: str) -> tuple[int, ...]:
    """The years of the ranges in a title: 2016-2021, also written 2016-21."""
    years: dict[int, None] = {}
    for first, last in _YEARS.findall(text):
        begin, end = int(first), int(last if len(last) == 4 else first[:2] + last)
        if begin < end < begin + LONGEST_RANGE:
            years.update(dict.fromkeys(range(begin, end + 1)))
    return tuple(years)


def slug_of(name: str) -> str:
    """As the addresses of the search page have it: "Remote Start + Security" is remote-start-security."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("+", "")).strip("-")


def suffix_of(sku: str) -> str:
    """The last dash-separated part (shop spec 3); empty for a SKU in one piece."""
    return sku.rpartition("-")[2] if "-" in sku else ""


def availability_of(stock: Stock, *, is_for_purchase: bool) -> Availability:
    if not is_for_purchase:
        return Availability.NOT_FOR_SALE
    if stock.on_hand <= 0:
        return Availability.BACKORDER
    return Availability.LOW if stock.on_hand <= LOW_STOCK else Availability.IN_STOCK
