"""Products and prices for tests: each call makes new ones, under a brand and a word of their own."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy.dialects.postgresql import insert

from db.base import Sessions
from db.catalogue.prices import PriceList, put_price_list, set_price
from db.catalogue.tables import (
    BrandRow,
    CategoryRow,
    ProductPageRow,
    ProductRow,
    SkuAliasRow,
    StockRow,
    VariantRow,
)
from db.catalogue.words import save_words
from domain.catalogue.pricing import ListKind
from domain.catalogue.products import slug_of, words_of
from tests.drivers.factories import a_name

NAMES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Made:
    id: str
    variant_id: str
    sku: str
    brand: str


def a_word() -> str:
    """Ten letters that no other test uses."""
    return "".join(NAMES[int(sign, 16)] for sign in a_name()[:10])


async def a_brand(sessions: Sessions) -> str:
    """Answers its name, which is also its slug."""
    name = a_word()
    async with sessions.begin() as session:
        session.add(BrandRow(slug=name, name=name))
    return name


async def a_product(
    sessions: Sessions,
    *,
    id: str | None = None,
    name: str = "Thing",
    brand: str | None = None,
    category: str = "Remote Start",
    sku: str | None = None,
    msrp: str | None = "100.00",
    on_hand: int = 10,
    restock_on: date | None = None,
    case_quantity: int = 1,
    is_for_purchase: bool = True,
    popularity: int = 0,
    old_sku: str | None = None,
    description: list[dict[str, object]] | None = None,
) -> Made:
    """A product with one variant."""
    brand = brand or await a_brand(sessions)
    number = a_name().upper()
    made = Made(
        id=id or number.lower(), variant_id=f"v{number}", sku=sku or f"T-{number}-STD", brand=brand
    )
    price = None if msrp is None else Decimal(msrp)
    async with sessions.begin() as session:
        await session.execute(
            insert(CategoryRow)
            .values(slug=slug_of(category), name=category)
            .on_conflict_do_nothing()
        )
        session.add(
            ProductRow(
                id=made.id,
                name=name,
                brand_slug=brand,
                category_slug=slug_of(category),
                default_variant_id=made.variant_id,
                sku=made.sku,
                msrp=price,
                image="/pictures/products/remote-start.svg",
                case_quantity=case_quantity,
                is_for_purchase=is_for_purchase,
                popularity=popularity,
                search_text=words_of(name, brand, category, made.sku),
            )
        )
        await session.flush()
        session.add(
            VariantRow(
                id=made.variant_id,
                product_id=made.id,
                sku=made.sku,
                name="",
                position=0,
                msrp=price,
            )
        )
        await session.flush()
        session.add(StockRow(variant_id=made.variant_id, on_hand=on_hand, restock_on=restock_on))
        session.add(
            ProductPageRow(product_id=made.id, description=description or [], attributes=[])
        )
        if old_sku:
            session.add(SkuAliasRow(alias=old_sku, variant_id=made.variant_id))
        await session.flush()
        await save_words(session, [made.id])
    return made


async def a_list(
    sessions: Sessions,
    scope: str,
    *,
    kind: ListKind = ListKind.TIER,
    id: str | None = None,
    **times: object,
) -> str:
    """A price list of the scope; answers its id."""
    given = PriceList.model_validate(
        {"id": id or a_name(), "scope": scope, "name": f"List of {scope}", "kind": kind, **times}
    )
    async with sessions.begin() as session:
        await put_price_list(session, given)
    return given.id


async def priced(sessions: Sessions, list_id: str, made: Made, amount: str | None) -> None:
    async with sessions.begin() as session:
        await set_price(session, list_id, made.variant_id, Decimal(amount) if amount else None)
