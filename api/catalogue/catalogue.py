"""Finding products: the search, brands and categories, what is popular or on a deal (shop spec 2, 7).

Prices are the caller's own, worked out on each call; nothing of them is kept.
"""

from typing import Annotated

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.catalogue.answers import (
    AccountInformation,
    Counted,
    ProductSummaryOut,
    account_of,
    counted_out,
    summary_json,
    summary_out,
)
from api.catalogue.queries import Limit
from api.partners.named_business import BusinessCode, check_named
from api.platform.border.queries import counted
from api.platform.deps import Caller, PortalDep
from api.platform.paging import Cursor, EndFound, pack, unpack
from api.platform.schemas import Camel, QueryBody
from db.base import reading
from db.catalogue.facets import facets_of
from db.catalogue.matching import Slugs
from db.catalogue.products import best_sold, brands, categories, on_deal
from db.catalogue.search import Place, ProductQuery, find_end, find_products, jump_target
from db.catalogue.viewers import find_viewer
from domain.base import EXACT
from domain.card_numbers import masked
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import (
    APPROVED,
    LONGEST_TERM,
    MOST_AT_ONCE,
    PAGE_SIZE,
    Sort,
    read_term,
)
from domain.errors import Invalid
from domain.identity.people import Actor

router = APIRouter(prefix="/api", tags=["catalogue"])

Slug = Annotated[str, StringConstraints(max_length=80, pattern=r"^[a-z0-9-]+$")]
SearchTerm = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TERM), EXACT
]
"""A SKU may be of digits alone. What is looked for is neither kept nor told."""


class Filters(QueryBody):
    """Slugs. An empty list is no filter; `approved` among the brands stands for the caller's approved ones. `in_stock`: only
    what is for sale and on hand."""

    brands: Annotated[list[Slug], Field(max_length=100)] = []
    categories: Annotated[list[Slug], Field(max_length=100)] = []
    in_stock: bool = False


class ProductsQuery(QueryBody):
    """A page is named by the cursor where the one before it ended, or by its number from 1 on."""

    limit: Annotated[Limit, counted(PAGE_SIZE, most=MOST_AT_ONCE)] = PAGE_SIZE
    end_cursor: Cursor | None = None
    page: Annotated[int, Field(strict=True, ge=1, le=1_000_000), counted(1, most=1_000_000)] = 1
    filters: Filters = Filters()
    sort: Sort = Sort.PRICE_DESC
    search_term: SearchTerm = ""
    sap_bp_code: BusinessCode | None = None


class ProductsEndQuery(QueryBody):
    """Like a search, for the cursor alone."""

    limit: Annotated[Limit, counted(MOST_AT_ONCE, most=MOST_AT_ONCE)] = MOST_AT_ONCE
    end_cursor: Cursor | None = None
    filters: Filters = Filters()
    sort: Sort = Sort.PRICE_DESC
    search_term: SearchTerm = ""
    sap_bp_code: BusinessCode | None = None


class FacetsQuery(QueryBody):
    filters: Filters = Filters()
    search_term: SearchTerm = ""
    sap_bp_code: BusinessCode | None = None


class FacetsFound(Camel):
    """Brands under the chosen categories, categories under the chosen brands; by name, none without a product. `inStock` counts
    what is on hand under both."""

    brands: list[Counted]
    categories: list[Counted]
    in_stock: int


class ProductsFound(Camel):
    """`searchedFor` is the term that was probably meant, when the one that was sent finds nothing. `match` is the
    product whose SKU, or old SKU, the term is or alone begins."""

    results: list[ProductSummaryOut]
    total_count: int
    end_cursor: str | None
    account_information: AccountInformation
    searched_for: str | None
    match: str | None


class ProductsListed(Camel):
    results: list[ProductSummaryOut]
    total_count: int


@router.post("/search-products", response_model=ProductsFound)
async def search_products(portal: PortalDep, actor: Caller, wanted: ProductsQuery) -> Response:
    """A page of products that fit, at the caller's prices, sorted by them."""
    if wanted.end_cursor is not None and wanted.page != 1:
        raise Invalid(fields=[("page", "Invalid value")])
    async with portal.sessions.begin() as session:
        viewer = await _viewer(session, actor, wanted.sap_bp_code)
        asked = _asked(wanted, viewer, skip=(wanted.page - 1) * wanted.limit)
        found = await find_products(session, viewer, asked)
        is_first = asked.after is None and wanted.page == 1
        match = await jump_target(session, asked.term) if is_first else None
    answer = {
        "results": [summary_json(summary) for summary in found.products],
        "totalCount": found.total,
        "endCursor": pack(found.end) if found.end else None,
        "accountInformation": account_of(actor, viewer).model_dump(by_alias=True),
        "searchedFor": masked(found.meant) if found.meant else None,
        "match": match,
    }
    return Response(orjson.dumps(answer), media_type="application/json")


@router.post("/search-products-cursor")
async def search_products_cursor(
    portal: PortalDep, actor: Caller, wanted: ProductsEndQuery
) -> EndFound:
    """Where a page of at most 100 products ends, without the products: a way to pages further on."""
    async with portal.sessions.begin() as session:
        viewer = await _viewer(session, actor, wanted.sap_bp_code)
        end, total = await find_end(session, viewer, _asked(wanted, viewer))
    return EndFound(
        end_cursor=pack(end) if end else None, has_next_page=end is not None, total_count=total
    )


@router.post("/search-products-facets")
async def search_products_facets(
    portal: PortalDep, actor: Caller, wanted: FacetsQuery
) -> FacetsFound:
    """What the search could be narrowed to, each with the number of its products."""
    async with portal.sessions.begin() as session:
        viewer = await _viewer(session, actor, wanted.sap_bp_code)
        brands, categories = _narrowed(wanted.filters, viewer)
        term, in_stock = read_term(wanted.search_term), wanted.filters.in_stock
        found = await facets_of(session, term, brands, categories, in_stock=in_stock)
    return FacetsFound(
        brands=[counted_out(one) for one in found.brands],
        categories=[counted_out(one) for one in found.categories],
        in_stock=found.in_stock,
    )


@router.get("/product-brands")
async def product_brands(portal: PortalDep) -> list[Counted]:
    """All brands, by name."""
    async with reading(portal.sessions) as session:
        return [counted_out(one) for one in await brands(session)]


@router.get("/product-categories")
async def product_categories(portal: PortalDep) -> list[Counted]:
    """All categories, by name."""
    async with reading(portal.sessions) as session:
        return [counted_out(one) for one in await categories(session)]


@router.get("/popular-products")
async def popular_products(
    portal: PortalDep,
    actor: Caller,
    limit: Annotated[int, Query(ge=1, le=40), counted(PAGE_SIZE, most=40)] = PAGE_SIZE,
) -> list[ProductSummaryOut]:
    """What sells best."""
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        summaries = await best_sold(session, viewer, limit)
    return [summary_out(summary) for summary in summaries]


@router.get("/get-discounted-products")
async def get_discounted_products(
    portal: PortalDep,
    actor: Caller,
    limit: Annotated[
        int, Query(ge=1, le=MOST_AT_ONCE), counted(MOST_AT_ONCE, most=MOST_AT_ONCE)
    ] = MOST_AT_ONCE,
) -> ProductsListed:
    """What is on a deal now in the caller's channel, best sold first."""
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        summaries, total = await on_deal(session, viewer, limit)
    return ProductsListed(
        results=[summary_out(summary) for summary in summaries], total_count=total
    )


async def _viewer(session: AsyncSession, actor: Actor, code: str | None) -> Viewer:
    await check_named(session, actor, code)
    return await find_viewer(session, actor)


def _asked(
    wanted: ProductsQuery | ProductsEndQuery, viewer: Viewer, *, skip: int = 0
) -> ProductQuery:
    after = unpack(wanted.end_cursor, Place, "endCursor") if wanted.end_cursor else None
    if after is not None and after.sort is not wanted.sort:
        raise Invalid(fields=[("endCursor", "Invalid value")])
    brands, categories = _narrowed(wanted.filters, viewer)
    return ProductQuery(
        term=read_term(wanted.search_term),
        brands=brands,
        categories=categories,
        in_stock=wanted.filters.in_stock,
        sort=wanted.sort,
        limit=wanted.limit,
        after=after,
        skip=skip,
    )


def _narrowed(filters: Filters, viewer: Viewer) -> tuple[Slugs, Slugs]:
    """The slugs of brands and of categories; None is no filter."""
    named = filters.brands
    brands = {slug for slug in named if slug != APPROVED}
    if APPROVED in named:
        brands |= viewer.approved_brands
    return tuple(sorted(brands)) if named else None, tuple(filters.categories) or None
