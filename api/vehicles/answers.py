"""Vehicles, their wiring and guides as JSON, in the spec's names (devices spec 3 and 7)."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import BaseModel

from api.catalogue.answers import ProductSummaryOut, summary_out
from api.platform.schemas import Camel
from domain.catalogue.products import ProductSummary
from domain.vehicles.guides import VehicleGuide
from domain.vehicles.products import Feature, ProductFeatures
from domain.vehicles.vehicles import Vehicle, VehicleChoice
from domain.vehicles.wiring import (
    Category,
    ExternalWiring,
    Source,
    SourcedWiring,
    SourceReport,
    Wire,
)


class Mirrored(BaseModel):
    """The vehicle whose wiring is shown in the place of one's own."""

    id: int
    name: str


class HarnessOut(BaseModel):
    sku: str


class InternalWiring(BaseModel):
    """Our own reference of a vehicle. `description` is the tech tip. Products are named by SKU, old ones perhaps."""

    id: int
    year: int
    make: VehicleChoice
    model: VehicleChoice
    trims: list[str]
    description: str
    vehicle_description: str
    vehicle_documents: list[VehicleGuide]
    mirrors_vehicle: Mirrored | None
    image: str | None
    created_at: datetime
    updated_at: datetime
    wiring_categories: list[Category]
    instruction_categories: list[Category]
    t_harnesses: list[HarnessOut]
    modules: list[HarnessOut]


class AdsTrim(BaseModel):
    trim: str
    wires: list[Wire]


class AutoMobTrim(BaseModel):
    Trim: str
    wires: list[Wire]


class TrimProductOut(BaseModel):
    """By the source's own id. `product_id` is the store's, where the store knows that one."""

    id: str
    name: str
    product_id: str | None


class ProductsOfTrim(BaseModel):
    """What a source recommends for a trim."""

    trim: str
    source: Source
    products: list[TrimProductOut]


class ExternalWiringOut(BaseModel):
    """Each source's trims; null while it is away and nothing was kept, and where it is not used. `sources` says how each that
    is used answered."""

    adsWiring: list[AdsTrim] | None
    autoMobWiring: list[AutoMobTrim] | None
    products: list[ProductsOfTrim]
    sources: list[SourceReport]


class VehicleProductOut(ProductSummaryOut):
    """`asked_sku` is the SKU that it was asked by, where that is an old one."""

    asked_sku: str | None


class VehicleProducts(Camel):
    results: list[VehicleProductOut]


class ProductFeaturesOut(Camel):
    """`klon` is shown as Yes or No; keys are how many are needed."""

    product_id: str
    name: str
    klon: bool
    keys_for_install: int
    keys_for_programming: int
    features: list[Feature]
    accessories: list[str]


def external_out(wiring: ExternalWiring, in_store: Mapping[str, str]) -> ExternalWiringOut:
    """`in_store` leads from a source's id of a product to the store's."""
    ads, automob = wiring.ads, wiring.automob
    return ExternalWiringOut(
        adsWiring=None
        if ads is None
        else [AdsTrim(trim=one.trim, wires=list(one.wires)) for one in ads.trims],
        autoMobWiring=None
        if automob is None
        else [AutoMobTrim(Trim=one.trim, wires=list(one.wires)) for one in automob.trims],
        products=[product for one in (ads, automob) if one for product in _products(one, in_store)],
        sources=list(wiring.reports),
    )


def _products(wiring: SourcedWiring, in_store: Mapping[str, str]) -> list[ProductsOfTrim]:
    return [
        ProductsOfTrim(
            trim=one.trim,
            source=wiring.source,
            products=[
                TrimProductOut(
                    id=trim_product.id,
                    name=trim_product.name,
                    product_id=in_store.get(trim_product.id),
                )
                for trim_product in one.products
            ],
        )
        for one in wiring.trims
        if one.products
    ]


def mirrored_out(vehicle: Vehicle | None) -> Mirrored | None:
    return Mirrored(id=vehicle.id, name=vehicle.name) if vehicle else None


def vehicle_product_out(summary: ProductSummary, asked: str) -> VehicleProductOut:
    """With the SKU that it was asked by, where that is not its own."""
    fields = summary_out(summary).model_dump()
    is_old = asked.upper() != summary.sku
    return VehicleProductOut.model_validate({**fields, "asked_sku": asked if is_old else None})


def features_out(features: ProductFeatures) -> ProductFeaturesOut:
    return ProductFeaturesOut.model_validate(features, from_attributes=True)
