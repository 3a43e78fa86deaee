"""An article as the ERP has it, and in which parts our mirror says something else (decision 57)."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints

from domain.base import Frozen

COMPANY_ZONE = ZoneInfo("America/Toronto")
"""Where the ERP's days begin and end. Our choice."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Sku = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9][A-Z0-9._-]{0,63}$")]
Amount = Annotated[Decimal, Field(ge=0, lt=10**10, decimal_places=2)]


class ErpProduct(Frozen):
    """What is said of a product by the article that stands for it."""

    name: Name
    brand: Name
    category: Name
    image: Text
    case_quantity: Annotated[int, Field(ge=1, le=1_000_000)]
    is_for_purchase: bool


class ErpItem(Frozen):
    """One article. `prices` are by channel, and by `scope_of_partner` where they were agreed with one business, each
    by `named_for_days` where it holds for a time; `on_hand` are pieces that nobody was promised. `product` is empty for an
    article that is a further variant of `product_id`; the other one stands for it. Of what was agreed something could not be
    read unless `prices_are_all`."""

    sku: Sku
    product_id: Annotated[str, StringConstraints(pattern=r"^[\w-]{1,64}$")]
    product: ErpProduct | None
    variant_name: Text
    position: Annotated[int, Field(ge=0, le=1_000)]
    msrp: Amount | None
    prices: Mapping[str, Amount]
    on_hand: Annotated[int, Field(ge=0, le=2_000_000_000)]
    restock_on: date | None
    prices_are_all: bool = True

    def beside(self, ours: "ErpItem") -> "ErpItem":
        """With those of our prices that it may have too, and that cannot be read: without one a business would pay another."""
        if self.prices_are_all:
            return self
        return self.model_copy(update={"prices": {**ours.prices, **self.prices}})


class ItemPart(StrEnum):
    """What of an article can differ."""

    PRODUCT = "product"
    PRICE = "price"
    STOCK = "stock"


def differing_parts(theirs: ErpItem, ours: ErpItem) -> dict[ItemPart, tuple[str, str]]:
    """Each part that differs, with what the ERP says and what we say. Of a further variant it says nothing of the product."""
    if theirs.product is None:
        ours = ours.model_copy(update={"product": None})
    found: dict[ItemPart, tuple[str, str]] = {}
    for part, words in _WORDS.items():
        there, here = words(theirs), words(ours)
        differing = [name for name in there | here if there.get(name) != here.get(name)]
        if differing:
            found[part] = (_said(there, differing), _said(here, differing))
    return found


def _product(item: ErpItem) -> dict[str, str]:
    of_product = item.product.model_dump() if item.product else {}
    of_variant = {"variant": item.variant_name, "place": item.position, "of": item.product_id}
    return {name: str(value) for name, value in (of_product | of_variant).items()}


def _price(item: ErpItem) -> dict[str, str]:
    prices = {name: f"{amount:.2f}" for name, amount in item.prices.items()}
    return prices if item.msrp is None else {"msrp": f"{item.msrp:.2f}", **prices}


def _stock(item: ErpItem) -> dict[str, str]:
    return {"on hand": str(item.on_hand), "expected": str(item.restock_on or "")}


def _said(words: dict[str, str], names: list[str]) -> str:
    return ", ".join(f"{name} {words[name] or 'none'}" for name in names if name in words)[:300]


_WORDS = {ItemPart.PRODUCT: _product, ItemPart.PRICE: _price, ItemPart.STOCK: _stock}
