"""The catalogue: products and their variants, stock, price lists, and what hangs on them (shop spec 3).

The ERP owns products, stock and prices; these are its mirror. `db/catalogue/prices.py` is the only writer of prices.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Computed,
    ForeignKey,
    Index,
    Numeric,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base

LETTERS_AND_DIGITS = "regexp_replace({}, '[^0-9A-Z]', '', 'g')"
"""A SKU as it is looked for: without dashes."""


class BrandRow(Base):
    __tablename__ = "brand"

    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text, unique=True)


class CategoryRow(Base):
    __tablename__ = "category"

    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text, unique=True)


class ProductRow(Base):
    """What lists show and search by, and no more, so that the rows stay narrow. `sku` and `msrp` are those of the default
    variant; `search_text` holds the words that it is found by."""

    __tablename__ = "product"
    __table_args__ = (
        CheckConstraint("msrp >= 0", name="msrp"),
        CheckConstraint("case_quantity >= 1", name="case_quantity"),
        Index("ix_product_words", "words", postgresql_using="gin"),
        Index(
            "ix_product_likeness",
            text("search_text gin_trgm_ops"),
            postgresql_using="gin",
        ),
        Index("ix_product_by_msrp", text("msrp desc nulls last"), "name_key", "id"),
        Index("ix_product_by_name", "name_key", "id"),
        Index("ix_product_brand_slug", "brand_slug"),
        Index("ix_product_category_slug", "category_slug"),
        Index("ix_product_popularity", text("popularity desc"), "id"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str] = mapped_column(
        Text(collation="C"), Computed("lower(name)", persisted=True)
    )
    brand_slug: Mapped[str] = mapped_column(ForeignKey("brand.slug"))
    category_slug: Mapped[str] = mapped_column(ForeignKey("category.slug"))
    default_variant_id: Mapped[str] = mapped_column(Text, unique=True)
    sku: Mapped[str] = mapped_column(Text)
    msrp: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))
    image: Mapped[str] = mapped_column(Text)
    case_quantity: Mapped[int] = mapped_column(server_default="1")
    is_for_purchase: Mapped[bool] = mapped_column(server_default="true")
    popularity: Mapped[int] = mapped_column(server_default="0")
    search_text: Mapped[str] = mapped_column(Text)
    words: Mapped[Any] = mapped_column(
        TSVECTOR,
        Computed("array_to_tsvector(string_to_array(search_text, ' '))", persisted=True),
    )
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ProductWordRow(Base):
    """The words without digits that any product is found by: what a misspelt word may have meant. None is ever removed;
    one that fits no product any more finds nothing."""

    __tablename__ = "product_word"

    word: Mapped[str] = mapped_column(Text, primary_key=True)


class ProductPageRow(Base):
    """The rest of a product: a rich text as JSON, and attributes as [{name, slug, values}]."""

    __tablename__ = "product_page"

    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    description: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    attributes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)


class VariantRow(Base):
    __tablename__ = "variant"
    __table_args__ = (
        CheckConstraint("sku = upper(sku)", name="sku_upper"),
        CheckConstraint("msrp >= 0", name="msrp"),
        Index("ix_variant_product_id", "product_id"),
        Index("ix_variant_sku_key", text("sku_key text_pattern_ops")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    product_id: Mapped[str] = mapped_column(ForeignKey("product.id", ondelete="CASCADE"))
    sku: Mapped[str] = mapped_column(Text, unique=True)
    sku_key: Mapped[str] = mapped_column(
        Text, Computed(LETTERS_AND_DIGITS.format("sku"), persisted=True)
    )
    name: Mapped[str] = mapped_column(Text)
    position: Mapped[int]
    msrp: Mapped[Decimal | None] = mapped_column(Numeric(12, 2))


class StockRow(Base):
    """Pieces on hand; `restock_on` when more is expected; `left_at` when some left for an order, until the ERP was asked what it
    has now. A table of its own, because it changes by the minute."""

    __tablename__ = "stock"
    __table_args__ = (
        CheckConstraint("on_hand >= 0", name="on_hand"),
        Index("ix_stock_left_at", "left_at", postgresql_where=text("left_at is not null")),
    )

    variant_id: Mapped[str] = mapped_column(
        ForeignKey("variant.id", ondelete="CASCADE"), primary_key=True
    )
    on_hand: Mapped[int]
    restock_on: Mapped[date | None]
    left_at: Mapped[datetime | None]


class SkuAliasRow(Base):
    """An old SKU, and what it is called now. `advertised` ones come from the approved list."""

    __tablename__ = "sku_alias"
    __table_args__ = (
        CheckConstraint("alias = upper(alias)", name="alias_upper"),
        Index("ix_sku_alias_variant_id", "variant_id"),
        Index("ix_sku_alias_key", text("alias_key text_pattern_ops")),
    )

    alias: Mapped[str] = mapped_column(Text, primary_key=True)
    alias_key: Mapped[str] = mapped_column(
        Text, Computed(LETTERS_AND_DIGITS.format("alias"), persisted=True)
    )
    variant_id: Mapped[str] = mapped_column(ForeignKey("variant.id", ondelete="CASCADE"))


class ApprovedProductRow(Base):
    """The approved product list (shop spec 3): `listed_as` is the SKU that the list was printed with."""

    __tablename__ = "approved_product"

    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int]
    listed_as: Mapped[str] = mapped_column(Text)


class RelatedProductRow(Base):
    __tablename__ = "related_product"
    __table_args__ = (Index("ix_related_product_related_id", "related_id"),)

    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    related_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int]


class AccessoryRow(Base):
    """Accessories that go with every product of a brand or of a category (shop spec 3, "accessory mappings")."""

    __tablename__ = "accessory"
    __table_args__ = (
        CheckConstraint("goes_with in ('brand', 'category')", name="goes_with"),
        Index("ix_accessory_product_id", "product_id"),
    )

    goes_with: Mapped[str] = mapped_column(Text, primary_key=True)
    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    product_id: Mapped[str] = mapped_column(
        ForeignKey("product.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int]


class PriceListRow(Base):
    """`scope` is a channel's slug, or names the one business it was agreed with. Times are open where they are null."""

    __tablename__ = "price_list"
    __table_args__ = (
        CheckConstraint("kind in ('tier', 'deal', 'agreed')", name="kind"),
        CheckConstraint("starts_at < ends_at", name="times"),
        Index("ix_price_list_scope", "scope"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    scope: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]


class PriceRow(Base):
    """What a list says of a variant."""

    __tablename__ = "price"
    __table_args__ = (
        CheckConstraint("amount >= 0", name="amount"),
        Index("ix_price_variant_id", "variant_id"),
    )

    list_id: Mapped[str] = mapped_column(
        ForeignKey("price_list.id", ondelete="CASCADE"), primary_key=True
    )
    variant_id: Mapped[str] = mapped_column(
        ForeignKey("variant.id", ondelete="CASCADE"), primary_key=True
    )
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))


class EffectivePriceRow(Base):
    """Which price holds when, worked out from the lists when they change. Spans of one variant in one scope never
    overlap, and begin and end at -infinity and infinity where a list has no time."""

    __tablename__ = "effective_price"
    __table_args__ = (
        Index("ix_effective_price_variant_id", "variant_id"),
        Index("ix_effective_price_list_id", "list_id"),
    )

    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    variant_id: Mapped[str] = mapped_column(
        ForeignKey("variant.id", ondelete="CASCADE"), primary_key=True
    )
    starts_at: Mapped[datetime] = mapped_column(primary_key=True)
    ends_at: Mapped[datetime]
    amount: Mapped[Decimal] = mapped_column(Numeric(12, 2))
    list_id: Mapped[str] = mapped_column(ForeignKey("price_list.id", ondelete="CASCADE"))
