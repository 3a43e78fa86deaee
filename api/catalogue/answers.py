"""Products as JSON, in the spec's names (shop spec 3)."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel

from api.platform.schemas import Camel
from domain.catalogue.pricing import CURRENCY, DisplayPrice, ListKind, Rule, Viewer
from domain.catalogue.products import (
    Attribute,
    Availability,
    ProductPage,
    ProductSummary,
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


class ProductSummaryOut(Camel):
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


class ProductOut(ProductSummaryOut):
    """`asked_sku` is an old SKU that the product was asked by."""

    description: list[Block]
    attributes: list[Attribute]
    variants: list[VariantOut]
    related: list[ProductSummaryOut]
    accessories: list[ProductSummaryOut]
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


def summary_out(summary: ProductSummary) -> ProductSummaryOut:
    return ProductSummaryOut.model_construct(**_of_summary(summary))


def summary_json(summary: ProductSummary) -> dict[str, Any]:
    """What `summary_out` says, ready for orjson: a page of a hundred products is not worth a thousand models. A test holds
    the two together."""
    figure = summary.figure
    return {
        "id": summary.id,
        "name": summary.name,
        "sku": summary.sku,
        "suffix": suffix_of(summary.sku),
        "defaultVariant": {"id": summary.variant_id, "sku": summary.sku},
        "brand": {"name": summary.brand.name, "slug": summary.brand.slug},
        "category": {"name": summary.category.name, "slug": summary.category.slug},
        "image": {"url": summary.image, "alt": _alt(summary)},
        "metadata": [{"key": CASE_QUANTITY, "value": str(summary.case_quantity)}],
        "caseQuantity": summary.case_quantity,
        "isAvailable": summary.stock.on_hand > 0,
        "isAvailableForPurchase": summary.is_for_purchase,
        "availability": summary.availability.value,
        "onHand": _on_hand(summary, summary.stock),
        "restockOn": _restock(summary.stock),
        "isOnApprovedList": summary.is_on_approved_list,
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


def condensed_out(summary: ProductSummary) -> CondensedOut:
    return CondensedOut(
        id=summary.id,
        name=summary.name,
        sku=summary.sku,
        default_variant=DefaultVariant(id=summary.variant_id, sku=summary.sku),
        image=_picture(summary),
        case_quantity=summary.case_quantity,
        is_available=summary.stock.on_hand > 0,
        is_available_for_purchase=summary.is_for_purchase,
        pricing=pricing_out(summary.figure),
    )


def product_out(
    summary: ProductSummary,
    page: ProductPage,
    variants: tuple[Variant, ...],
    others: dict[str, ProductSummary],
    *,
    asked_sku: str | None = None,
) -> ProductOut:
    """`others` are the related products and the accessories, by id."""
    return ProductOut.model_construct(
        **_of_summary(summary),
        description=list(page.description),
        attributes=[*page.attributes, *_related_skus(page, others)],
        variants=[_variant(one, summary) for one in variants],
        related=[summary_out(others[id_]) for id_ in page.related if id_ in others],
        accessories=[summary_out(others[id_]) for id_ in page.accessories if id_ in others],
        asked_sku=asked_sku,
    )


def _related_skus(page: ProductPage, others: dict[str, ProductSummary]) -> list[Attribute]:
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


def _of_summary(summary: ProductSummary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "name": summary.name,
        "sku": summary.sku,
        "suffix": suffix_of(summary.sku),
        "default_variant": DefaultVariant.model_construct(id=summary.variant_id, sku=summary.sku),
        "brand": Named.model_construct(name=summary.brand.name, slug=summary.brand.slug),
        "category": Named.model_construct(name=summary.category.name, slug=summary.category.slug),
        "image": _picture(summary),
        "metadata": [
            Metadatum.model_construct(key=CASE_QUANTITY, value=str(summary.case_quantity)),
        ],
        "case_quantity": summary.case_quantity,
        "is_available": summary.stock.on_hand > 0,
        "is_available_for_purchase": summary.is_for_purchase,
        "availability": summary.availability,
        "on_hand": _on_hand(summary, summary.stock),
        "restock_on": _restock(summary.stock),
        "is_on_approved_list": summary.is_on_approved_list,
        "pricing": pricing_out(summary.figure),
    }


def _variant(variant: Variant, summary: ProductSummary) -> VariantOut:
    return VariantOut(
        id=variant.id,
        sku=variant.sku,
        suffix=suffix_of(variant.sku),
        name=variant.name,
        is_available=variant.stock.on_hand > 0,
        availability=availability_of(variant.stock, is_for_purchase=summary.is_for_purchase),
        on_hand=_on_hand(summary, variant.stock),
        restock_on=_restock(variant.stock),
        pricing=pricing_out(variant.figure),
    )


def _on_hand(summary: ProductSummary, stock: Stock) -> int | None:
    """Pieces, for whoever may know."""
    return max(stock.on_hand, 0) if summary.tells_stock else None


def _restock(stock: Stock) -> date | None:
    """Told only while there is nothing on hand."""
    return stock.restock_on if stock.on_hand <= 0 else None


def _picture(summary: ProductSummary) -> Picture:
    return Picture.model_construct(url=summary.image, alt=_alt(summary))


def _alt(summary: ProductSummary) -> str:
    return f"{summary.category.name}, drawing"


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
