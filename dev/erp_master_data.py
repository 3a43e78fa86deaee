"""The articles and businesses of our mirror as the ERP would have delivered them: what its stand-in is given of the demo data, so
that the first round of the feed changes nothing."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.erp_items import items_of
from db.catalogue.tables import BrandRow, CategoryRow, PriceListRow, ProductRow, VariantRow
from db.partner_tables import PartnerRow
from db.partners.erp_businesses import businesses_of
from domain.catalogue.erp_items import ErpItem
from domain.catalogue.pricing import ListKind, days_of_name, partner_of_scope
from domain.catalogue.products import slug_of
from domain.partners.erp_businesses import ErpAddress, ErpBusiness
from domain.partners.partners import DEFAULT_CHANNEL, AddressKind

AT_ONCE = 500
BEGUN = datetime(2026, 1, 5, 8, tzinfo=UTC)
"""When the first record was last changed; the others one second after each other."""

Record = dict[str, Any]


class Numbers:
    """The ERP's number of each category, brand and price list."""

    def __init__(
        self, groups: Sequence[str], manufacturers: Sequence[str], price_lists: Sequence[str]
    ) -> None:
        self.groups = {slug_of(name): n for n, name in enumerate(groups, 101)}
        self.manufacturers = {slug_of(name): n for n, name in enumerate(manufacturers, 1)}
        self.price_lists = {name: n for n, name in enumerate([DEFAULT_CHANNEL, *price_lists], 1)}
        self.records: dict[str, list[Record]] = {
            "ItemGroups": _numbered("Number", "GroupName", enumerate(groups, 101)),
            "Manufacturers": _numbered("Code", "ManufacturerName", enumerate(manufacturers, 1)),
            "PriceLists": _numbered(
                "PriceListNo", "PriceListName", ((n, name) for name, n in self.price_lists.items())
            ),
        }


async def fill_master_data(session: AsyncSession, client: httpx.AsyncClient) -> int:
    """Answers how many records were new there. `client` knows the stand-in's address."""
    numbers = await _numbers(session)
    taken = 0
    for entity, records in numbers.records.items():
        taken += await _give(client, entity, records)
    async for entity, records in _records(session, numbers):
        taken += await _give(client, entity, records)
    return taken


async def _numbers(session: AsyncSession) -> Numbers:
    tiers = select(PriceListRow.id).where(
        PriceListRow.kind == ListKind.TIER.value, PriceListRow.id == PriceListRow.scope
    )
    channels = set(await session.scalars(tiers))
    channels |= set(await session.scalars(select(PartnerRow.channel_slug).distinct()))
    return Numbers(
        list(await session.scalars(select(CategoryRow.name).order_by(CategoryRow.name))),
        list(await session.scalars(select(BrandRow.name).order_by(BrandRow.name))),
        sorted(channels - {DEFAULT_CHANNEL}),
    )


async def _records(
    session: AsyncSession, numbers: Numbers
) -> AsyncIterator[tuple[str, list[Record]]]:
    codes = (await session.scalars(select(PartnerRow.sap_bp_code).order_by("sap_bp_code"))).all()
    skus = (
        await session.scalars(select(VariantRow.sku).order_by(VariantRow.position, VariantRow.id))
    ).all()
    yield "BusinessPartners", [_supplier(numbers)]
    place = 0
    for first in range(0, len(codes), AT_ONCE):
        some = codes[first : first + AT_ONCE]
        found = await businesses_of(session, some)
        yield (
            "BusinessPartners",
            [
                {**_business(found[code].business, numbers), **_stamp(place + n)}
                for n, code in enumerate(some)
            ],
        )
        place += len(some)
    for first in range(0, len(skus), AT_ONCE):
        some = skus[first : first + AT_ONCE]
        items = await items_of(session, some)
        groups = await _groups_of(session, some, numbers)
        yield "SpecialPrices", [one for sku in some for one in _special(items[sku])]
        yield (
            "Items",
            [
                {**_item(items[sku], numbers), **groups[sku], **_stamp(place + n)}
                for n, sku in enumerate(some)
            ],
        )
        place += len(some)


async def _groups_of(
    session: AsyncSession, skus: Sequence[str], numbers: Numbers
) -> dict[str, Record]:
    """Group and manufacturer of each article, of further variants too."""
    found = await session.execute(
        select(VariantRow.sku, ProductRow.category_slug, ProductRow.brand_slug, ProductRow.name)
        .join(ProductRow, ProductRow.id == VariantRow.product_id)
        .where(VariantRow.sku.in_(skus))
    )
    return {
        sku: {
            "ItemName": name,
            "ItemsGroupCode": numbers.groups[category],
            "Manufacturer": numbers.manufacturers[brand],
        }
        for sku, category, brand, name in found
    }


def _special(item: ErpItem) -> list[Record]:
    """What is agreed without an end: what holds on some days is the ERP's own to say."""
    return [
        {"ItemCode": item.sku, "CardCode": code, "Price": float(amount), "Currency": "USD"}
        for name, amount in item.prices.items()
        if days_of_name(name)[1].are_all and (code := partner_of_scope(name)) is not None
    ]


def _item(item: ErpItem, numbers: Numbers) -> Record:
    prices = dict(item.prices) if item.msrp is None else {DEFAULT_CHANNEL: item.msrp, **item.prices}
    product = item.product
    return {
        "ItemCode": item.sku,
        "Picture": product.image if product else "",
        "SalesItem": "tNO" if product and not product.is_for_purchase else "tYES",
        "Frozen": "tNO",
        "SalesQtyPerPackUnit": float(product.case_quantity) if product else 1.0,
        "ItemPrices": [
            {"PriceList": numbers.price_lists[name], "Price": float(amount), "Currency": "USD"}
            for name, amount in prices.items()
            if days_of_name(name)[1].are_all and partner_of_scope(name) is None
        ],
        "ItemWarehouseInfoCollection": [
            {"WarehouseCode": "01", "InStock": item.on_hand, "Committed": 0, "Ordered": 0}
        ],
        "U_ProductId": item.product_id,
        "U_VariantName": item.variant_name,
        "U_Position": item.position,
        "U_RestockOn": str(item.restock_on) if item.restock_on else None,
    }


def _business(business: ErpBusiness, numbers: Numbers) -> Record:
    return {
        "CardCode": business.code,
        "CardName": business.name,
        "CardType": "cCustomer",
        "PriceListNum": numbers.price_lists[business.channel],
        "Country": business.country,
        "Frozen": _yes(business.is_blocked),
        "U_PORequired": _yes(business.po_required),
        "U_Subdistributor": _yes(business.subdistributor),
        "U_ApprovedBrands": ",".join(business.approved_brands),
        "FederalTaxID": business.tax_number or None,
        "ShipToDefault": _main(business, AddressKind.SHIPPING),
        "BilltoDefault": _main(business, AddressKind.BILLING),
        "BPAddresses": [_address(one) for one in business.addresses or ()],
    }


def _supplier(numbers: Numbers) -> Record:
    """Whom the company buys from: none of ours."""
    return {
        "CardCode": "V-0001",
        "CardName": "Example Freight",
        "CardType": "cSupplier",
        "PriceListNum": numbers.price_lists[DEFAULT_CHANNEL],
        "Country": "CA",
        "Frozen": "tNO",
        **_stamp(-1),
    }


def _main(business: ErpBusiness, kind: AddressKind) -> str | None:
    addresses = business.addresses or ()
    return next((one.erp_name for one in addresses if one.kind is kind and one.is_default), None)


def _address(address: ErpAddress) -> Record:
    is_shipping = address.kind is AddressKind.SHIPPING
    return {
        "AddressName": address.erp_name,
        "AddressType": "bo_ShipTo" if is_shipping else "bo_BillTo",
        "AddressName2": address.name,
        "Street": address.street,
        "City": address.city,
        "State": address.country_area,
        "ZipCode": address.postal_code,
        "Country": address.country,
    }


def _yes(holds: bool) -> str:
    return "tYES" if holds else "tNO"


def _stamp(place: int) -> Record:
    at = BEGUN + timedelta(seconds=place)
    return {"UpdateDate": f"{at:%Y-%m-%d}", "UpdateTime": f"{at:%H:%M:%S}"}


def _numbered(number: str, name: str, pairs: Iterable[tuple[int, str]]) -> list[Record]:
    return [{number: n, name: word} for n, word in pairs]


async def _give(client: httpx.AsyncClient, entity: str, records: list[Record]) -> int:
    body = {"entity": entity, "records": records}
    answer = await client.post("/erp/_ledger_of_records", json=body)
    return int(answer.raise_for_status().json()["taken"])
