"""Products as JSON, in the spec's names (shop spec 3)."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel

from api.platform.schemas import Camel
from domain.catalogue.pricing import CURRENCY, DisplayPrice, ListKind, Rule, Viewer
from domain.catalogue.products import (
    Attribute,
    Availability,
    Card,
    ProductPage,
    Slugged,
    Stock,
    Variant,
    availability_of,
    suffix_of,
)
from domain.content.pages import Block
from domain.identity.people import Actor, purchasing_rights
from domain.money import Money

CASE_QUANTITY = "manufacture_case_qty"
"""The metadata's key (shop spec 3)."""


class Net(BaseModel):
    amount: Money
    currency: Literal["USD"] = CURRENCY


class NetPrice(BaseModel):
    net: Net


class PriceRange(BaseModel):
    """`start` is the price of the default variant."""

    start: NetPrice


class Why(Camel):
    """Why this price: the rule that decided, the list that it stands in, and when that list ends."""

    rule: Rule
    list_name: str
    kind: ListKind | None
    ends_at: datetime | None


class Pricing(Camel):
    """`priceRange` is what the caller pays, `priceRangeUndiscounted` the list price; null without any."""

    price_range: PriceRange | None
    price_range_undiscounted: PriceRange | None
    msrp: Money | None
    why: Why


class Picture(BaseModel):
    url: str
    alt: str


class Metadatum(BaseModel):
    key: str
    value: str


class Named(BaseModel):
    name: str
    slug: str


class Counted(Named):
    """`count` is the number of its products."""

    count: int


class DefaultVariant(BaseModel):
    id: str
    sku: str


class CardOut(Camel):
    """A product in a list. `suffix` is the last dash-separated part of the SKU."""

    id: str
    name: str
    sku: str
    suffix: str
    default_variant: DefaultVariant
    brand: Named
    category: Named
    image: Picture
    metadata: list[Metadatum]
    case_quantity: int
    is_available: bool
    is_available_for_purchase: bool
    availability: Availability
    on_hand: int | None
    restock_on: date | None
    is_on_approved_list: bool
    pricing: Pricing


class VariantOut(Camel):
    id: str
    sku: str
    suffix: str
    name: str
    is_available: bool
    availability: Availability
    on_hand: int | None
    restock_on: date | None
    pricing: Pricing


class ProductOut(CardOut):
    """`asked_sku` is an old SKU that the product was asked by."""

    description: list[Block]
    attributes: list[Attribute]
    variants: list[VariantOut]
    related: list[CardOut]
    accessories: list[CardOut]
    asked_sku: str | None


class CondensedOut(Camel):
    """As carts show it."""

    id: str
    name: str
    sku: str
    default_variant: DefaultVariant
    image: Picture
    case_quantity: int
    is_available: bool
    is_available_for_purchase: bool
    pricing: Pricing


class AccountInformation(Camel):
    """As whom the prices are shown. `approvedBrands` are slugs."""

    sap_bp_code: str | None
    channel: str
    approved_brands: list[str]
    sees_discounts: bool
    purchasing_rights: bool


def card_out(card: Card) -> CardOut:
    return CardOut.model_construct(**_of_card(card))


def card_json(card: Card) -> dict[str, Any]:
    """What `card_out` says, ready for orjson: a page of a hundred products is not worth a thousand models. A test holds
    the two together."""
    figure = card.figure
    return {
        "id": card.id,
        "name": card.name,
        "sku": card.sku,
        "suffix": suffix_of(card.sku),
        "defaultVariant": {"id": card.variant_id, "sku": card.sku},
        "brand": {"name": card.brand.name, "slug": card.brand.slug},
        "category": {"name": card.category.name, "slug": card.category.slug},
        "image": {"url": card.image, "alt": _alt(card)},
        "metadata": [{"key": CASE_QUANTITY, "value": str(card.case_quantity)}],
        "caseQuantity": card.case_quantity,
        "isAvailable": card.stock.on_hand > 0,
        "isAvailableForPurchase": card.is_for_purchase,
        "availability": card.availability.value,
        "onHand": _on_hand(card, card.stock),
        "restockOn": _restock(card.stock),
        "isOnApprovedList": card.is_on_approved_list,
        "pricing": {
            "priceRange": _range_json(figure.amount),
            "priceRangeUndiscounted": _range_json(figure.msrp),
            "msrp": None if figure.msrp is None else float(figure.msrp),
            "why": {
                "rule": figure.rule.value,
                "listName": figure.list_name,
                "kind": figure.kind and figure.kind.value,
                "endsAt": figure.ends_at,
            },
        },
    }


def condensed_out(card: Card) -> CondensedOut:
    return CondensedOut(
        id=card.id,
        name=card.name,
        sku=card.sku,
        default_variant=DefaultVariant(id=card.variant_id, sku=card.sku),
        image=_picture(card),
        case_quantity=card.case_quantity,
        is_available=card.stock.on_hand > 0,
        is_available_for_purchase=card.is_for_purchase,
        pricing=pricing_out(card.figure),
    )


def product_out(
    card: Card,
    page: ProductPage,
    variants: tuple[Variant, ...],
    others: dict[str, Card],
    *,
    asked_sku: str | None = None,
) -> ProductOut:
    """`others` are the related products and the accessories, by id."""
    return ProductOut.model_construct(
        **_of_card(card),
        description=list(page.description),
        attributes=[*page.attributes, *_related_skus(page, others)],
        variants=[_variant(one, card) for one in variants],
        related=[card_out(others[id_]) for id_ in page.related if id_ in others],
        accessories=[card_out(others[id_]) for id_ in page.accessories if id_ in others],
        asked_sku=asked_sku,
    )


def _related_skus(page: ProductPage, others: dict[str, Card]) -> list[Attribute]:
    """The related products once more, as the attribute that the spec refers to them by."""
    skus = tuple(others[id_].sku for id_ in page.related if id_ in others)
    if not skus:
        return []
    return [Attribute(name="Related Product SKUs", slug="related-product-skus", values=skus)]


def pricing_out(figure: DisplayPrice) -> Pricing:
    return Pricing.model_construct(
        price_range=_range(figure.amount),
        price_range_undiscounted=_range(figure.msrp),
        msrp=figure.msrp,
        why=Why.model_construct(
            rule=figure.rule,
            list_name=figure.list_name,
            kind=figure.kind,
            ends_at=figure.ends_at,
        ),
    )


def account_of(actor: Actor, viewer: Viewer) -> AccountInformation:
    return AccountInformation(
        sap_bp_code=viewer.partner_code,
        channel=viewer.channel,
        approved_brands=sorted(viewer.approved_brands),
        sees_discounts=viewer.sees_all_discounts or bool(viewer.approved_brands),
        purchasing_rights=bool(actor.user and purchasing_rights(actor.user)),
    )


def counted_out(slugged: Slugged) -> Counted:
    return Counted(name=slugged.name, slug=slugged.slug, count=slugged.count)


def _of_card(card: Card) -> dict[str, Any]:
    return {
        "id": card.id,
        "name": card.name,
        "sku": card.sku,
        "suffix": suffix_of(card.sku),
        "default_variant": DefaultVariant.model_construct(id=card.variant_id, sku=card.sku),
        "brand": Named.model_construct(name=card.brand.name, slug=card.brand.slug),
        "category": Named.model_construct(name=card.category.name, slug=card.category.slug),
        "image": _picture(card),
        "metadata": [
            Metadatum.model_construct(key=CASE_QUANTITY, value=str(card.case_quantity)),
        ],
        "case_quantity": card.case_quantity,
        "is_available": card.stock.on_hand > 0,
        "is_available_for_purchase": card.is_for_purchase,
        "availability": card.availability,
        "on_hand": _on_hand(card, card.stock),
        "restock_on": _restock(card.stock),
        "is_on_approved_list": card.is_on_approved_list,
        "pricing": pricing_out(card.figure),
    }


def _variant(variant: Variant, card: Card) -> VariantOut:
    return VariantOut(
        id=variant.id,
        sku=variant.sku,
        suffix=suffix_of(variant.sku),
        name=variant.name,
        is_available=variant.stock.on_hand > 0,
        availability=availability_of(variant.stock, is_for_purchase=card.is_for_purchase),
        on_hand=_on_hand(card, variant.stock),
        restock_on=_restock(variant.stock),
        pricing=pricing_out(variant.figure),
    )


def _on_hand(card: Card, stock: Stock) -> int | None:
    """Pieces, for whoever may know."""
    return max(stock.on_hand, 0) if card.tells_stock else None


def _restock(stock: Stock) -> date | None:
    """Told only while there is nothing on hand."""
    return stock.restock_on if stock.on_hand <= 0 else None


def _picture(card: Card) -> Picture:
    return Picture.model_construct(url=card.image, alt=_alt(card))


def _alt(card: Card) -> str:
    return f"{card.category.name}, drawing"


def _range(amount: Money | None) -> PriceRange | None:
    if amount is None:
        return None
    return PriceRange.model_construct(
        start=NetPrice.model_construct(net=Net.model_construct(amount=amount, currency=CURRENCY))
    )


def _range_json(amount: Money | None) -> dict[str, Any] | None:
    if amount is None:
        return None
    return {"start": {"net": {"amount": float(amount), "currency": CURRENCY}}}
