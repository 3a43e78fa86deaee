"""Single products and products by their ids (shop spec 7)."""

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.catalogue.answers import (
    CondensedOut,
    ProductOut,
    ProductSummaryOut,
    condensed_out,
    product_out,
    summary_out,
)
from api.catalogue.queries import Limit
from api.partners.named_business import BusinessCode, check_named
from api.platform.border.queries import counted
from api.platform.deps import Caller, Portal, PortalDep
from api.platform.paging import Cursor, EndFound, pack, unpack
from api.platform.schemas import Id, PathId, QueryBody
from db.base import reading
from db.catalogue.products import id_of_sku, page_of
from db.catalogue.purchased import bought_last
from db.catalogue.summaries import summaries_of
from db.catalogue.variants import variants_of
from db.catalogue.viewers import find_viewer
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import (
    MOST_AT_ONCE,
    PREVIOUSLY_PURCHASED,
    ProductMissing,
    ProductPage,
)

router = APIRouter(prefix="/api", tags=["catalogue"])

ProductId = PathId
Sku = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[\w.-]+$")]


class ProductsNamed(QueryBody):
    """`limit` of them at a time, in the order of `ids`."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_AT_ONCE)]
    limit: Annotated[Limit, counted(PREVIOUSLY_PURCHASED, most=MOST_AT_ONCE)] = PREVIOUSLY_PURCHASED
    end_cursor: Cursor | None = None
    sap_bp_code: BusinessCode | None = None


class CondensedNamed(QueryBody):
    ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_AT_ONCE)]
    sap_bp_code: BusinessCode | None = None


class Position(BaseModel):
    """How many of the ids lie before the next page."""

    behind: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]


@router.get("/product-by-id/{id}", response_model=ProductOut)
async def product_by_id(portal: PortalDep, actor: Caller, id: ProductId) -> Response:
    """A product with its variants, related products and accessories."""
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        return await _product(portal, session, viewer, id)


@router.get("/product-by-sku/{sku}", response_model=ProductOut)
async def product_by_sku(portal: PortalDep, actor: Caller, sku: Sku) -> Response:
    """A product by one of its SKUs or an old one; letters may be small."""
    async with reading(portal.sessions) as session:
        id_ = await id_of_sku(session, sku)
        if id_ is None:
            raise ProductMissing
        viewer = await find_viewer(session, actor)
        return await _product(portal, session, viewer, id_, asked_sku=sku.upper())


@router.get("/last-three-order-product-ids")
async def last_three_order_product_ids(portal: PortalDep, actor: Caller) -> list[str]:
    """Products of the last three orders of the business, the newest first, each once."""
    if actor.business_code is None:
        return []
    async with reading(portal.sessions) as session:
        return [one.product_id for one in await bought_last(session, actor.business_code)]


@router.post("/products-by-ids")
async def products_by_ids(
    portal: PortalDep, actor: Caller, wanted: ProductsNamed
) -> list[ProductSummaryOut]:
    """A page of the products with these ids; those that do not exist are left out. 404 when none does."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, wanted.sap_bp_code)
        viewer = await find_viewer(session, actor)
        summaries = await summaries_of(session, viewer, _page(wanted)[0])
    if not summaries:
        raise ProductMissing
    return [summary_out(summary) for summary in summaries]


@router.post("/products-by-ids-cursor")
async def products_by_ids_cursor(
    portal: PortalDep, actor: Caller, wanted: ProductsNamed
) -> EndFound:
    """Where a page of these ids ends, without the products."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, wanted.sap_bp_code)
    _, end = _page(wanted)
    return EndFound(
        end_cursor=pack(end) if end else None,
        has_next_page=end is not None,
        total_count=len(dict.fromkeys(wanted.ids)),
    )


@router.post("/condensed-products-by-ids")
async def condensed_products_by_ids(
    portal: PortalDep, actor: Caller, wanted: CondensedNamed
) -> list[CondensedOut]:
    """The products with these ids, as carts show them. 404 when none exists."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, wanted.sap_bp_code)
        viewer = await find_viewer(session, actor)
        summaries = await summaries_of(session, viewer, wanted.ids)
    if not summaries:
        raise ProductMissing
    return [condensed_out(summary) for summary in summaries]


async def _product(
    portal: Portal, session: AsyncSession, viewer: Viewer, id_: str, asked_sku: str | None = None
) -> Response:
    page = await _cached_page(portal, session, id_)
    summaries = await summaries_of(session, viewer, [id_, *page.related, *page.accessories])
    others = {summary.id: summary for summary in summaries}
    if id_ not in others:
        raise ProductMissing
    variants = await variants_of(session, viewer, id_)
    own = {variant.sku for variant in variants}
    answer = product_out(
        others[id_],
        page,
        variants,
        others,
        asked_sku=asked_sku if asked_sku not in own else None,
    )
    return Response(answer.model_dump_json(by_alias=True), media_type="application/json")


async def _cached_page(portal: Portal, session: AsyncSession, id_: str) -> ProductPage:
    """From memory for 160 s (shop spec 9): it holds no price and no stock."""
    page = portal.product_pages.of(id_)
    if page is None:
        page = await page_of(session, id_)
        if page is None:
            raise ProductMissing
        portal.product_pages.store(page)
    return page


def _page(wanted: ProductsNamed) -> tuple[list[str], Position | None]:
    ids = list(dict.fromkeys(wanted.ids))
    behind = unpack(wanted.end_cursor, Position, "endCursor").behind if wanted.end_cursor else 0
    until = behind + wanted.limit
    return ids[behind:until], Position(behind=until) if until < len(ids) else None
