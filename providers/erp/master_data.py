"""Articles and businesses of the ERP, from the Service Layer's words into ours.

Numbers of item groups, manufacturers and price lists are names here: those of the small tables `ItemGroups`,
`Manufacturers` and `PriceLists`. The price list "MSRP" holds list prices, every other one those of the channel of its
name ("Dealer 1" is dealer-1); `SpecialPrices` are what was agreed with one business, or what a price list says on some
days. Fields of our own in the ERP begin with `U_`.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

import structlog
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from domain.base import Frozen
from domain.catalogue.erp_items import Amount, ErpItem, ErpProduct
from domain.catalogue.pricing import Days, named_for_days, scope_of_partner
from domain.catalogue.products import slug_of
from domain.operations.erp_mirror import Cursor, Records, Unreadable
from domain.partners.erp_businesses import ErpAddress, ErpBusiness
from domain.partners.partners import AddressKind
from providers.erp.service_layer import Record, ServiceLayer, text

PAGE = 100
CODES_AT_ONCE = 20
LIST_PRICE = "msrp"
NAMES_FOR_SECONDS = 600
SPECIAL = "SpecialPrices"
CUSTOMER = "cCustomer"
"""The `CardType` of those who buy; suppliers and leads are business partners there too."""
KEYS = {Records.ITEMS: "ItemCode", Records.BUSINESSES: "CardCode"}
_ENTITIES = {Records.ITEMS: "Items", Records.BUSINESSES: "BusinessPartners"}

log = structlog.stdlib.get_logger()

YesNo = Literal["tYES", "tNO"] | None
Day = Annotated[str, AfterValidator(lambda value: value[:10])]


def _day(value: object) -> object:
    """Days come with a time of midnight, or without."""
    return value[:10] or None if isinstance(value, str) else value


class _Price(BaseModel):
    PriceList: int
    Price: Decimal | None = None


class _Area(BaseModel):
    """Another price on some days."""

    DateFrom: Annotated[date | None, BeforeValidator(_day)] = None
    Dateto: Annotated[date | None, BeforeValidator(_day)] = None
    SpecialPrice: Amount


class _SpecialPrice(BaseModel):
    """Agreed with one business, or the price of a list whose number follows `*`; on its days alone, where it has any."""

    ItemCode: str
    CardCode: str
    Price: Amount
    ValidFrom: Annotated[date | None, BeforeValidator(_day)] = None
    ValidTo: Annotated[date | None, BeforeValidator(_day)] = None
    SpecialPriceDataAreas: list[_Area] = Field(default=[], max_length=1_000)

    @property
    def spans(self) -> Iterator[tuple[Days, Decimal]]:
        yield Days(first=self.ValidFrom, last=self.ValidTo), self.Price
        for area in self.SpecialPriceDataAreas:
            yield Days(first=area.DateFrom, last=area.Dateto), area.SpecialPrice


class _Warehouse(BaseModel):
    InStock: Decimal = Decimal(0)
    Committed: Decimal = Decimal(0)


class _Item(BaseModel):
    ItemCode: str
    ItemName: str | None = None
    ItemsGroupCode: int
    Manufacturer: int
    Picture: str | None = None
    SalesItem: YesNo = "tYES"
    Frozen: YesNo = "tNO"
    SalesQtyPerPackUnit: Decimal | None = None
    ItemPrices: list[_Price] = Field(default=[], max_length=1_000)
    ItemWarehouseInfoCollection: list[_Warehouse] = Field(default=[], max_length=1_000)
    U_ProductId: str | None = None
    U_VariantName: str | None = None
    U_Position: int | None = None
    U_RestockOn: Annotated[date | None, BeforeValidator(_day)] = None


class _Address(BaseModel):
    AddressName: str
    AddressType: Literal["bo_ShipTo", "bo_BillTo"]
    AddressName2: str | None = None
    Street: str | None = None
    City: str | None = None
    State: str | None = None
    ZipCode: str | None = None
    Country: str | None = None


class _Partner(BaseModel):
    CardCode: str
    CardName: str | None = None
    PriceListNum: int
    Country: str | None = None
    Frozen: YesNo = "tNO"
    FederalTaxID: str | None = None
    CreditLimit: Decimal
    SalesPersonCode: int | None = None
    ShipToDefault: str | None = None
    BilltoDefault: str | None = None
    BPAddresses: list[Record] | None = Field(default=None, max_length=500)
    U_PORequired: YesNo = "tNO"
    U_Subdistributor: YesNo = "tNO"
    U_ApprovedBrands: str | None = None


class _Changed(BaseModel):
    UpdateDate: Day
    UpdateTime: str


class ErpPage(Frozen):
    """Records of one kind in the ERP's order; `cursor` is behind the last one, `last` its code. `codes` are those of what is
    mirrored."""

    items: tuple[ErpItem, ...] = ()
    businesses: tuple[ErpBusiness, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    codes: tuple[str, ...] = ()
    last: str | None = None
    cursor: Cursor = Cursor()
    has_more: bool = False


@dataclass(frozen=True)
class _Names:
    groups: dict[int, str]
    manufacturers: dict[int, str]
    price_lists: dict[int, str]
    sales_people: dict[int, str]


@dataclass(frozen=True)
class _Agreed:
    """By article: `prices` as `ErpItem.prices` calls them, of which one is `unreadable`, and the price lists that one is of."""

    prices: dict[str, dict[str, Decimal]] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    of_lists: set[tuple[str, str | None]] = field(default_factory=set)


class ErpMasterData:
    """Raises Unavailable without a usable answer, Refused for a clear no. A record that cannot be read keeps no other one
    back: it is named with the reason."""

    def __init__(self, service_layer: ServiceLayer, *, page: int = PAGE) -> None:
        self._service_layer = service_layer
        self._page = page
        self._names: _Names | None = None
        self._named_at = 0.0

    @property
    def version(self) -> str | None:
        """The ERP's own, once it has been asked something."""
        return self._service_layer.version

    async def changed_since(self, kind: Records, cursor: Cursor) -> ErpPage:
        """The next records that were changed, oldest change first. None is behind a full page of which no record has a time."""
        key = KEYS[kind]
        asked = {"$orderby": f"UpdateDate,UpdateTime,{key}"}
        if cursor.on:
            asked["$filter"] = (
                f"UpdateDate gt {text(cursor.on)} or (UpdateDate eq {text(cursor.on)} and"
                f" (UpdateTime gt {text(cursor.at)} or (UpdateTime eq {text(cursor.at)} and"
                f" {key} gt {text(cursor.code)})))"
            )
        page = await self._ask(kind, asked, cursor)
        if not (page.has_more and page.cursor == cursor):
            return page
        # Asked at once it would answer the same.
        log.error("changes of the ERP cannot be followed: none has a time", entity=_ENTITIES[kind])
        return page.model_copy(update={"has_more": False})

    async def after(self, kind: Records, code: str) -> ErpPage:
        """All records by their codes, those behind `code`."""
        key = KEYS[kind]
        return await self._ask(
            kind, {"$orderby": key, "$filter": f"{key} gt {text(code)}"}, Cursor()
        )

    async def named(self, kind: Records, codes: Sequence[str]) -> ErpPage:
        """The records with these codes; of no more than `CODES_AT_ONCE`."""
        wanted = " or ".join(f"{KEYS[kind]} eq {text(code)}" for code in codes)
        return await self._ask(kind, {"$filter": wanted, "$orderby": KEYS[kind]}, Cursor())

    async def _ask(self, kind: Records, asked: dict[str, str], cursor: Cursor) -> ErpPage:
        page = await self._service_layer.page(_ENTITIES[kind], asked, size=self._page)
        items: list[ErpItem] = []
        businesses: list[ErpBusiness] = []
        unreadable: list[Unreadable] = []
        # Passed over here and not in the question: what becomes another type is seen, and the place moves on.
        records = [one for one in page.records if kind is Records.ITEMS or _is_customer(one)]
        codes = [_code_of(kind, record) for record in records]
        agreed = await self._agreed(codes) if kind is Records.ITEMS else _Agreed()
        for record, code in zip(records, codes, strict=True):
            reason = agreed.unreadable.get(code)
            try:
                if kind is Records.ITEMS:
                    items.append(await self._item(record, code, agreed))
                else:
                    businesses.append(await self._business(record))
            except (ValidationError, KeyError) as error:
                reason = _reason(error)
            if reason is not None:
                unreadable.append(Unreadable(code=code, reason=reason))
        return ErpPage(
            items=tuple(items),
            businesses=tuple(businesses),
            unreadable=tuple(unreadable),
            codes=tuple(codes),
            last=_code_of(kind, page.records[-1]) if page.records else None,
            cursor=_behind(page.records, KEYS[kind], cursor),
            has_more=page.has_more,
        )

    async def _agreed(self, codes: Sequence[str]) -> _Agreed:
        """What was agreed with single businesses, and what price lists say on some days. Days of the list price are passed
        over, and what is not valid."""
        agreed = _Agreed()
        for first in range(0, len(codes), CODES_AT_ONCE):
            some = codes[first : first + CODES_AT_ONCE]
            wanted = " or ".join(f"ItemCode eq {text(code)}" for code in some)
            for record in await self._service_layer.everything(SPECIAL, {"$filter": wanted}):
                if record.get("Valid") == "tNO":
                    continue
                sku, scope = str(record.get("ItemCode")), None
                try:
                    scope = await self._scope_of(str(record.get("CardCode")))
                    read = _SpecialPrice.model_validate(record)
                except (ValidationError, KeyError) as error:
                    agreed.unreadable[sku] = f"special price: {_reason(error)}"[:300]
                    agreed.of_lists.add((sku, scope))
                    continue
                if scope is None:
                    continue
                prices = agreed.prices.setdefault(read.ItemCode, {})
                for days, amount in read.spans:
                    is_in_order = not (days.first and days.last) or days.first <= days.last
                    if is_in_order:
                        prices[named_for_days(scope, days)] = amount
        return agreed

    async def _scope_of(self, card_code: str) -> str | None:
        """Of a business, or of a channel's price list by its number behind `*`."""
        if not card_code.startswith("*"):
            return scope_of_partner(card_code)
        number = int(card_code[1:]) if card_code[1:].isdecimal() else -1
        names = await self._names_with(price_lists=[number])
        name = _named(names.price_lists, number, "price list")
        return None if name == LIST_PRICE else name

    async def _item(self, record: Record, code: str, agreed: _Agreed) -> ErpItem:
        read = _Item.model_validate(record)
        used = [one.PriceList for one in read.ItemPrices if one.Price]
        names = await self._names_with(
            read.ItemsGroupCode, manufacturer=read.Manufacturer, price_lists=used
        )
        prices = {
            _named(names.price_lists, one.PriceList, "price list"): one.Price
            for one in read.ItemPrices
            if one.Price
        }
        msrp = prices.pop(LIST_PRICE, None)
        prices = {
            name: price for name, price in prices.items() if (code, name) not in agreed.of_lists
        }
        stock = read.ItemWarehouseInfoCollection
        free = int(sum((one.InStock - one.Committed for one in stock), Decimal(0)))
        position = read.U_Position or 0
        category = _named(names.groups, read.ItemsGroupCode, "item group")
        product = {
            "name": read.ItemName or "",
            "brand": _named(names.manufacturers, read.Manufacturer, "manufacturer"),
            "category": category,
            "image": read.Picture or "",
            "case_quantity": int(read.SalesQtyPerPackUnit or 1),
            "is_for_purchase": read.SalesItem != "tNO" and read.Frozen != "tYES",
        }
        return ErpItem(
            sku=read.ItemCode,
            product_id=read.U_ProductId or read.ItemCode.lower().replace(".", "-"),
            product=None if position else ErpProduct.model_validate(product),
            variant_name=read.U_VariantName or "",
            position=position,
            msrp=msrp,
            prices={**prices, **agreed.prices.get(code, {})},
            prices_are_all=code not in agreed.unreadable,
            on_hand=max(0, free),
            restock_on=read.U_RestockOn,
        )

    async def _business(self, record: Record) -> ErpBusiness:
        read = _Partner.model_validate(record)
        names = await self._names_with(price_lists=[read.PriceListNum])
        brands = (read.U_ApprovedBrands or "").split(",")
        return ErpBusiness.model_validate(
            {
                "code": read.CardCode,
                "name": read.CardName or "",
                "channel": _named(names.price_lists, read.PriceListNum, "price list"),
                "country": read.Country,
                "is_blocked": read.Frozen == "tYES",
                "po_required": read.U_PORequired == "tYES",
                "subdistributor": read.U_Subdistributor == "tYES",
                "approved_brands": tuple(
                    sorted({brand.strip() for brand in brands if brand.strip()})
                ),
                "tax_number": (read.FederalTaxID or "")[:40],
                "credit_limit": read.CreditLimit,
                "addresses": _addresses(read),
                "rep": names.sales_people.get(read.SalesPersonCode or 0, "").strip().lower(),
            }
        )

    async def _names_with(
        self,
        group: int | None = None,
        *,
        manufacturer: int | None = None,
        price_lists: Sequence[int] = (),
    ) -> _Names:
        """The names, asked again when they are old, or when one of these is new."""
        names, age = self._names, time.monotonic() - self._named_at
        if (
            names is not None
            and age < NAMES_FOR_SECONDS
            and (
                age < 1
                or (
                    (group is None or group in names.groups)
                    and (manufacturer is None or manufacturer in names.manufacturers)
                    and all(number in names.price_lists for number in price_lists)
                )
            )
        ):
            return names
        self._names = _Names(
            groups=await self._numbered("ItemGroups", "Number", "GroupName"),
            manufacturers=await self._numbered("Manufacturers", "Code", "ManufacturerName"),
            price_lists={
                number: slug_of(name)
                for number, name in (
                    await self._numbered("PriceLists", "PriceListNo", "PriceListName")
                ).items()
            },
            sales_people=await self._numbered("SalesPersons", "SalesEmployeeCode", "Email"),
        )
        self._named_at = time.monotonic()
        return self._names

    async def _numbered(self, entity: str, number: str, name: str) -> dict[int, str]:
        found = await self._service_layer.everything(entity, {"$select": f"{number},{name}"})
        return {one[number]: str(one[name]) for one in found if number in one and one.get(name)}


def _code_of(kind: Records, record: Record) -> str:
    return _storable(record.get(KEYS[kind]))


def _storable(code: object) -> str:
    """A code as the database takes it, though it may be that of a record that it does not take."""
    return str(code).replace("\0", "")[:80]


def _is_customer(record: Record) -> bool:
    return record.get("CardType") == CUSTOMER


def _addresses(read: _Partner) -> tuple[ErpAddress, ...] | None:
    """One that comes twice is passed over. None where one cannot be read: ours stay, as it may be one of them."""
    if read.BPAddresses is None:
        return None
    found: dict[tuple[AddressKind, str], ErpAddress] = {}
    for record in read.BPAddresses:
        try:
            one = _address(_Address.model_validate(record), read)
        except ValidationError as error:
            log.error("an address is unreadable", business=read.CardCode, why=_reason(error))
            return None
        found.setdefault((one.kind, one.erp_name), one)
    return tuple(found.values())


def _address(one: _Address, read: _Partner) -> ErpAddress:
    is_shipping = one.AddressType == "bo_ShipTo"
    main = read.ShipToDefault if is_shipping else read.BilltoDefault
    return ErpAddress.model_validate(
        {
            "kind": AddressKind.SHIPPING if is_shipping else AddressKind.BILLING,
            "erp_name": one.AddressName,
            "is_default": one.AddressName == main,
            "name": one.AddressName2 or read.CardName or "",
            "street": one.Street or "",
            "city": one.City or "",
            "country_area": one.State or "",
            "postal_code": one.ZipCode or "",
            "country": one.Country or read.Country or "",
        }
    )


def _named(names: dict[int, str], number: int, what: str) -> str:
    try:
        return names[number]
    except KeyError:
        raise KeyError(f"{what} {number}") from None


def _behind(records: list[Record], key: str, before: Cursor) -> Cursor:
    """Where the next page begins. A last record without a time is passed over: the page before it holds the place."""
    for record in reversed(records):
        try:
            read = _Changed.model_validate(record)
            return Cursor(on=read.UpdateDate, at=read.UpdateTime, code=_storable(record[key]))
        except (ValidationError, KeyError):
            continue
    return before


def _reason(error: ValidationError | KeyError) -> str:
    """Which fields, and what is wrong with each; never what stands there. Or what `_named` found no name for."""
    if isinstance(error, KeyError):
        return f"no name for {error.args[0]}"
    faults: list[dict[str, Any]] = [dict(one) for one in error.errors(include_input=False)]
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults)[:300]
