"""Products that go with a vehicle, at the caller's prices (devices spec 3, 7 and 8)."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.partners.named_business import BusinessCode, check_named
from api.platform.deps import Caller, PortalDep
from api.platform.schemas import QueryBody
from api.vehicles.answers import (
    ProductFeaturesOut,
    VehicleProductOut,
    VehicleProducts,
    features_out,
    vehicle_product_out,
)
from api.vehicles.named import ProductId
from db.base import reading
from db.catalogue.summaries import summaries_of
from db.catalogue.viewers import find_viewer
from db.vehicles.products import accessories_for, features_of, store_skus
from domain.catalogue.products import ProductMissing
from domain.identity.people import Actor
from domain.vehicles.products import ProductFeatures

router = APIRouter(prefix="/api", tags=["vehicles"])

MOST = 100

Sku = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_. /+-]+$"
    ),
]


class VehicleProductsQuery(QueryBody):
    """SKUs as the source of the wiring writes them; old ones lead to what they are called now."""

    skus: Annotated[list[Sku], Field(min_length=1, max_length=MOST)]
    sap_bp_code: BusinessCode | None = None


class AccessoriesQuery(QueryBody):
    """With the SKU of a product its accessories, else all."""

    sku: Sku | None = None
    sap_bp_code: BusinessCode | None = None


class HarnessesQuery(QueryBody):
    sku: Sku | None = None
    skus: Annotated[list[Sku], Field(max_length=MOST)] = []


class FeaturesQuery(QueryBody):
    product_id: ProductId


@router.post("/vehicle-saleor-products")
async def vehicle_saleor_products(
    portal: PortalDep, actor: Caller, asked: VehicleProductsQuery
) -> VehicleProducts:
    """The store's products with these SKUs, in their order. 404 when there is none."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, asked.sap_bp_code)
        return VehicleProducts(results=await _products(session, actor, asked.skus))


@router.post("/vehicle-saleor-accessory-products")
async def vehicle_saleor_accessory_products(
    portal: PortalDep, actor: Caller, asked: AccessoriesQuery
) -> VehicleProducts:
    """Accessories that go with a product, or all of them. 404 when there is none."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, asked.sap_bp_code)
        product_id = None
        if asked.sku is not None:
            known = await store_skus(session, [asked.sku])
            if asked.sku not in known:
                raise ProductMissing
            product_id = known[asked.sku][0]
        ids = await accessories_for(session, product_id, MOST)
        summaries = await summaries_of(session, await find_viewer(session, actor), ids)
    if not summaries:
        raise ProductMissing
    return VehicleProducts(
        results=[vehicle_product_out(summary, summary.sku) for summary in summaries]
    )


@router.post("/t-harness-by-sku")
async def t_harness_by_sku(
    portal: PortalDep, actor: Caller, asked: HarnessesQuery
) -> list[VehicleProductOut] | None:
    """The harnesses with these SKUs; null when there is none."""
    skus = [*([asked.sku] if asked.sku else []), *asked.skus]
    async with reading(portal.sessions) as session:
        try:
            return await _products(session, actor, skus)
        except ProductMissing:
            return None


@router.post("/product-features")
async def product_features(portal: PortalDep, asked: FeaturesQuery) -> ProductFeaturesOut | None:
    """What a module does in a car; null for a product of which nothing is known."""
    async with reading(portal.sessions) as session:
        features = await features_of(session, asked.product_id)
    if features is None:
        return None
    return features_out(ProductFeatures(product_id=asked.product_id, **features))


async def _products(
    session: AsyncSession, actor: Actor, skus: Sequence[str]
) -> list[VehicleProductOut]:
    """Each product once, under the first SKU that leads to it. Raises ProductMissing."""
    known = await store_skus(session, skus)
    asked = {product_id: sku for sku, (product_id, _) in reversed(known.items())}
    ids = [product_id for product_id, _ in known.values()]
    summaries = await summaries_of(session, await find_viewer(session, actor), ids)
    if not summaries:
        raise ProductMissing
    return [vehicle_product_out(summary, asked[summary.id]) for summary in summaries]
